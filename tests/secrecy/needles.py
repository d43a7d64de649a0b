"""A search for secrets in bytes that were sent or written, in every form they could have."""

import base64
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from google.protobuf import text_encoding

from secrecy.tape import Taped

BEGINNING = 8
"""Bytes by which a form is looked up; every form is longer."""


class Found(NamedTuple):
    """A secret, and the surface on which it was found."""

    secret: str
    surface: str


class Needles:
    """Secrets by name."""

    def __init__(self) -> None:
        self._forms: dict[bytes, set[tuple[str, bytes]]] = defaultdict(set)

    def add(self, name: str, secret: bytes) -> None:
        """Look for a secret, and for its halves if these are long enough to be no accident."""
        parts = [secret]
        if len(secret) >= 32:
            middle = len(secret) // 2
            parts += [secret[:middle], secret[middle:]]
        for part in parts:
            for form in forms_of(part):
                self._forms[form[:BEGINNING]].add((name, form))

    def find(self, haystack: Iterable[Taped]) -> set[Found]:
        """Every secret on every surface where it appears."""
        return {
            Found(name, taped.surface)
            for taped in set(haystack)
            for place in range(len(taped.content))
            for name, form in self._forms.get(taped.content[place : place + BEGINNING], ())
            if taped.content.startswith(form, place)
        }


def forms_of(secret: bytes) -> set[bytes]:
    """Raw, hexadecimal, base64 wherever it begins, and as Python, protobuf and JSON print it."""
    texts = {
        secret.hex(),
        secret.hex().upper(),
        ",".join(map(str, secret)),
        ", ".join(map(str, secret)),
        ascii(secret)[2:-1],
        text_encoding.CEscape(secret, as_utf8=False),
        secret.decode("latin-1"),
        *_in_base64(secret),
    }
    quoted = {json.dumps(text)[1:-1] for text in texts}
    return {secret, *(text.encode() for text in texts | quoted)}


def _in_base64(secret: bytes) -> Iterator[str]:
    for shift in range(3):
        # The first characters also depend on what stands before, the last on what follows.
        standard = base64.b64encode(bytes(shift) + secret).decode()[(0, 2, 3)[shift] : -4]
        yield standard
        yield standard.replace("+", "-").replace("/", "_")

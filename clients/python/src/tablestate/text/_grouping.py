"""Lists of notations by kind, short where many end alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile

_FEW = 8
"""Lists up to this length are written out."""


def grouped(kinds: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Return a line for each kind.

    Kinds of many notations with one ending are put together if what stands before it is the same.
    """
    alike: dict[tuple[str, ...], list[tuple[str, str]]] = {}
    for heading, notations in kinds.items():
        ending = _common_ending(notations) if len(notations) > _FEW else ""
        stems = tuple(notation.removesuffix(ending) for notation in notations)
        alike.setdefault(stems, []).append((heading, ending))
    for stems, named in alike.items():
        headings = ", ".join(heading for heading, _ in named)
        endings = [f"_{ending}" for _, ending in named if ending]
        leading = f"{' '.join(endings)}, where _ is one of: " if endings else ""
        yield f"{headings}: {leading}{' '.join(stems)}"


def _common_ending(notations: Sequence[str]) -> str:
    from_the_end = zip(*map(reversed, notations), strict=False)
    same = takewhile(lambda letters: len(set(letters)) == 1, from_the_end)
    return "".join(letters[0] for letters in same)[::-1]

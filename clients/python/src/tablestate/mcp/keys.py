"""The keys to matches and seats, which a model is never shown."""

from __future__ import annotations

import json
import os
from pathlib import Path
from tempfile import mkstemp

from tablestate._arguments import refusal
from tablestate.credentials import HostCredential, SeatCredential


class Keys:
    """What this process holds: in memory, and in a file if it has one.

    Processes may share a file: each keeps what others have put there.
    """

    def __init__(self, path: Path | None = None) -> None:
        """Read the keys of a file, if it is there.

        Raises InvalidArgumentError for a file that `Keys` has not written, or cannot write.
        """
        self._path = path
        self._hosts: dict[str, HostCredential] = {}
        self._seats: dict[bytes, SeatCredential] = {}
        """By their tokens: the seats may be drawn anew when a match starts."""
        self._read()
        self._write()

    def add_host(self, key: HostCredential) -> None:
        """Keep the key to a match; raises InvalidArgumentError if the file cannot be written."""
        self._read()
        self._hosts[key.match_id] = key
        self._write()

    def add_seat(self, key: SeatCredential) -> None:
        """Keep the key to a seat, in place of the same key to another one.

        Raises InvalidArgumentError if the file cannot be written.
        """
        self._read()
        self._seats[key.token] = key
        self._write()

    def host(self, match_id: str) -> HostCredential:
        """Return the key to a match; raises InvalidArgumentError if it was not created here."""
        if match_id not in self._hosts:
            raise refusal("match_id", match_id, "a match that was created with create_match")
        return self._hosts[match_id]

    def seats(self, match_id: str) -> list[int]:
        """Return the seats of a match that are held here."""
        return sorted(key.seat for key in self.held(match_id))

    def held(self, match_id: str) -> list[SeatCredential]:
        """Return the keys to seats of a match that are held here."""
        return [key for key in self._seats.values() if key.match_id == match_id]

    def seat(self, match_id: str, seat: int | None) -> SeatCredential:
        """Return the key to a seat, or to the only one held of the match.

        Raises InvalidArgumentError if it is not held, or if `seat` is needed to say which.
        """
        held = {key.seat: key for key in self.held(match_id)}
        if seat is None and len(held) == 1:
            (seat,) = held
        if seat is None or seat not in held:
            named = " or ".join(map(str, sorted(held)))
            raise refusal(
                "seat", seat, f"a seat {f'that you hold: {named}' if held else 'taken here'}"
            )
        return held[seat]

    def _load(self, path: Path) -> None:
        try:
            saved = json.loads(path.read_text(encoding="utf-8"))
            hosts = [HostCredential.load(each) for each in saved["hosts"]]
            seats = [SeatCredential.load(each) for each in saved["seats"]]
        except (KeyError, RecursionError, TypeError, ValueError):  # their texts might show a secret
            raise refusal("keys", str(path), "a file of keys that was written here") from None
        self._hosts |= {key.match_id: key for key in hosts}
        self._seats |= {key.token: key for key in seats}

    def _read(self) -> None:
        """Take over what others have put into the file."""
        if self._path is None:
            return
        try:
            if self._path.exists():
                self._load(self._path)
        except OSError:
            raise refusal("keys", str(self._path), "a file that can be read") from None

    def _write(self) -> None:
        if self._path is None:
            return
        try:
            self._replace(self._path)
        except OSError:
            raise refusal("keys", str(self._path), "a file that can be written") from None

    def _replace(self, path: Path) -> None:
        """Put a new file, for its owner only, in place of the old one."""
        saved = {
            "hosts": [key.save() for key in self._hosts.values()],
            "seats": [key.save() for key in self._seats.values()],
        }
        where, new = mkstemp(prefix=f"{path.name}.", dir=path.parent)  # for its owner only
        try:
            with open(where, "w", encoding="utf-8") as file:
                json.dump(saved, file)
            os.replace(new, path)
        except OSError:
            os.unlink(new)
            raise

"""Output to terminals and files that cannot show every character."""

from __future__ import annotations

import codecs
import sys
from io import TextIOWrapper

_HANDLER = "tablestate.look-alike"
# One for one, so that boards keep their shape, and all different where it matters:
# corners and crossings of lines by whether one leads down.
_LOOK_ALIKES = str.maketrans("·●○◆▸◂▴▾…─━—│┌┐├┤┬┼└┘┴", ".XO*><^v~---|++++++'''")


def allow_any_output() -> None:
    """Let what standard output cannot show be replaced by what looks like it."""
    codecs.register_error(_HANDLER, _look_alike)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors=_HANDLER)


def _look_alike(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    replaced = error.object[error.start : error.end].translate(_LOOK_ALIKES)
    return "".join(each if each.isascii() else "?" for each in replaced), error.end

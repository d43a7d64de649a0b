"""How actions and parts of batches are packed (`batch.proto`), as NumPy arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt
from google.protobuf.message import DecodeError

from tablestate._arguments import message, refusal
from tablestate._content import PARTS
from tablestate.v1.batch_pb2 import ActionForm, BatchParts, BatchShape, WantedParts
from tablestate.v1.game_pb2 import GameState

Form = Literal["index", "rank", "draw"]
"""How actions are named: by their dense index, by their rank among the legal ones, or by a
uniform number of 32 bits that picks one of them."""

OVER: Final = 1
"""Flag: the game is over, or was and has been set up again."""
REFUSED: Final = 2
"""Flag: the action was not legal, or the game was over; nothing was done."""
RESET: Final = 4
"""Flag: a game ended in this step and a new one has been set up."""
NO_ACTOR: Final = 255
"""The actor when the game is over."""
NO_ACTION: Final = 65535
"""The action when none was taken; as an index it leaves a slot as it is."""

_FORMS: Final[dict[str, tuple[ActionForm.ValueType, str]]] = {
    "index": (ActionForm.ACTION_FORM_INDEX, "<u2"),
    "rank": (ActionForm.ACTION_FORM_RANK, "<u2"),
    "draw": (ActionForm.ACTION_FORM_DRAW, "<u4"),
}


def wanted(parts: Sequence[str], observer: int | None, last_observations: bool) -> WantedParts:
    """Return what to ask for; raises InvalidArgumentError for an unknown part."""
    for part in parts:
        if part not in PARTS:
            raise refusal("parts", part, f"some of {', '.join(PARTS)}")
    chosen = dict.fromkeys(parts, True)
    return message(WantedParts, **chosen, observer=observer, last_observations=last_observations)


def game_state(state: bytes) -> GameState:
    """Read a full state; raises InvalidArgumentError, which does not show it."""
    try:
        return GameState.FromString(state)
    except (DecodeError, TypeError):
        raise refusal(
            "state", None, "a GameState message as bytes, as `dump` returned it"
        ) from None


def pack(actions: npt.ArrayLike, form: Form, size: int) -> tuple[ActionForm.ValueType, bytes]:
    """Return the form and the bytes of the actions; raises InvalidArgumentError."""
    if form not in _FORMS:
        raise refusal("form", form, f"one of {', '.join(_FORMS)}")
    number, name = _FORMS[form]
    given, dtype = np.asarray(actions), np.dtype(name)
    if given.shape != (size,):
        raise refusal("actions", given.shape, f"an array of the shape ({size},)")
    if given.dtype != dtype:
        most = np.iinfo(dtype).max
        if given.dtype.kind not in "iu" or given.min() < 0 or given.max() > most:
            raise refusal("actions", given, f"whole numbers from 0 to {most}")
        given = given.astype(dtype)
    return number, given.tobytes()


def arrays(parts: BatchParts, shape: BatchShape, names: Sequence[str]) -> dict[str, Any]:
    """Return the parts of these names as arrays that read the message's bytes; None for others."""
    layouts: dict[str, tuple[str, tuple[int, ...]]] = {
        "actors": ("u1", ()),
        "flags": ("u1", ()),
        "actions": ("<u2", ()),
        "returns": ("<f4", (shape.seats,)),
        "masks": ("u1", (shape.mask_bytes,)),
        "observations": ("u1", (shape.observation_bytes,)),
    }
    found: dict[str, Any] = dict.fromkeys(PARTS)
    for name in names:
        dtype, width = layouts[name]
        content: bytes = getattr(parts, name)
        found[name] = np.frombuffer(content, dtype).reshape(shape.size, *width)
    return found

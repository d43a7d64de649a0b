# Made from ../_aio by clients/python/tools/make_sync.py. DO NOT EDIT!
"""Tree search on the server with the user's own evaluator, over one stream."""

from __future__ import annotations

from types import TracebackType
from typing import Self

import numpy as np
import numpy.typing as npt

from tablestate._arguments import refusal
from tablestate._leaves import Found, Leaves, Roots, Settings, answers, opening
from tablestate._methods import EVALUATE
from tablestate._sync.transport import Transport
from tablestate.errors import SearchGoesOnError
from tablestate.v1.batch_pb2 import BatchShape
from tablestate.v1.evaluate_pb2 import EvaluateRequest, EvaluateResponse


def begin(transport: Transport, roots: Roots, settings: Settings) -> TreeSearch:
    """Begin a search; raises InvalidRequestError for what is not acceptable."""
    request = opening(roots, settings)
    search = TreeSearch(transport)
    try:
        search._open(request)
    except BaseException:
        search.close()
        raise
    return search


class TreeSearch:
    """Trees that grow at the same time, one for each root, with the caller as their judge.

    Use it as a context, or `close` it: the server forgets the trees when the stream ends. As long
    as the answers to one search are on their way another can be dealt with.
    """

    def __init__(self, transport: Transport) -> None:
        """Open the stream; made by `evaluate` of a client."""
        self._dialogue = transport.dialogue(EVALUATE.path)
        self._shape = BatchShape()
        self._next: EvaluateResponse | None = None
        self._leaves: Leaves | None = None
        self._found: Found | None = None

    def _open(self, request: EvaluateRequest) -> None:
        self._dialogue.send(request.SerializeToString())
        self._next = self._receive()
        self._shape = self._next.shape

    def _receive(self) -> EvaluateResponse:
        return EvaluateResponse.FromString(self._dialogue.receive())

    @property
    def size(self) -> int:
        """Roots."""
        return self._shape.size

    @property
    def seats(self) -> int:
        """Seats of each game."""
        return self._shape.seats

    @property
    def action_count(self) -> int:
        """Indices of actions."""
        return self._shape.actions

    @property
    def mask_bytes(self) -> int:
        """Bytes of a mask."""
        return self._shape.mask_bytes

    @property
    def observation_bytes(self) -> int:
        """Bytes of an observation."""
        return self._shape.observation_bytes

    def leaves(self) -> Leaves | None:
        """Wait for the leaves of the next round; None when all simulations were made.

        Leaves that wait for an answer are given again. Raises InvalidRequestError for answers that
        were not acceptable; the stream has ended then.
        """
        if self._leaves is not None or self._found is not None:
            return self._leaves
        response = self._next or self._receive()
        self._next = None
        if response.HasField("report"):
            self._found = Found(response.report, self._shape)
        else:
            self._leaves = Leaves(response.leaves, self._shape)
        return self._leaves

    def answer(self, priors: npt.ArrayLike, values: npt.ArrayLike) -> None:
        """Tell what the evaluator thinks of the last leaves.

        `priors`  (n, action_count) float32: how promising each action is, from 0 on. Only those of
                  legal actions are read; they need not add up to 1, and if all are 0, all legal
                  actions are as promising. These are probabilities, not logits.
        `values`  (n,) float32: the return that the leaf's actor may expect, -1 to 1; or
                  (n, seats): that each seat may expect. From the actor's alone follows that the
                  others share what it loses.

        Raises InvalidArgumentError for other shapes, or if no leaves wait.
        """
        if self._leaves is None:
            raise refusal("priors", None, "no answer, as no leaves wait for one")
        requests = list(answers(self._leaves, self._shape, priors, values))
        self._leaves = None
        for request in requests:
            self._dialogue.send(request.SerializeToString())

    @property
    def visits(self) -> npt.NDArray[np.uint32]:
        """(size, action_count): how many simulations began with each action.

        This and the rest is known when `leaves` has returned None; SearchGoesOnError before.
        """
        return self._report.visits

    @property
    def values(self) -> npt.NDArray[np.float32]:
        """(size, action_count): the mean return of the root's actor after each action.

        0 for actions that were never taken.
        """
        return self._report.values

    @property
    def returns(self) -> npt.NDArray[np.float32]:
        """(size, seats): the mean return of each seat; of a game that is over its returns."""
        return self._report.returns

    @property
    def lines(self) -> list[list[int]]:
        """For each root the line that was gone most often, as indices of actions."""
        return self._report.lines

    @property
    def _report(self) -> Found:
        if self._found is None:
            raise SearchGoesOnError
        return self._found

    def close(self) -> None:
        """End the stream, and with it the search."""
        self._dialogue.close()

    def __enter__(self) -> Self:
        """Return the search itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the stream."""
        self.close()

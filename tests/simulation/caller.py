"""A client that calls any node, and repeats on any node what was not answered."""

import asyncio
from typing import Any

from simulation.ledger import Sent
from simulation.node import Cluster, Node
from tablestate.v1 import match_service_pb2 as pb
from tablestate_service.domain.errors import DomainError, Reason

Result = bytes | DomainError | None

_CALL_SECONDS = 8.0
_BREATH = (0.05, 0.6)
_HASTE = (0.0, 0.04)
_TRANSIENT = (Reason.STORAGE_UNAVAILABLE, Reason.SHUTTING_DOWN)


class Caller:
    """Calls on behalf of somebody."""

    def __init__(self, cluster: Cluster, name: str) -> None:
        self.cluster = cluster
        self.name = name
        self.weather = cluster.weather
        self.chooser = cluster.weather.chooser
        self.ledger = cluster.ledger
        self._count = 0

    async def change(self, kind: Any, credential: bytes, /, **fields: Any) -> Any:
        """Send a mutating request until it is answered; the response, or why it was refused."""
        return await self.carry(kind(request_id=self.next_id(), **fields), credential)

    def next_id(self) -> str:
        """The id of a new request."""
        self._count += 1
        return f"{self.name}-{self._count:0{15 - len(self.name)}d}"

    async def carry(self, call: Any, credential: bytes) -> Any:
        """Send a request that has its id; what `change` says holds."""
        method = method_of(type(call))
        sent = self.ledger.send(method, call, credential)
        while True:
            copies = 2 if self.weather.happens("call doubled") else 1
            results = await asyncio.gather(*(self._attempt(sent) for _ in range(copies)))
            if sent.answer is not None:
                return response_of(method, sent.answer)
            if refusals := [each for each in results if isinstance(each, DomainError)]:
                return refusals[0]
            await self.weather.pause(*_BREATH)

    async def repeat(self, sent: Sent) -> None:
        """Send again what was answered, until it is answered again."""
        while not isinstance(await self._attempt(sent), bytes):
            await self.weather.pause(*_BREATH)

    async def read(self, kind: Any, **fields: Any) -> Any:
        """Read until there is an answer; the response, or why it was refused."""
        method, data = method_of(kind), kind(**fields).SerializeToString()
        while True:
            floor = self.ledger.floor(fields["match_id"])
            result = await self._once(await self.any_node(), method, data)
            if isinstance(result, bytes):
                response = response_of(method, result)
                if not fields.get("version"):
                    self.ledger.read(fields["match_id"], floor, version_of(response))
                return response
            if result is not None:
                return result
            await self.weather.pause(*_BREATH)

    async def any_node(self) -> Node:
        """A node that can be called, as soon as there is one."""
        while not (nodes := self.cluster.nodes):
            await self.weather.pause(*_BREATH)
        return self.chooser.choice(nodes)

    async def _attempt(self, sent: Sent) -> Result:
        stored_before = sent.key in self.cluster.database.requests
        sent.attempts += 1
        result = await self._once(await self.any_node(), sent.method, sent.data)
        if isinstance(result, bytes):
            response = response_of(sent.method, result)
            self.ledger.acknowledged(sent, result, match_id_of(response), version_of(response))
        elif result is not None:
            self.ledger.refused(sent, result, stored_before)
        return result

    async def _once(self, node: Node, method: str, data: bytes) -> Result:
        """Call a node; None if nobody knows whether it has done anything."""
        result = await self._over_the_wire(node, method, data)
        if isinstance(result, DomainError) and result.reason in _TRANSIENT:
            result = None
        told = result.reason.name if isinstance(result, DomainError) else _length(result)
        self.ledger.note(f"{self.name}: {method} on {node.name}: {told}")
        return result

    async def _over_the_wire(self, node: Node, method: str, data: bytes) -> Result:
        await self.weather.way()
        if node.line.is_cut:
            return None
        if self.weather.happens("call lost"):
            return None
        patience = _CALL_SECONDS
        if self.weather.happens("caller gone"):
            patience = self.chooser.uniform(*_HASTE)
        serving, answer = node.call(method, data)
        try:
            async with asyncio.timeout(patience):
                result = await answer
        except TimeoutError:
            serving.cancel()
            return None
        await self.weather.way()
        return None if self.weather.happens("answer lost") else result


def method_of(kind: Any) -> str:
    """The method of a type of request."""
    name: str = kind.__name__
    return name.removesuffix("Request")


def response_of(method: str, answer: bytes) -> Any:
    """An answer as a message."""
    return getattr(pb, f"{method}Response").FromString(answer)


def _inner(response: Any) -> Any:
    for name in ("match", "update"):
        if name in response.DESCRIPTOR.fields_by_name:
            return getattr(response, name)
    return response


def version_of(response: Any) -> int:
    """The version that an answer tells."""
    version: int = _inner(response).version
    return version


def match_id_of(response: Any) -> str:
    """The match that an answer tells of."""
    match_id: str = _inner(response).match_id
    return match_id


def _length(result: bytes | None) -> str:
    return "unknown" if result is None else f"{len(result)} bytes"

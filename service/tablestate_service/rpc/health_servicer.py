"""grpc.health.v1: whether the server takes calls and can do what they ask for."""

import asyncio
from collections.abc import Collection

import grpc
from google.protobuf.message import Message
from grpc_health.v1 import health_pb2 as pb

from tablestate_service.rpc.wrapper import Send, StatusError


class HealthServicer:
    """Tells SERVING while the store answers and the server does not drain, else NOT_SERVING."""

    def __init__(self, services: Collection[str]) -> None:
        """Know these services; the empty name is the server as a whole."""
        self._services = {"", *services}
        self._store_answers = True
        self._is_draining = False
        self._changed = asyncio.Event()

    @property
    def is_serving(self) -> bool:
        """Whether it tells SERVING."""
        return self._store_answers and not self._is_draining

    def note_store(self, answers: bool) -> None:
        """Tell from now on whether the store answers."""
        if answers != self._store_answers:
            self._store_answers = answers
            self._wake()

    def drain(self) -> None:
        """Tell NOT_SERVING from now on, and end the watches."""
        self._is_draining = True
        self._wake()

    async def check(self, request: pb.HealthCheckRequest) -> bytes:
        """Tell the status now."""
        if request.service not in self._services:
            raise StatusError(grpc.StatusCode.NOT_FOUND, "no service has this name")
        return _response(self._status(request.service))

    async def list(self, request: Message) -> bytes:
        """Tell the status of every service."""
        response = pb.HealthListResponse()  # type: ignore[attr-defined]  # stubs are older
        for service in self._services:
            response.statuses[service].status = self._status(service)
        listed: bytes = response.SerializeToString(deterministic=True)
        return listed

    async def watch(self, request: pb.HealthCheckRequest, send: Send) -> None:
        """Tell the status now and whenever it changes, until the server drains."""
        told = None
        while True:
            changed, status = self._changed, self._status(request.service)
            if status != told:
                await send(_response(status))
                told = status
            if self._is_draining:
                return
            await changed.wait()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    def _status(self, service: str) -> int:
        if service not in self._services:
            return pb.HealthCheckResponse.SERVICE_UNKNOWN
        if self.is_serving:
            return pb.HealthCheckResponse.SERVING
        return pb.HealthCheckResponse.NOT_SERVING


def _response(status: int) -> bytes:
    return pb.HealthCheckResponse(status=status).SerializeToString()

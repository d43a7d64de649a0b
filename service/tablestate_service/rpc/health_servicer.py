"""grpc.health.v1: whether the server takes calls."""

import asyncio
from collections.abc import Collection

import grpc
from google.protobuf.message import Message
from grpc_health.v1 import health_pb2 as pb

from tablestate_service.rpc.wrapper import Send, StatusError


class HealthServicer:
    """Tells SERVING until the server drains, then NOT_SERVING."""

    def __init__(self, services: Collection[str]) -> None:
        """Know these services; the empty name is the server as a whole."""
        self._services = {"", *services}
        self._draining = asyncio.Event()

    def drain(self) -> None:
        """Tell NOT_SERVING from now on, and end the watches."""
        self._draining.set()

    async def check(self, request: pb.HealthCheckRequest, data: bytes) -> bytes:
        """Tell the status now."""
        if request.service not in self._services:
            raise StatusError(grpc.StatusCode.NOT_FOUND, "no service has this name")
        return _response(self._status(request.service))

    async def list(self, request: Message, data: bytes) -> bytes:
        """Tell the status of every service."""
        response = pb.HealthListResponse()  # type: ignore[attr-defined]  # stubs are older
        for service in self._services:
            response.statuses[service].status = self._status(service)
        listed: bytes = response.SerializeToString(deterministic=True)
        return listed

    async def watch(self, request: pb.HealthCheckRequest, data: bytes, send: Send) -> None:
        """Tell the status now and whenever it changes."""
        await send(_response(self._status(request.service)))
        await self._draining.wait()
        await send(_response(self._status(request.service)))

    def _status(self, service: str) -> int:
        if service not in self._services:
            return pb.HealthCheckResponse.SERVICE_UNKNOWN
        if self._draining.is_set():
            return pb.HealthCheckResponse.NOT_SERVING
        return pb.HealthCheckResponse.SERVING


def _response(status: int) -> bytes:
    return pb.HealthCheckResponse(status=status).SerializeToString()

"""The service that the runner calls, as its contract describes it, with handlers of gRPC."""

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any

import grpc
from google.protobuf import any_pb2
from google.protobuf.message import Message
from google.rpc import status_pb2

from tablestate_service.gateway.metadata import text_of

CODES = {code.value[0]: code for code in grpc.StatusCode}


class ConformanceService:
    """Does what its requests say."""

    def __init__(self, service_pb: Any) -> None:
        self._pb = service_pb

    async def unary(self, request: Any, context: Any) -> Any:
        definition = request.response_definition
        info = self._request_info(request, context)
        await self._begin(definition, context)
        await asyncio.sleep(definition.response_delay_ms / 1000)
        if definition.HasField("error"):
            await self._fail(definition.error, info, context)
        payload = self._pb.ConformancePayload(data=definition.response_data, request_info=info)
        return self._pb.UnaryResponse(payload=payload)

    async def server_stream(self, request: Any, context: Any) -> None:
        definition = request.response_definition
        info = self._request_info(request, context)
        await self._begin(definition, context)
        for number, data in enumerate(definition.response_data):
            await asyncio.sleep(definition.response_delay_ms / 1000)
            payload = self._pb.ConformancePayload(data=data)
            if number == 0:
                payload.request_info.CopyFrom(info)
            answer = self._pb.ServerStreamResponse(payload=payload)
            await context.write(answer.SerializeToString())
        if definition.HasField("error"):
            await self._fail(definition.error, None if definition.response_data else info, context)

    async def unimplemented(self, _: Any, context: Any) -> Any:
        await context.abort(grpc.StatusCode.UNIMPLEMENTED, "not implemented")

    def handlers(self) -> Sequence[grpc.GenericRpcHandler]:
        def unary(call: Any, name: str) -> Any:
            kind = getattr(self._pb, f"{name}Request")
            return grpc.unary_unary_rpc_method_handler(
                call, kind.FromString, type(kind()).SerializeToString
            )

        stream: Any = grpc.unary_stream_rpc_method_handler(
            self.server_stream, self._pb.ServerStreamRequest.FromString
        )
        table = {
            "Unary": unary(self.unary, "Unary"),
            "Unimplemented": unary(self.unimplemented, "Unimplemented"),
            "ServerStream": stream,
        }
        # The others need streams of requests, or are for GET: they are called by nobody.
        missing = {method.name for method in self.descriptor.methods} - table.keys()
        table |= {name: unary(self.unimplemented, "Unimplemented") for name in missing}
        return [grpc.method_handlers_generic_handler(self.descriptor.full_name, table)]

    @property
    def descriptor(self) -> Any:
        return self._pb.DESCRIPTOR.services_by_name["ConformanceService"]

    async def _begin(self, definition: Any, context: Any) -> None:
        context.set_trailing_metadata(metadata(definition.response_trailers))
        await context.send_initial_metadata(metadata(definition.response_headers))

    async def _fail(self, error: Any, info: Message | None, context: Any) -> None:
        """End with an error, which tells of the request unless an answer has done so."""
        code = CODES[error.code]
        status = status_pb2.Status(code=error.code, message=error.message, details=error.details)
        if info is not None:
            packed = any_pb2.Any()
            packed.Pack(info)
            status.details.append(packed)
        trailing = (("grpc-status-details-bin", status.SerializeToString()),)
        await context.abort(code, error.message, trailing)

    def _request_info(self, request: Message, context: Any) -> Any:
        info = self._pb.ConformancePayload.RequestInfo()
        given = [(key, text_of(value)) for key, value in context.invocation_metadata()]
        for name in dict.fromkeys(key for key, _ in given):
            values = [value for key, value in given if key == name]
            info.request_headers.add(name=name, value=values)
        left = context.time_remaining()
        if left is not None:
            info.timeout_ms = round(left * 1000)
        info.requests.add().Pack(request)
        return info


def metadata(headers: Iterable[Any]) -> list[tuple[str, str | bytes]]:
    return [(each.name.lower(), value) for each in headers for value in each.value]

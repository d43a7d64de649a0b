"""The methods that the gateway serves, found through descriptors."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import grpc
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from tablestate_service.gateway.context import CallContext


@dataclass(frozen=True, slots=True)
class Method:
    """A method, its messages, and the handler that gRPC calls for it."""

    path: str
    request: type[Message]
    response: type[Message]
    takes_stream: bool
    gives_stream: bool
    handler: Any

    async def call(self, request: Callable[[], Awaitable[bytes]], context: CallContext) -> None:
        """Call the handler, which sends its answers on the context.

        Handlers that take bytes are given what makes them: they let the caller in before that.
        """
        handler, read = self.handler, self.handler.request_deserializer
        given = request if read is None else read(await request())
        if self.gives_stream:
            await handler.unary_stream(given, context)
            return
        answer = await handler.unary_unary(given, context)
        write = handler.response_serializer
        await context.write(answer if write is None else write(answer))


def methods_of(
    services: Iterable[ServiceDescriptor], handlers: Sequence[grpc.GenericRpcHandler]
) -> Mapping[str, Method]:
    """The methods of services by their paths, as `/package.Service/Method`."""
    found = (_method(each, handlers) for service in services for each in service.methods)
    return {method.path: method for method in found}


def _method(method: MethodDescriptor, handlers: Sequence[grpc.GenericRpcHandler]) -> Method:
    path = f"/{method.containing_service.full_name}/{method.name}"
    details: Any = SimpleNamespace(method=path, invocation_metadata=())
    handler = next(found for each in handlers if (found := each.service(details)) is not None)
    return Method(
        path,
        GetMessageClass(method.input_type),
        GetMessageClass(method.output_type),
        method.client_streaming,
        method.server_streaming,
        handler,
    )

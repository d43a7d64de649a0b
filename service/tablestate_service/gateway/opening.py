"""Builds the gateway of a service, and lets it listen."""

from collections.abc import Sequence

import grpc
from google.protobuf.descriptor import ServiceDescriptor

from tablestate_service.gateway.methods import methods_of
from tablestate_service.gateway.origins import Origins
from tablestate_service.gateway.page import Page
from tablestate_service.gateway.server import Gateway
from tablestate_service.listening import ListenError
from tablestate_service.settings import Settings, address_of, split_address
from tablestate_service.tls import Certificates


async def open_gateway(
    settings: Settings,
    services: Sequence[ServiceDescriptor],
    handlers: Sequence[grpc.GenericRpcHandler],
) -> tuple[Gateway, str]:
    """A gateway that takes requests, and its URL; raises ListenError and SettingsError."""
    host, port = split_address("gateway", settings.gateway)
    origins = Origins(settings.origins, host)
    gateway = Gateway(methods_of(services, handlers), origins, Page(), settings.limits)
    context = Certificates(settings).context() if settings.tls_cert else None
    try:
        taken = await gateway.listen(host, port, context)
    except OSError as error:
        raise ListenError(
            f"cannot listen on {settings.gateway} for browsers: {error.strerror}; choose another "
            "address with --gateway or TABLESTATE_GATEWAY, or none"
        ) from None
    scheme = "https" if context else "http"
    return gateway, f"{scheme}://{address_of(host, taken)}/"

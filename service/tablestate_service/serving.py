"""What is served: the handlers of all services, for gRPC and for the gateway."""

import dataclasses
import platform
from collections.abc import Sequence

import grpc
from google.protobuf import descriptor_pool
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection, reflection_pb2

from tablestate.v1 import catalog_service_pb2, engine_service_pb2, match_service_pb2
from tablestate_service import __version__
from tablestate_service.listening import server_options
from tablestate_service.reflecting import reflected_pool
from tablestate_service.rpc.catalog_servicer import CatalogServicer
from tablestate_service.rpc.engine_servicer import EngineServicer
from tablestate_service.rpc.fairness_servicer import FairnessServicer
from tablestate_service.rpc.feed_servicer import FeedServicer
from tablestate_service.rpc.gate import FOR_ANYONE
from tablestate_service.rpc.handlers import handlers_of
from tablestate_service.rpc.health_servicer import HealthServicer
from tablestate_service.rpc.manners_servicer import MannersServicer
from tablestate_service.rpc.match_servicer import MatchServicer, World
from tablestate_service.rpc.seat_token_servicer import SeatTokenServicer
from tablestate_service.rpc.stream_servicer import StreamServicer
from tablestate_service.rpc.wrapper import Wrapper
from tablestate_service.settings import Settings
from tablestate_service.usecases.catalog import Capacity, ServerInfo, StoreKind

_CATALOG = catalog_service_pb2.DESCRIPTOR.services_by_name["CatalogService"]
_MATCHES = match_service_pb2.DESCRIPTOR.services_by_name["MatchService"]
_ENGINE = engine_service_pb2.DESCRIPTOR.services_by_name["EngineService"]
_HEALTH = descriptor_pool.Default().FindServiceByName(health_pb2.DESCRIPTOR.package + ".Health")

SERVICES = (_CATALOG, _MATCHES, _ENGINE)
"""Tablestate's own."""
ALL_SERVICES = (*SERVICES, _HEALTH)
_REFLECTED = (
    *(each.file for each in ALL_SERVICES),
    reflection_pb2.DESCRIPTOR,
    error_details_pb2.DESCRIPTOR,  # Which every refusal brings.
)


def handlers_of_all(
    settings: Settings,
    world: World,
    engine: EngineServicer,
    wrapper: Wrapper,
    health: HealthServicer,
) -> Sequence[grpc.GenericRpcHandler]:
    """Handlers of all methods."""
    feed = FeedServicer(world.store, world.feed, settings.feed_secret)
    catalog = CatalogServicer(world.engine, _server_info(settings, world.clock.now()))
    servicers = [
        MatchServicer(world),
        FairnessServicer(world),
        MannersServicer(world),
        StreamServicer(world),
        SeatTokenServicer(world),
        feed,
    ]
    return (
        handlers_of(_MATCHES, servicers, wrapper),
        handlers_of(_CATALOG, [catalog], wrapper),
        handlers_of(_ENGINE, [engine], wrapper),
        handlers_of(_HEALTH, [health], wrapper, rule=FOR_ANYONE, while_draining=True),
    )


def grpc_server(settings: Settings, handlers: Sequence[grpc.GenericRpcHandler]) -> grpc.aio.Server:
    """A server of these, which also tells about them if that is wanted."""
    server = grpc.aio.server(options=server_options(settings.limits))
    server.add_generic_rpc_handlers(handlers)
    if settings.reflection:
        names = [each.full_name for each in ALL_SERVICES]
        pool = reflected_pool(_REFLECTED)
        reflection.enable_server_reflection((*names, reflection.SERVICE_NAME), server, pool)
    return server


def _server_info(settings: Settings, start_time: int) -> ServerInfo:
    shown = (each.name for each in dataclasses.fields(Capacity))
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return ServerInfo(
        version=__version__,
        build=f"{platform.system().lower()}-{platform.machine()}, {python}",
        start_time=start_time,
        store=StoreKind.POSTGRESQL if settings.store else StoreKind.SQLITE,
        capacity=Capacity(**{name: getattr(settings.limits, name) for name in shown}),
        has_feed=bool(settings.feed_secret),
    )

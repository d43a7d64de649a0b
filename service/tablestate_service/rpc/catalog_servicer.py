"""CatalogService."""

from google.protobuf.duration_pb2 import Duration

from tablestate.v1 import catalog_service_pb2 as pb
from tablestate_service.ports import Engine
from tablestate_service.rpc.messages import timestamp
from tablestate_service.rpc.requests import Fields
from tablestate_service.rpc.wire import delimited, tag
from tablestate_service.usecases import catalog
from tablestate_service.usecases.catalog import Capacity, ServerInfo

_GAMES = tag(1)


class CatalogServicer:
    """One method per RPC: request and its bytes in, bytes of the response out."""

    def __init__(self, engine: Engine, info: ServerInfo) -> None:
        """Answer from what the engine plays, for this server."""
        self._engine = engine
        self._info = info

    async def get_server_info(self, request: pb.GetServerInfoRequest) -> bytes:
        """Tell which server this is."""
        info = self._info
        return pb.GetServerInfoResponse(
            version=info.version,
            games=await catalog.get_server_info(self._engine),
            build=info.build,
            start_time=timestamp(info.start_time),
            store=info.store.value,  # type: ignore[arg-type]
            limits=_limits(info.capacity),
            feed_available=info.has_feed,
        ).SerializeToString()

    async def list_games(self, request: pb.ListGamesRequest) -> bytes:
        """List the games."""
        options = None
        if request.HasField("options"):
            _check_options(request)
            options = request.options.SerializeToString()
        infos = await catalog.list_games(self._engine, request.game or None, options)
        return b"".join(delimited(_GAMES, info) for info in infos)


def _check_options(request: pb.ListGamesRequest) -> None:
    fields, game = Fields(), request.options.WhichOneof("game")
    if game is None:
        fields.wrong("options.game", "not set", "the options of one game")
    elif request.game not in ("", game):
        fields.wrong("game", request.game, f"{game}, as the options are")
    fields.check()


def _limits(capacity: Capacity) -> pb.ServerLimits:
    return pb.ServerLimits(
        max_request_bytes=capacity.max_request_bytes,
        max_watches=capacity.max_watches,
        max_concurrent_streams=capacity.max_concurrent_streams,
        slow_reader_time=_duration(capacity.slow_reader_seconds),
        max_simulations=capacity.max_simulations,
        max_slots=capacity.max_slots,
        max_engine_calls=capacity.engine_calls,
        max_engine_time=_duration(capacity.engine_seconds),
    )


def _duration(seconds: float) -> Duration:
    whole = int(seconds)
    return Duration(seconds=whole, nanos=round((seconds - whole) * 1_000_000_000))

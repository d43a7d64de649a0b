"""CatalogService."""

from tablestate.v1 import catalog_service_pb2 as pb
from tablestate_service.ports import Engine
from tablestate_service.rpc.wire import delimited, tag
from tablestate_service.usecases import catalog

_GAMES = tag(1)


class CatalogServicer:
    """One method per RPC: request and its bytes in, bytes of the response out."""

    def __init__(self, engine: Engine, version: str) -> None:
        """Answer from what the engine plays, for a service of this version."""
        self._engine = engine
        self._version = version

    async def get_server_info(self, request: pb.GetServerInfoRequest, data: bytes) -> bytes:
        """Tell which server this is."""
        games = await catalog.get_server_info(self._engine)
        return pb.GetServerInfoResponse(version=self._version, games=games).SerializeToString()

    async def list_games(self, request: pb.ListGamesRequest, data: bytes) -> bytes:
        """List the games."""
        infos = await catalog.list_games(self._engine, request.game or None)
        return b"".join(delimited(_GAMES, info) for info in infos)

"""The part of MatchService that lets people see that all was fair."""

from tablestate.v1 import match_service_pb2 as pb
from tablestate_service.rpc.match_servicer import World
from tablestate_service.rpc.requests import Fields
from tablestate_service.usecases.verifying import verify_replay


class FairnessServicer:
    """One method per RPC: request and its bytes in, bytes of the response out."""

    def __init__(self, world: World) -> None:
        """Work with these."""
        self._world = world

    async def verify_replay(self, request: pb.VerifyReplayRequest, data: bytes) -> bytes:
        """Check a stored log."""
        fields = Fields()
        match_id = fields.match_id(request.match_id)
        fields.check()
        world = self._world
        verdict = await verify_replay(world.store, world.engine, world.workers, match_id=match_id)
        flaw = verdict.flaw or 0
        return pb.VerifyReplayResponse(
            version=verdict.version,
            flaw=int(flaw),  # type: ignore[arg-type]
        ).SerializeToString()

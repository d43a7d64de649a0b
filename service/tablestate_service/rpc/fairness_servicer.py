"""The part of MatchService that lets people see that all was fair."""

from tablestate.v1 import match_service_pb2 as pb
from tablestate_service.rpc.callers import sees_all
from tablestate_service.rpc.match_servicer import World, new_match
from tablestate_service.rpc.messages import match_bytes, update_bytes
from tablestate_service.rpc.requests import Fields, mutating_request
from tablestate_service.rpc.wire import delimited, tag
from tablestate_service.usecases.forking import fork_match
from tablestate_service.usecases.playing import reveal_entropy
from tablestate_service.usecases.reading import last_seen
from tablestate_service.usecases.verifying import verify_replay

_FIRST = tag(1)


class FairnessServicer:
    """One method per RPC: request and its bytes in, bytes of the response out."""

    def __init__(self, world: World) -> None:
        """Work with these."""
        self._world = world

    async def fork_match(self, request: pb.ForkMatchRequest) -> bytes:
        """Create a match that begins with a position of another."""
        source, settings = request.source, request.match
        above, fields = Fields("source."), Fields("match.")
        match_id = above.match_id(source.match_id)
        above.at_least("version", source.version, 1)
        above.check()
        token = fields.token("host_token", settings.host_token)
        fields.request_id(settings.request_id)
        if settings.options.WhichOneof("game") is not None:
            fields.wrong("options", "", "nothing: the options are those of the source")
        wanted = new_match(fields, settings, self._world.time_defaults)
        fields.check()
        world = self._world
        forked = await fork_match(
            world.matches,
            world.engine,
            world.clock,
            world.entropy,
            mutating_request("ForkMatch", match_id, token, settings.request_id, request),
            wanted,
            match_id=match_id,
            version=source.version,
        )
        match = forked[-1].match
        return delimited(_FIRST, match_bytes(match.terms, match.standing, for_host=True))

    async def reveal_entropy(self, request: pb.RevealEntropyRequest) -> bytes:
        """Reveal what a seat has promised to add to the seed."""
        fields = Fields()
        token = fields.token("seat_token", request.seat_token)
        match_id = fields.match_id(request.match_id)
        fields.request_id(request.request_id)
        entropy = fields.token("entropy", request.entropy)
        fields.check()
        revealed = await reveal_entropy(
            self._world.matches,
            self._world.engine,
            mutating_request("RevealEntropy", match_id, token, request.request_id, request),
            match_id=match_id,
            seat_token=token,
            entropy=entropy,
        )
        seat = revealed[0].entry.draft.seat
        return delimited(_FIRST, update_bytes(revealed[0], seat))

    async def verify_replay(self, request: pb.VerifyReplayRequest) -> bytes:
        """Check a stored log."""
        fields = Fields()
        match_id = fields.match_id(request.match_id)
        seat_token = fields.optional_token("seat_token", request.seat_token)
        fields.check()
        world = self._world
        last = await last_seen(
            world.matches,
            world.store,
            match_id=match_id,
            seat_token=seat_token,
            sees_all=sees_all(),
        )
        verdict = await verify_replay(world.store, world.engine, world.workers, match_id=match_id)
        flaw = verdict.flaw or 0
        return pb.VerifyReplayResponse(
            version=verdict.version if last is None else min(verdict.version, last),
            flaw=int(flaw),  # type: ignore[arg-type]
            intact=not flaw,
        ).SerializeToString()

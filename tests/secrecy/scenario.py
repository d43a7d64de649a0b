"""Matches of all kinds through a service, and all that anybody is sent of them."""

import random
from collections.abc import Sequence
from pathlib import Path

from secrecy.needles import Needles
from secrecy.tape import LogTape, Tape, Taped
from support.browser import browser
from support.service import FixedClock, service
from tablestate.v1 import game_pb2, match_pb2, offtrack_pb2, play_pb2
from tablestate.v1 import match_service_pb2 as pb
from tablestate_service.adapters.core_engine import CoreEngine
from tablestate_service.app import Parts, open_store
from tablestate_service.domain import fairness
from tablestate_service.domain.hashing import token_hash
from tablestate_service.domain.match import fold

OPTIONS = game_pb2.GameOptions(offtrack=offtrack_pb2.OffTrackOptions(eras=3, rounds=1))

NAMES = ("at end", "never", "at end, with a bot")
"""Matches by when they are revealed and who plays."""

PLIES_BETWEEN_LOOKS = 12


class KnownEntropy:
    """Bytes as unpredictable as real ones look, and known to the test."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

    def token_bytes(self, size: int) -> bytes:
        return self._chance.randbytes(size)


class Scenario:
    """Plays matches and tapes everything; the secrets are then read from the store."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.needles = Needles()
        self.before_end: list[Taped] = []
        self.after_end: dict[str, list[Taped]] = {}
        self.logged: list[Taped] = []
        self._match_ids: list[str] = []

    async def run(self, directory: Path, names: Sequence[str] = NAMES) -> None:
        """Play matches to their end, and look at everything before and after."""
        parts = Parts(clock=FixedClock(), entropy=KnownEntropy(self.chance))
        with LogTape() as logs:
            async with (
                service(directory, parts, settings={"gateway": "127.0.0.1:0"}) as (running, client),
                browser(running.page) as opened,
            ):
                for name in names:
                    await self._whole_match(Tape(client.channel, opened), name)
        self.logged = [Taped("log", line) for line in logs.lines]
        await self._learn(directory)

    async def _whole_match(self, tape: Tape, name: str) -> None:
        table = Table(tape, self)
        await table.create(is_revealed="at end" in name)
        await table.fill(with_bot="bot" in name)
        await table.play()
        self._match_ids.append(table.match_id)
        self.before_end += table.tape.entries
        table.tape = Tape(tape.channel, tape.browser)
        await table.look_back()
        self.after_end[name] = table.tape.entries

    async def _learn(self, directory: Path) -> None:
        """What is stored and not for anybody's eyes."""
        store = await open_store(directory)
        rules = CoreEngine()
        for match_id in self._match_ids:
            log = await store.load(match_id)
            assert log is not None
            match = fold(rules, log.entries)
            self.needles.add("secret", match.terms.secret)
            self.needles.add("seed", match.seed())
            for entry in log.entries:
                self.needles.add("hash of an entry", entry.hash)
                if entry.stamp.request:
                    self.needles.add("key of a request", entry.stamp.request.key)
                    self.needles.add("hash of a request", entry.stamp.request.content_hash)
        await store.close()


class Table:
    """One match: who sits there, and what they call."""

    def __init__(self, tape: Tape, scenario: Scenario) -> None:
        self.tape = tape
        self.match_id = ""
        self._needles = scenario.needles
        self._chance = scenario.chance
        self.host = self._token("host token")
        self.seats = [self._token("seat token") for _ in range(2)]
        self._entropies = [self._token("entropy") for _ in range(2)]

    async def create(self, is_revealed: bool) -> None:
        reveal = match_pb2.REVEAL_POLICY_AT_END if is_revealed else match_pb2.REVEAL_POLICY_NEVER
        creating = pb.CreateMatchRequest(
            request_id=self._request_id(),
            host_token=self.host,
            options=OPTIONS,
            reveal_policy=reveal,
        )
        answer = await self.tape.call("CreateMatch", creating)
        assert answer is not None
        self.match_id = pb.CreateMatchResponse.FromString(answer).match.match_id
        creating.metadata["other"] = "bytes"
        await self.tape.call("CreateMatch", creating)

    async def fill(self, with_bot: bool) -> None:
        for seat, token in enumerate(self.seats):
            if seat and with_bot:
                adding = pb.AddBotRequest(
                    request_id=self._request_id(),
                    match_id=self.match_id,
                    host_token=self.host,
                    bot="greedy",
                )
                await self.tape.call("AddBot", adding)
                continue
            promise = fairness.entropy_hash(self.match_id, self._entropies[seat])
            self._needles.add("hash of an entropy", promise)
            joining = pb.JoinMatchRequest(
                request_id=self._request_id(),
                match_id=self.match_id,
                seat_token=token,
                entropy_hash=promise,
            )
            await self.tape.call("JoinMatch", joining)
            # The same seat once more, with another request.
            joining.request_id = self._request_id()
            await self.tape.call("JoinMatch", joining)
        await self._reveal()

    async def _reveal(self) -> None:
        """Reveal the entropies, wrong ones first, and look at everything in between."""
        for entropy, token in zip(self._entropies, self.seats, strict=True):
            for revealed in (entropy[::-1], entropy, entropy):
                revealing = pb.RevealEntropyRequest(
                    request_id=self._request_id(),
                    match_id=self.match_id,
                    seat_token=token,
                    entropy=revealed,
                )
                await self.tape.call("RevealEntropy", revealing)
            await self.look()

    async def play(self) -> None:
        """Play to the end; look at everything now and then."""
        plies = 0
        while actors := await self._actors():
            if await self._act(actors[0]):
                plies += 1
                if plies % PLIES_BETWEEN_LOOKS == 0:
                    await self.look()

    async def look(self) -> None:
        """Everything that can be read, with right tokens, none and wrong ones."""
        match_id = self.match_id
        for host in (b"", self.host, self.seats[0]):
            await self.tape.call("GetMatch", pb.GetMatchRequest(match_id=match_id, host_token=host))
        await self.tape.call("ListMatches", pb.ListMatchesRequest())
        await self.tape.call("VerifyReplay", pb.VerifyReplayRequest(match_id=match_id))
        for token in (b"", *self.seats, self.host, self.host + b"too long"):
            viewing = pb.GetViewRequest(
                match_id=match_id,
                seat_token=token,
                include_legal_actions=True,
                include_observation=True,
            )
            await self.tape.call("GetView", viewing)
            listing = pb.ListLegalActionsRequest(match_id=match_id, seat_token=token)
            await self.tape.call("ListLegalActions", listing)
            replaying = pb.GetReplayRequest(match_id=match_id, seat_token=token)
            await self.tape.stream("GetReplay", replaying)
            await self._submit(token, "no such action")
            await self._try_on_stream(token)

    async def look_back(self) -> None:
        """Everything that can be read of a match that has ended."""
        await self.look()
        for token in (b"", *self.seats, self.host):
            subscription = pb.WatchSubscription(
                match_id=self.match_id, seat_token=token, include_view=True
            )
            request = pb.WatchMatchesRequest(subscriptions=[subscription])
            await self.tape.stream("WatchMatches", request)

    async def _actors(self) -> list[int]:
        answer = await self.tape.call("GetMatch", pb.GetMatchRequest(match_id=self.match_id))
        assert answer is not None
        return list(pb.GetMatchResponse.FromString(answer).match.actors)

    async def _act(self, seat: int) -> bool:
        """Take an action for a player; false for a bot, which acts by itself."""
        listing = pb.ListLegalActionsRequest(match_id=self.match_id, seat_token=self.seats[seat])
        answer = await self.tape.call("ListLegalActions", listing)
        if answer is None:
            return False
        legal = pb.ListLegalActionsResponse.FromString(answer).legal_actions.actions
        await self._submit(self.seats[seat], self._chance.choice(legal).notation)
        return True

    async def _submit(self, token: bytes, notation: str) -> None:
        acting = pb.SubmitActionRequest(
            request_id=self._request_id(),
            match_id=self.match_id,
            seat_token=token,
            choice=game_pb2.ActionChoice(notation=notation),
            include_view=True,
        )
        await self.tape.call("SubmitAction", acting)

    async def _try_on_stream(self, token: bytes) -> None:
        """Begin to play, and take an action that is none; who sends an id gets it back."""
        beginning = play_pb2.PlayBegin(
            match_id=self.match_id, seat_token=token, include_view=True, include_legal_actions=True
        )
        trying = play_pb2.PlayAction(
            request_id="an-id-of-ones-own", choice=game_pb2.ActionChoice(notation="no such action")
        )
        requests = play_pb2.PlayRequest(begin=beginning), play_pb2.PlayRequest(action=trying)
        await self.tape.dialogue("Play", requests)

    def _token(self, name: str) -> bytes:
        token = self._chance.randbytes(32)
        self._needles.add(name, token)
        self._needles.add(f"hash of a {name}", token_hash(token))
        return token

    def _request_id(self) -> str:
        request_id = self._chance.randbytes(16).hex()
        self._needles.add("request id", request_id.encode())
        return request_id

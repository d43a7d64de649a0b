"""Write down what a release stores: `PYTHONPATH=tests python -m tools.stores NAME`.

Plays matches of every game on a service with a data directory and on one with PostgreSQL, and
puts into `tests/data/stores/NAME` both stores, the calls that were made on them last, and what was
answered. `tests/integration/test_upgrade.py` opens all stores with the present code. Run it at a
release, with the release's code; it never writes over what is there.
"""

import asyncio
import gzip
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from google.protobuf.message import Message

from support.service import HOST, Client, service, token
from tablestate.v1 import match_service_pb2 as pb
from tablestate.v1.game_pb2 import ActionChoice, GameOptions
from tablestate_service.adapters.core_engine import CoreEngine
from tablestate_service.adapters.sqlite_files import DATABASE_NAME
from tools.postgres import Postgres, program, running_postgres
from tools.sources import ROOT

FOLDER = ROOT / "tests/data/stores"
SQLITE, DUMP, CALLS = f"{DATABASE_NAME}.gz", "postgres.sql.gz", "calls.json.gz"
SERVICE = "/tablestate.v1.MatchService/"
MAX_SEATS = 5
SHORT, LONG = 9, 400
"""Plies of a match that goes on, and of one that is played to its end."""


class Call(NamedTuple):
    """A call and what was answered: one message, or several of a stream."""

    method: str
    request: bytes
    answers: tuple[bytes, ...]

    def save(self) -> dict[str, Any]:
        """The call as JSON."""
        answers = [each.hex() for each in self.answers]
        return {"method": self.method, "request": self.request.hex(), "answers": answers}

    @classmethod
    def load(cls, saved: dict[str, Any]) -> "Call":
        """The call of a JSON object."""
        answers = tuple(bytes.fromhex(each) for each in saved["answers"])
        return cls(saved["method"], bytes.fromhex(saved["request"]), answers)


class Scribe:
    """Makes calls by their bytes, and keeps those that must be answered alike for ever."""

    def __init__(self, client: Client) -> None:
        """Begin with none."""
        self.client = client
        self.calls: list[Call] = []
        self._count = 0

    async def call(self, method: str, request: Message, *, keep: bool = True) -> bytes:
        """Make a call that is answered once; the answer."""
        data = request.SerializeToString()
        answer: bytes = await self.client.raw(SERVICE + method)(data)
        if keep:
            self.calls.append(Call(method, data, (answer,)))
        return answer

    async def stream(self, method: str, request: Message) -> None:
        """Make a call that is answered by a stream."""
        data = request.SerializeToString()
        answers = [each async for each in self.client.raw(SERVICE + method, streaming=True)(data)]
        self.calls.append(Call(method, data, tuple(answers)))

    def request_id(self) -> str:
        """Another one."""
        self._count += 1
        return f"stored-request-{self._count:06d}"


async def create(scribe: Scribe, game: str, seats: int, bots: int = 0) -> str:
    """Create a match and fill its seats, bots last; its id."""
    options = GameOptions()
    content = getattr(options, game)
    content.SetInParent()
    if "seats" in content.DESCRIPTOR.fields_by_name:
        content.seats = seats
    request = pb.CreateMatchRequest(
        request_id=scribe.request_id(), host_token=HOST, options=options, metadata={"game": game}
    )
    answer = await scribe.call("CreateMatch", request)
    match_id = pb.CreateMatchResponse.FromString(answer).match.match_id
    for seat in range(seats - bots):
        await join(scribe, match_id, seat)
    for seat in range(seats - bots, seats):
        added = pb.AddBotRequest(host_token=HOST, bot="random", seat=seat, match_id=match_id)
        added.request_id = scribe.request_id()
        await scribe.call("AddBot", added)
    return match_id


async def join(scribe: Scribe, match_id: str, seat: int) -> None:
    """Take a seat."""
    request = pb.JoinMatchRequest(request_id=scribe.request_id(), match_id=match_id, seat=seat)
    request.seat_token, request.display_name = token(seat), f"Player {seat}"
    await scribe.call("JoinMatch", request)


async def play(scribe: Scribe, match_id: str, plies: int, players: int = MAX_SEATS) -> None:
    """Take some legal action for whoever must decide; calls of every eighth are kept.

    Seats from `players` on are a bot's.
    """
    for number in range(plies):
        actors = (await scribe.client.match(match_id)).actors
        if not actors:
            break
        if actors[0] >= players:
            await asyncio.sleep(0.01)
            continue
        legal = (await scribe.client.legal(match_id, actors[0])).legal_actions.actions
        choice = ActionChoice(notation=legal[number % len(legal)].notation)
        request = pb.SubmitActionRequest(match_id=match_id, choice=choice, include_view=True)
        request.request_id, request.seat_token = scribe.request_id(), token(actors[0])
        await scribe.call("SubmitAction", request, keep=number % 8 == 0)


async def resign(scribe: Scribe, match_id: str, seat: int) -> None:
    """Forfeit."""
    request = pb.ResignRequest(match_id=match_id, seat_token=token(seat))
    request.request_id = scribe.request_id()
    await scribe.call("Resign", request)


async def look(scribe: Scribe, match_id: str, seats: int) -> None:
    """Read a match as everybody may."""
    await scribe.call("GetMatch", pb.GetMatchRequest(match_id=match_id))
    has_started = bool((await scribe.client.match(match_id)).ply)
    for viewer in (*map(token, range(seats)), b""):
        if has_started:
            view = pb.GetViewRequest(match_id=match_id, seat_token=viewer, include_observation=True)
            view.include_legal_actions = True
            await scribe.call("GetView", view)
            replay = pb.GetReplayRequest(match_id=match_id, seat_token=viewer)
            await scribe.stream("GetReplay", replay)


async def write_matches(scribe: Scribe) -> None:
    """Matches in every phase; none changes by itself afterwards."""
    rows: list[tuple[str, int]] = []
    for game in CoreEngine().games():
        running = await create(scribe, game, 2)
        await play(scribe, running, SHORT)
        over = await create(scribe, game, 2)
        await play(scribe, over, SHORT)
        await resign(scribe, over, 1)
        rows += [(running, 2), (over, 2)]
    played = await create(scribe, "off_the_rails", 3)
    await play(scribe, played, LONG)
    left = await create(scribe, "offtrack", 3)
    await play(scribe, left, SHORT)
    await resign(scribe, left, 1)
    with_bot = await create(scribe, "eternitium", 2, bots=1)
    await play(scribe, with_bot, LONG, players=1)
    waiting = await create(scribe, "offboard", 1)
    for match_id, seats in (*rows, (played, 3), (left, 3), (with_bot, 1), (waiting, 1)):
        await look(scribe, match_id, seats)


async def run(directory: Path, store: str) -> list[Call]:
    """Write matches into a store; the calls."""
    async with service(directory, store=store) as (_, client):
        scribe = Scribe(client)
        await write_matches(scribe)
        return scribe.calls


def dump(server: Postgres, database: str) -> bytes:
    """A database as SQL."""
    dumper = program("pg_dump")
    assert dumper, "no pg_dump here"
    command = [dumper, "--no-owner", "--no-privileges", server.url(database)]
    return subprocess.run(command, check=True, capture_output=True).stdout


async def written() -> dict[str, bytes]:
    """The files of both stores and of the calls."""
    with tempfile.TemporaryDirectory() as directory, running_postgres() as server:
        database = server.create_database()
        calls = {
            "sqlite": await run(Path(directory), ""),
            "postgres": await run(Path(directory) / "none", server.url(database)),
        }
        saved = {store: [each.save() for each in made] for store, made in calls.items()}
        return {
            SQLITE: (Path(directory) / DATABASE_NAME).read_bytes(),
            DUMP: dump(server, database),
            CALLS: json.dumps(saved).encode(),
        }


def main(name: str) -> None:
    """Write a folder; raises FileExistsError if it is there."""
    folder = FOLDER / name
    folder.mkdir(parents=True)
    for file, data in asyncio.run(written()).items():
        (folder / file).write_bytes(gzip.compress(data, mtime=0))


if __name__ == "__main__":
    main(sys.argv[1])

"""Write match files for those who write a verifier, as `tests/data/matches/README.md` says.

`python -m tools.match_files [--write]`: without `--write` it fails if a file is out of step.
"""

import hashlib
import json
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from google.protobuf import json_format

from tablestate.v1.game_pb2 import GameOptions, LegalActions
from tablestate.verifier import draw
from tablestate_service import matchfile
from tablestate_service.app import core_engine
from tablestate_service.domain import decide, fairness
from tablestate_service.domain.deadlines import expire
from tablestate_service.domain.entry import (
    GENESIS_HASH,
    Draft,
    Entry,
    MatchChange,
    Request,
    Stamp,
    seal,
)
from tablestate_service.domain.hashing import token_hash
from tablestate_service.domain.match import Match, Transition, open_match
from tablestate_service.domain.terms import (
    AbsencePolicy,
    Fork,
    Policies,
    RevealPolicy,
    Seating,
    StartPolicy,
    Terms,
)
from tools.scenarios import DATA

FOLDER = DATA / "matches"
EXPECTED = "expected.json"
"""Which entry of each file is the first wrong one; null: none is."""

_BEGIN = 1_700_000_000_000_000_000
_SECOND = 1_000_000_000
_ENGINE = core_engine()


@dataclass(frozen=True)
class Plan:
    """A match that is played, its actions drawn at random, and cut short by resignations."""

    name: str
    options: dict[str, object]
    actions: int
    seats: int = 2
    fork: Fork | None = None
    revealing: tuple[int, ...] = ()
    """If any, every seat promises entropy, and these reveal theirs."""
    seating: Seating = Seating.CHOSEN

    @property
    def match_id(self) -> str:
        """An id that follows from the name."""
        return self.secret[:16].hex()

    @property
    def secret(self) -> bytes:
        """A secret that follows from the name."""
        return hashlib.sha256(self.name.encode()).digest()

    def entropy(self, seat: int) -> bytes:
        """What a seat promises, and maybe reveals; empty for nothing."""
        return _hash(f"entropy {seat}") if self.revealing else b""


PLANS = [
    Plan("offboard", {"offboard": {"points_to_win": 1}}, 8),
    Plan("offtrack", {"offtrack": {}}, 12),
    Plan("eternitium", {"eternitium": {}}, 8),
    Plan("off_the_rails", {"offTheRails": {}}, 12),
    Plan("entropies", {"offtrack": {"seats": 3}}, 8, seats=3, revealing=(2, 0)),
    Plan(
        "seating",
        {"offtrack": {"seats": 4}},
        8,
        seats=4,
        revealing=(0, 1, 3),
        seating=Seating.RANDOM,
    ),
]


class Play:
    """A match under way, with a clock that goes by seconds."""

    def __init__(self, terms: Terms) -> None:
        """Create it."""
        self.steps = [open_match(terms, self._stamp(0, "create"))]

    @property
    def match(self) -> Match:
        """The match as it stands."""
        return self.steps[-1].match

    @property
    def entries(self) -> list[Entry]:
        """Its log."""
        return [step.entry for step in self.steps]

    def do(self, name: str, decided: Callable[[Match, Stamp], tuple[Transition, ...]]) -> None:
        """Carry a request through."""
        number = len(self.steps)
        self.steps += decided(self.match, self._stamp(number, f"{name} {number}"))

    def _stamp(self, number: int, name: str) -> Stamp:
        request = Request(_hash(f"key {name}"), _hash(name))
        return Stamp(_BEGIN + number * _SECOND, request, number * _SECOND)


class Made(NamedTuple):
    """A file, its first wrong entry, and whether that is wrong by the rules of the game alone."""

    name: str
    content: bytes
    wrong: int | None = None
    is_by_rules: bool = False


def files() -> Iterator[Made]:
    """Every file."""
    played = {plan.name: _played(plan) for plan in PLANS}
    for name, play in played.items():
        yield Made(f"{name}.jsonl", _content(play.entries))
    yield Made("fork.jsonl", _content(_played(_fork(played["offtrack"])).entries))
    yield from _forged(played["offtrack"].entries)
    yield _unpromised(played["entropies"].entries)
    yield from _seated_otherwise(played["seating"].entries)


def texts() -> dict[str, str]:
    """The text of each file of the folder that is made here, by its name."""
    made = list(files())
    expected = {
        each.name: {"first_wrong_entry": each.wrong, "is_by_rules": each.is_by_rules}
        for each in made
    }
    text = json.dumps(expected, indent=2) + "\n"
    return {each.name: each.content.decode() for each in made} | {EXPECTED: text}


def _fork(source: Play) -> Plan:
    """A match that begins where another stood after eight entries."""
    match = source.steps[7].match
    state = decide.require_running(match)
    return Plan("fork", {"offtrack": {}}, 6, fork=Fork(match.terms.match_id, 8, state.dump()))


def _played(plan: Plan) -> Play:
    play = Play(_terms(plan))
    for seat in range(plan.seats):
        play.do("join", _join(plan, seat))
    for seat in plan.revealing:
        play.do("reveal", _reveal(plan, seat))
    if plan.revealing:
        late = Stamp(_BEGIN + 60 * _SECOND, None, 60 * _SECOND)
        play.steps += expire(play.match, late, _ENGINE)
    chance = random.Random(plan.name)
    for _ in range(plan.actions):
        play.do("submit", _submit(play.match, chance))
    for seat in range(plan.seats - 1):
        play.do("resign", partial(decide.resign, token_hash=_token(seat)))
    return play


def _terms(plan: Plan) -> Terms:
    options = json_format.ParseDict(plan.options, GameOptions()).SerializeToString()
    setup = _ENGINE.validate_options(options)
    absence = AbsencePolicy.FORFEIT
    return Terms(
        match_id=plan.match_id,
        game=setup.game,
        rules_version=setup.rules_version,
        seats=setup.seats,
        options=setup.options,
        policies=Policies(absence, absence, RevealPolicy.AT_END, StartPolicy.WHEN_FULL),
        metadata={"table": "ä7"},
        host_token_hash=_hash("host"),
        secret=plan.secret,
        commitment=fairness.commitment(plan.match_id, plan.secret),
        create_time=_BEGIN,
        fork=plan.fork,
        seating=plan.seating,
    )


def _join(plan: Plan, seat: int) -> Callable[[Match, Stamp], tuple[Transition, ...]]:
    return lambda match, stamp: decide.join(
        match,
        _ENGINE,
        stamp,
        token_hash=_token(seat),
        seat=seat if plan.seating is Seating.CHOSEN else None,
        display_name=f"Player {seat}",
        player_id=f"id-{seat}",
        entropy_hash=_promise(plan, seat),
    )


def _promise(plan: Plan, seat: int) -> bytes:
    entropy = plan.entropy(seat)
    return fairness.entropy_hash(plan.match_id, entropy) if entropy else b""


def _reveal(plan: Plan, seat: int) -> Callable[[Match, Stamp], tuple[Transition, ...]]:
    return lambda match, stamp: decide.reveal(
        match, _ENGINE, stamp, token_hash=_token(seat), entropy=plan.entropy(seat)
    )


def _submit(
    match: Match, chance: random.Random
) -> Callable[[Match, Stamp], tuple[Transition, ...]]:
    state = decide.require_running(match)
    token = match.standing.seats[match.standing.actors[0]].token_hash
    if token is None:
        raise ValueError("the seat to act has no player")
    legal = LegalActions.FromString(state.legal_actions()).actions
    choice = _ENGINE.choice(chance.choice(legal).notation)
    return lambda match, stamp: decide.submit(
        match,
        stamp,
        token_hash=token,
        choice=choice,
        expected_version=None,
    )


def _forged(entries: Sequence[Entry]) -> Iterator[Made]:
    """Files whose hashes are as they must be, and whose chance is not."""
    sizes = list(matchfile.record(_ENGINE, entries)[0].sizes or ())
    place = next(place for place in range(5, len(entries)) if entries[place].draft.draws)
    draft, size = entries[place].draft, sizes[place]
    other = replace(draft, draws=((draft.draws[0] + 1) % size[0], *draft.draws[1:]))
    content = _sealed(entries, sizes, place, other)
    yield Made("forged-draw.jsonl", content, place + 1)
    resized = [*sizes[:place], (_like(draft, place - 3, size[0]), *size[1:]), *sizes[place + 1 :]]
    content = _sealed(entries, resized, place, draft)
    yield Made("forged-size.jsonl", content, place + 1, is_by_rules=True)
    terms = json.loads(entries[0].draft.payload) | {"secret": "00" * 32}
    created = Draft(MatchChange.CREATED, payload=json.dumps(terms))
    yield Made("forged-secret.jsonl", _sealed(entries, sizes, 0, created), 1)
    illegal = replace(draft, notation="no action")
    content = _sealed(entries, sizes, place, illegal)
    yield Made("forged-action.jsonl", content, place + 1, is_by_rules=True)


def _unpromised(entries: Sequence[Entry]) -> Made:
    """A file in which a seat reveals another entropy than it promised."""
    sizes = list(matchfile.record(_ENGINE, entries)[0].sizes or ())
    changes = [entry.draft.change for entry in entries]
    place = changes.index(MatchChange.ENTROPY_REVEALED)
    payload = json.loads(entries[place].draft.payload) | {"entropy": "00" * 32}
    forged = replace(entries[place].draft, payload=json.dumps(payload, sort_keys=True))
    return Made("forged-entropy.jsonl", _sealed(entries, sizes, place, forged), place + 1)


def _seated_otherwise(entries: Sequence[Entry]) -> Iterator[Made]:
    """Files in which players sit otherwise than they were drawn."""
    sizes = list(matchfile.record(_ENGINE, entries)[0].sizes or ())
    place = [entry.draft.change for entry in entries].index(MatchChange.SEATED)
    draft = entries[place].draft
    draws = ((draft.draws[0] + 1) % sizes[place][0], *draft.draws[1:])
    other = replace(draft, draws=draws)
    yield Made("forged-seating.jsonl", _sealed(entries, sizes, place, other), place + 1)
    # Nobody was drawn for: the start comes too soon.
    unseated = [*sizes[:place], *sizes[place + 1 :]]
    left = [
        *entries[:place],
        *(replace(each, version=each.version - 1) for each in entries[place + 1 :]),
    ]
    content = _sealed(left, unseated, place, left[place].draft)
    yield Made("forged-unseated.jsonl", content, place + 1)


def _like(draft: Draft, stream: int, size: int) -> int:
    """Another size for which the seed gives the same first draw."""
    seed = fairness.seed(PLANS[1].match_id, PLANS[1].secret, [b""] * PLANS[1].seats)
    others = range(size + 1, size + 10_000)
    return next(each for each in others if draw(seed, stream, [each])[0] == draft.draws[0])


def _sealed(
    entries: Sequence[Entry], sizes: Sequence[tuple[int, ...]], place: int, draft: Draft
) -> bytes:
    """The file of a log with another draft in it, sealed anew as a forger would."""
    drafts = [entry.draft for entry in entries]
    drafts[place] = draft
    previous_hash, sealed = GENESIS_HASH, []
    for entry, content in zip(entries, drafts, strict=True):
        sealed.append(seal(entry.match_id, entry.version, previous_hash, content, entry.stamp))
        previous_hash = sealed[-1].hash
    return b"".join(matchfile.write(matchfile.MatchFile(sealed, sizes)))


def _content(entries: Sequence[Entry]) -> bytes:
    return b"".join(matchfile.write(matchfile.record(_ENGINE, entries)[0]))


def _token(seat: int) -> bytes:
    return token_hash(_hash(f"seat {seat}"))


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def main() -> int:
    """Compare the files, or write them."""
    made = texts()
    stale = [name for name, text in made.items() if _read(FOLDER / name) != text]
    print(f"{FOLDER.name}: {len(made)} files, {len(stale)} out of step", *stale)
    if "--write" not in sys.argv:
        return 1 if stale else 0
    for name in stale:
        (FOLDER / name).write_text(made[name], encoding="utf-8", newline="")
    return 0


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None


if __name__ == "__main__":
    sys.exit(main())

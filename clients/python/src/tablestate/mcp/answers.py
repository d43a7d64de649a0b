"""What a model is told, in text and as data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from google.protobuf.json_format import MessageToDict
from pydantic import BaseModel, Field

from tablestate import (
    GameInfo,
    ListLegalActionsResponse,
    Match,
    MatchPhase,
    Seat,
    SeatOccupant,
    TablestateError,
)
from tablestate.boards import board
from tablestate.mcp.matches import Look
from tablestate.text import (
    describe,
    describe_actions,
    describe_options,
    describe_outcome,
    describe_update,
)

_MOST_NEWS = 200
_OCCUPANTS = {
    SeatOccupant.SEAT_OCCUPANT_UNSPECIFIED: "open",
    SeatOccupant.SEAT_OCCUPANT_BOT: "bot",
    SeatOccupant.SEAT_OCCUPANT_ABSENT: "has left",
    SeatOccupant.SEAT_OCCUPANT_FORFEITED: "has forfeited",
}

_NEXT_STEPS = {
    "ILLEGAL_ACTION": "Nothing was done. Choose one of the legal actions.",
    "NOT_THE_ACTOR": "Call wait_for_turn.",
    "STALE_VERSION": "Nothing was done. Call view, and decide anew.",
    "MATCH_NOT_STARTED": "Seats are still open: call add_bot, or wait_for_turn.",
    "MATCH_NOT_FOUND": "Call list_matches for the matches there are.",
    "GAME_NOT_FOUND": "Call list_games for the games there are.",
    "UNAVAILABLE": "The service cannot be reached now. No match is lost: call again when it is "
    "back, and call view before you act, since an action may have been done.",
    "DEADLINE_EXCEEDED": "Whether it was done is not known: call view.",
}


class Position(BaseModel):
    """Where a match stands, for a seat or a spectator."""

    match_id: str
    game: str
    seat: int | None = Field(description="The seat that sees this; null for a spectator")
    version: int = Field(description="Number of entries in the match's log")
    phase: str = Field(description="waiting, running, over or aborted")
    to_act: list[int] = Field(description="The seats that must decide")
    your_turn: bool
    winners: list[int] | None = Field(description="Once the match is over; empty for a draw")
    text: str = Field(description="All of it in words")
    view: dict[str, Any] | None = Field(description="The view as data, if it was asked for")


class ListedAction(BaseModel):
    """A legal action."""

    index: int
    action: str = Field(description="The notation")
    kind: str


class ListedActions(BaseModel):
    """The legal actions of a seat."""

    version: int = Field(description="The version that they belong to")
    text: str
    actions: list[ListedAction]


def position(look: Look, with_data: bool = False) -> Position:
    """Tell where a match stands."""
    turn = look.turn
    has_data = with_data and turn.HasField("view")
    return Position(
        match_id=turn.match_id,
        game=look.match.game,
        seat=turn.seat if turn.HasField("seat") else None,
        version=turn.version,
        phase=_phase(turn.phase),
        to_act=list(turn.actors),
        your_turn=look.is_own_turn,
        winners=list(turn.outcome.winners) if turn.HasField("outcome") else None,
        text="\n\n".join(_parts(look)),
        view=MessageToDict(turn.view, preserving_proto_field_name=True) if has_data else None,
    )


def listed_actions(listed: ListLegalActionsResponse, game: str) -> ListedActions:
    """Tell the legal actions, in text and each by index, notation and kind."""
    drawn = board(game)
    return ListedActions(
        version=listed.version,
        text=describe_actions(listed.legal_actions),
        actions=[
            ListedAction(index=each.index, action=each.notation, kind=drawn.heading(each.action))
            for each in listed.legal_actions.actions
        ],
    )


def games(infos: Sequence[GameInfo]) -> str:
    """Tell the games with their seats, bots and options."""
    return "\n\n".join("\n".join(_game(info)) for info in infos)


def matches(listed: Sequence[Match], held: Sequence[Sequence[int]]) -> str:
    """Tell matches, a line each, with the seats held of each."""
    lines = [_listed(match, seats) for match, seats in zip(listed, held, strict=True)]
    return "\n".join(lines) or "No matches."


def failure(error: TablestateError, near: Sequence[str] = ()) -> str:
    """Tell what went wrong, and what to do next."""
    told = [str(error)]
    if near:
        told.append(f"Legal and near: {'  '.join(near)}")
    step = _NEXT_STEPS.get(error.reason or error.code.name)
    return "\n".join([*told, *filter(None, [step])])


def _parts(look: Look) -> Iterator[str]:
    match, turn = look.match, look.turn
    yield f"{_standing(look)}\n{_next_step(look)}"
    news = [words for update in look.news for words in _words(match, update)]
    if news:
        shown = news[-_MOST_NEWS:]
        yield "\n".join(["Since the last look:", *(f"- {words}" for words in shown)])
    if turn.HasField("view"):
        seat = turn.seat if turn.HasField("seat") else None
        yield describe(turn.view, match.options, seat)
    else:
        yield f"Options: {describe_options(match.options)}."
    if look.is_own_turn:
        yield describe_actions(turn.legal_actions)


def _words(match: Match, update: Any) -> list[str]:
    return describe_update(update, match.options, lambda seat: _seat(match, seat))


def _standing(look: Look) -> str:
    match, turn = look.match, look.turn
    seats = ", ".join(_seat(match, seat.seat) for seat in match.seats)
    phase = _phase(turn.phase)
    return f"Match {turn.match_id} of {match.game}, {phase}, version {turn.version}: {seats}."


def _next_step(look: Look) -> str:
    match, turn = look.match, look.turn
    if turn.HasField("outcome"):
        return describe_outcome(match.game, turn.outcome, lambda seat: _seat(match, seat))
    if turn.phase == MatchPhase.MATCH_PHASE_ABORTED:
        return "The match was aborted by its host."
    if turn.phase == MatchPhase.MATCH_PHASE_WAITING:
        return "The match starts when every seat is taken."
    if look.is_own_turn:
        return "It is your turn."
    return f"To act: {', '.join(_seat(match, seat) for seat in turn.actors)}."


def _seat(match: Match, number: int) -> str:
    """Name a seat and its player, as "seat 1 (yellow, bot greedy)"."""
    called = board(match.game).seat_name(number)
    named = [] if called == f"seat {number}" else [called]
    return f"seat {number} ({', '.join([*named, _player(match.seats[number])])})"


def _player(seat: Seat) -> str:
    if seat.occupant == SeatOccupant.SEAT_OCCUPANT_PLAYER:
        return seat.display_name or "a player"
    return " ".join(filter(None, [_OCCUPANTS[seat.occupant], seat.display_name]))


def _phase(phase: MatchPhase.ValueType) -> str:
    return MatchPhase.Name(phase).removeprefix("MATCH_PHASE_").lower()


def _game(info: GameInfo) -> Iterator[str]:
    seats = str(info.min_seats)
    if info.max_seats != info.min_seats:
        seats += f" to {info.max_seats}"
    yield f"{info.game}: {info.title}. {info.summary}"
    yield f"  seats: {seats}; bots: {', '.join(info.bots)}"
    for each in info.options:
        yield f"  option {each.name} = {each.default_value} ({each.values}): {each.meaning}"


def _listed(match: Match, held: Sequence[int]) -> str:
    seats = ", ".join(_seat(match, seat.seat) for seat in match.seats)
    mine = f"; you hold seat {' and '.join(map(str, held))}" if held else ""
    return f"{match.match_id} {match.game}, {_phase(match.phase)}: {seats}{mine}"

"""What a model can do with the matches of a service; knows nothing of MCP."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

from tablestate import (
    AsyncClient,
    AsyncHostedMatch,
    DeadlineExceededError,
    GameInfo,
    GetViewResponse,
    ListLegalActionsResponse,
    Match,
    MatchPhase,
    MatchUpdate,
    SeatCredential,
    Seating,
    TablestateError,
)
from tablestate._arguments import refusal
from tablestate.mcp.keys import Keys

ME = "me"
OPEN = "open"
"""Who may sit on a seat, besides bots."""
_BOT = "greedy"
_PATIENCE = 10.0
_ENDED = (MatchPhase.MATCH_PHASE_OVER, MatchPhase.MATCH_PHASE_ABORTED)


@dataclass(frozen=True)
class Look:
    """A match as one of its seats, or a spectator, sees it, and what has happened."""

    match: Match
    turn: GetViewResponse
    news: Sequence[MatchUpdate]
    """The entries since the last look, in order."""

    @property
    def is_own_turn(self) -> bool:
        """Whether the seat must decide."""
        return self.turn.HasField("seat") and self.turn.seat in self.turn.actors


@dataclass(frozen=True)
class Matches:
    """The matches of a service, with the keys that are held here."""

    client: AsyncClient
    keys: Keys
    _seen: dict[SeatCredential | str, int] = field(default_factory=dict)
    """The version that was last shown, by key, or by match id where a spectator looked."""
    _settled: set[str] = field(default_factory=set)
    """The matches in which no seats are to be drawn any more."""

    async def held(self, match_id: str, seat: int | None) -> int:
        """The seat of that number, or the only one that is held here, as seats are by now.

        Raises InvalidArgumentError if it is not held, or if `seat` is needed to say which.
        """
        await self._settle(match_id)
        return self.keys.seat(match_id, seat).seat

    async def _settle(self, match_id: str) -> None:
        """Learn which seats were drawn for the keys that are held here."""
        if match_id in self._settled or not self.keys.held(match_id):
            return
        match = await self.client.get_match(match_id)
        is_waiting = match.phase == MatchPhase.MATCH_PHASE_WAITING
        if is_waiting and match.seating == Seating.SEATING_RANDOM:
            return
        if match.seating == Seating.SEATING_RANDOM:
            for key in self.keys.held(match_id):
                player = self.client.player(key)
                await player.view()
                self.keys.add_seat(player.credential)
                self._seen[player.credential] = self._seen.pop(key, 0)
        self._settled.add(match_id)

    async def create(
        self,
        game: str,
        players: Sequence[str] | None,
        options: Mapping[str, Any],
        name: str,
    ) -> Look:
        """Create a match and fill its seats: "me", "open", or the name of a bot for each.

        Raises InvalidArgumentError if `players` are not as many as there are seats.
        """
        info = await self.client.game(game)
        options, players = _seated(info, dict(options), players)
        host = await self.client.create_match(game, options)
        try:
            self.keys.add_host(host.credential)
            await self._fill(host, players, name)
        except TablestateError:
            await host.abort()
            raise
        held = self.keys.seats(host.match_id)
        return await self.look(host.match_id, held[0] if held else None)

    async def _fill(self, host: AsyncHostedMatch, players: Sequence[str], name: str) -> None:
        for seat, player in enumerate(players):
            if player == ME:
                taken = await host.join(seat=seat, display_name=name)
                self.keys.add_seat(taken.credential)
            elif player != OPEN:
                await host.add_bot(player, seat=seat)

    async def join(self, match_id: str, seat: int | None, name: str) -> Look:
        """Take an open seat of a match, the lowest one if `seat` is None."""
        player = await self.client.join(match_id, seat=seat, display_name=name)
        self.keys.add_seat(player.credential)
        await self._settle(match_id)
        return await self.look(match_id, player.seat)

    async def add_bot(self, match_id: str, bot: str, seat: int | None) -> int:
        """Put a bot on an open seat of a match that was created here; returns the seat."""
        host = self.client.host(self.keys.host(match_id))
        return (await host.add_bot(bot, seat=seat)).seat

    async def look(self, match_id: str, seat: int | None, wait: float = 0.0) -> Look:
        """Return the match as a seat sees it: a seat held here, or None for a spectator.

        Waits up to `wait` seconds until the seat must decide or the match has ended.
        """
        key = None if seat is None else self.keys.seat(match_id, seat)
        known = self._seen.get(key or match_id, 0)
        match = await self.client.get_match(match_id)
        news: list[MatchUpdate] = []
        if wait and not _settles(match, seat):
            enough = _settled_from(match.version, seat)
            news = await self._entries(match_id, key, known, enough, wait)
            match = await self.client.get_match(match_id)
        last = news[-1].version if news else known
        if last < match.version:
            enough = _reaches(match.version)
            news += await self._entries(match_id, key, last, enough, _PATIENCE)
        turn = await self._view(match_id, key, match.version)
        self._seen[key or match_id] = turn.version
        await self._settle(match_id)
        return Look(match, turn, news)

    async def legal_actions(self, match_id: str, seat: int) -> ListLegalActionsResponse:
        """Return the legal actions of a seat held here."""
        return await self.client.player(self.keys.seat(match_id, seat)).legal_actions()

    async def act(
        self, match_id: str, seat: int, action: str | int, expected: int | None, wait: float
    ) -> Look:
        """Take an action, on the position that was last looked at unless `expected` says other.

        Raises StaleVersionError if the match has moved on; else see `SeatedPlayer.submit`.
        """
        player = self.client.player(self.keys.seat(match_id, seat))
        if expected is None:
            expected = self._seen.get(player.credential)
        await player.submit(action, expected_version=expected)
        return await self.look(match_id, seat, wait)

    async def resign(self, match_id: str, seat: int) -> Look:
        """Forfeit the match for a seat held here."""
        await self.client.player(self.keys.seat(match_id, seat)).resign()
        return await self.look(match_id, seat)

    async def _view(
        self, match_id: str, key: SeatCredential | None, version: int
    ) -> GetViewResponse:
        if key is None:
            return await self.client.view(match_id, version=version)
        player = self.client.player(key)
        return await player.view(version=version, include_legal_actions=True)

    async def _entries(
        self,
        match_id: str,
        key: SeatCredential | None,
        after: int,
        is_enough: Callable[[MatchUpdate], bool],
        wait: float,
    ) -> list[MatchUpdate]:
        """Return the entries after a version, up to the first that is enough or the time is up."""
        entries: list[MatchUpdate] = []
        watch = self.client.watch(key or match_id, after_version=after, timeout=wait)
        async with aclosing(watch) as updates:
            try:
                async for update in updates:
                    entries.append(update)
                    if is_enough(update):
                        break
            except DeadlineExceededError:
                pass
        return entries


def _settles(standing: Match | MatchUpdate, seat: int | None) -> bool:
    if isinstance(standing, MatchUpdate) and standing.HasField("your_seat"):
        seat = standing.your_seat  # Where seats are drawn, another than that of the key.
    return seat in standing.actors or standing.phase in _ENDED


def _settled_from(version: int, seat: int | None) -> Callable[[MatchUpdate], bool]:
    return lambda update: update.version >= version and _settles(update, seat)


def _reaches(version: int) -> Callable[[MatchUpdate], bool]:
    return lambda update: update.version >= version


def _seated(
    info: GameInfo, options: dict[str, Any], players: Sequence[str] | None
) -> tuple[dict[str, Any], Sequence[str]]:
    """Let the number of seats follow from the players, or the players from the seats."""
    seats: Any = options.get("seats")
    if not any(option.name == "seats" for option in info.options):
        seats = info.min_seats
    elif seats is None:
        seats = options["seats"] = info.min_seats if players is None else len(players)
    if players is None:
        is_possible = isinstance(seats, int) and info.min_seats <= seats <= info.max_seats
        return options, [ME, *[_BOT] * (seats - 1)] if is_possible else []
    if len(players) != seats:
        raise refusal("players", list(players), f"{seats} players, one for each seat")
    return options, players

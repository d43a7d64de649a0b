"""The tools of the MCP server; their docstrings are what a model reads of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import wraps
from itertools import count
from typing import Annotated, Any, Literal, ParamSpec, TypeVar

from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult, TextContent
from pydantic import BaseModel, Field

from tablestate import MatchPhase, TablestateError, text
from tablestate._content import unknown_game
from tablestate.mcp import answers
from tablestate.mcp.matches import Matches

LONGEST_WAIT = 120.0
"""Seconds; clients give a tool some minutes at most."""

P = ParamSpec("P")
T = TypeVar("T")

MatchId = Annotated[str, Field(description="The match's id: 32 hex digits")]
HeldSeat = Annotated[
    int | None,
    Field(description="The seat, from 0; may be left out if you hold one seat of the match"),
]
AnySeat = Annotated[
    int | None, Field(description="Which seat, from 0; left out: the lowest open one")
]
Wait = Annotated[
    float,
    Field(
        ge=0,
        le=LONGEST_WAIT,
        description="Seconds to wait at most until it is your turn or the match is over",
    ),
]
Name = Annotated[str, Field(description="The name that the others see for you")]
Game = Annotated[str, Field(description="The game's name, as offboard; see list_games")]
Phase = Literal["waiting", "running", "over", "aborted"]


def telling(tool: Callable[P, Awaitable[T]]) -> Callable[P, Awaitable[T]]:
    """Let a tool tell the errors of the service to the model."""

    @wraps(tool)
    async def told(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return await tool(*args, **kwargs)
        except TablestateError as error:
            raise ToolError(answers.failure(error)) from error

    return told


class Tools:
    """The tools, over the matches of a service."""

    def __init__(self, matches: Matches) -> None:
        """Play the matches given."""
        self._matches = matches

    def all(self) -> list[Callable[..., Awaitable[Any]]]:
        """Return every tool, in the order in which a model meets them."""
        tools: list[Callable[..., Awaitable[Any]]] = [
            self.list_games,
            self.rules_card,
            self.create_match,
            self.list_matches,
            self.join_match,
            self.add_bot,
            self.view,
            self.legal_actions,
            self.act,
            self.wait_for_turn,
            self.resign,
        ]
        return [telling(tool) for tool in tools]

    async def list_games(self) -> str:
        """List the games with their seats, bots, and options with defaults."""
        return answers.games(await self._matches.client.games())

    async def rules_card(self, game: Game) -> str:
        """Return a page on a game that suffices to play it well: aim, turn, how actions are
        written, scoring, what is hidden, options. Read it before your first move."""
        try:
            return text.rules_card(game)
        except KeyError:
            raise unknown_game(game) from None

    async def create_match(
        self,
        game: Game,
        players: Annotated[
            list[str] | None,
            Field(
                description="Who sits on each seat, from seat 0 on: 'me', the name of a bot of "
                "the game, or 'open' for somebody who joins later. Left out: you on seat 0 and "
                "the bot greedy on all others"
            ),
        ] = None,
        options: Annotated[
            dict[str, Any] | None,
            Field(description='Options of the game by name, as {"points_to_win": 3}'),
        ] = None,
        display_name: Name = "language model",
    ) -> Annotated[CallToolResult, answers.Position]:
        """Create a match and take seats in it. It starts by itself when every seat is taken.

        Returns the match's id, and the position as view does."""
        made = await self._matches.create(game, players, options or {}, display_name)
        return _result(answers.position(made))

    async def list_matches(
        self,
        game: Annotated[str, Field(description="Only of this game; empty: of all")] = "",
        phase: Annotated[Phase | None, Field(description="Only in this phase")] = None,
        limit: Annotated[int, Field(ge=1, le=100, description="How many at most")] = 20,
    ) -> str:
        """List the matches of the service, the newest first, with their players and the seats
        that you hold."""
        phases = [MatchPhase.Value(f"MATCH_PHASE_{phase.upper()}")] if phase else []
        found, numbers = [], count(1)
        async for match in self._matches.client.list_matches(
            game=game, phases=phases, page_size=limit
        ):
            found.append(match)
            if next(numbers) == limit:
                break
        keys = self._matches.keys
        return answers.matches(found, [keys.seats(match.match_id) for match in found])

    async def join_match(
        self, match_id: MatchId, seat: AnySeat = None, display_name: Name = "language model"
    ) -> Annotated[CallToolResult, answers.Position]:
        """Take an open seat of a match that waits for players. Returns the position as view."""
        joined = await self._matches.join(match_id, seat, display_name)
        return _result(answers.position(joined))

    async def add_bot(
        self,
        match_id: MatchId,
        bot: Annotated[str, Field(description="A bot of the game; see list_games")] = "greedy",
        seat: AnySeat = None,
    ) -> str:
        """Put a bot on an open seat of a match that you have created."""
        taken = await self._matches.add_bot(match_id, bot, seat)
        return f"The bot {bot} plays seat {taken}."

    async def view(
        self,
        match_id: MatchId,
        seat: HeldSeat = None,
        as_data: Annotated[bool, Field(description="Return the view as data as well")] = False,
    ) -> Annotated[CallToolResult, answers.Position]:
        """Show the position as your seat sees it: what has happened since the last look, the
        board, what you alone know, and in your turn the legal actions.

        If you hold no seat of the match you see what a spectator sees."""
        if seat is not None or self._matches.keys.seats(match_id):
            seat = await self._matches.held(match_id, seat)
        look = await self._matches.look(match_id, seat)
        return _result(answers.position(look, as_data))

    async def legal_actions(
        self, match_id: MatchId, seat: HeldSeat = None
    ) -> Annotated[CallToolResult, answers.ListedActions]:
        """List your legal actions by kind; as data with index and notation of each. None if it
        is not your turn."""
        seat = await self._matches.held(match_id, seat)
        match = await self._matches.client.get_match(match_id)
        legal = await self._matches.legal_actions(match_id, seat)
        return _result(answers.listed_actions(legal, match.game))

    async def act(
        self,
        match_id: MatchId,
        action: Annotated[
            str | int,
            Field(description="The action in notation, as it is listed, or its index"),
        ],
        seat: HeldSeat = None,
        expected_version: Annotated[
            int | None,
            Field(
                description="The version of the position that you decided on; left out: the last "
                "one that you were shown. If the match has moved on, nothing is done"
            ),
        ] = None,
        wait_seconds: Wait = 10.0,
    ) -> Annotated[CallToolResult, answers.Position]:
        """Take one of your legal actions. Then wait for your next turn, and return what has
        happened and the position as view does. A turn may take several actions."""
        seat = await self._matches.held(match_id, seat)
        try:
            look = await self._matches.act(match_id, seat, action, expected_version, wait_seconds)
        except TablestateError as error:
            near = await self._near(match_id, seat, action) if _is_choice(error) else []
            raise ToolError(answers.failure(error, near)) from error
        return _result(answers.position(look))

    async def wait_for_turn(
        self, match_id: MatchId, seat: HeldSeat = None, wait_seconds: Wait = 30.0
    ) -> Annotated[CallToolResult, answers.Position]:
        """Wait until it is your turn or the match is over, and return the position as view does.

        If the time is up before, the answer says who is to act: call it again."""
        seat = await self._matches.held(match_id, seat)
        return _result(answers.position(await self._matches.look(match_id, seat, wait_seconds)))

    async def resign(
        self, match_id: MatchId, seat: HeldSeat = None
    ) -> Annotated[CallToolResult, answers.Position]:
        """Give a match up: your seat cannot win it any more."""
        seat = await self._matches.held(match_id, seat)
        return _result(answers.position(await self._matches.resign(match_id, seat)))

    async def _near(self, match_id: str, seat: int, action: str | int) -> list[str]:
        listed = await self._matches.legal_actions(match_id, seat)
        return text.near_actions(str(action), listed.legal_actions)


def _is_choice(error: TablestateError) -> bool:
    """Whether an error speaks of the action chosen."""
    named = any(fault.field.startswith("choice") for fault in error.violations)
    return named or error.reason == "ILLEGAL_ACTION"


def _result(answer: answers.Position | answers.ListedActions) -> CallToolResult:
    """Return the text to be read, and all of it as data."""
    content: BaseModel = answer
    return CallToolResult(
        content=[TextContent(type="text", text=answer.text)],
        structured_content=content.model_dump(mode="json"),
    )

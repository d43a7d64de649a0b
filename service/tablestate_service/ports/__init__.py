"""What the use cases need of the world, as protocols. Adapters fulfil them."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, TypeVar

from tablestate_service.domain.access import Caller
from tablestate_service.domain.entry import Entry
from tablestate_service.domain.errors import DomainError
from tablestate_service.domain.game import Rules
from tablestate_service.domain.match import Match
from tablestate_service.domain.news import News
from tablestate_service.domain.standing import MatchPhase, Standing
from tablestate_service.domain.terms import Terms

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class GameSetup:
    """Validated options of a match, with every default filled in."""

    game: str
    seats: int
    rules_version: int
    options: bytes


class Engine(Rules, Protocol):
    """The games: the Rust core."""

    def games(self) -> Sequence[str]:
        """The names of the games, in alphabetical order."""

    def game_info(self, game: str) -> bytes:
        """The `GameInfo` of a game; refuses GAME_NOT_FOUND."""

    def game_info_for(self, options: bytes) -> bytes:
        """The `GameInfo` of the game of a `GameOptions`, with the layouts that they lead to;
        refuses INVALID_OPTIONS.
        """

    def bots(self, game: str) -> Sequence[str]:
        """The names of the bots that play a game."""

    def rules_version(self, game: str) -> int:
        """The version of a game's rules; refuses GAME_NOT_FOUND."""

    def validate_options(self, options: bytes) -> GameSetup:
        """Check a `GameOptions`; refuses INVALID_OPTIONS with every fault."""

    def choice(self, notation: str) -> bytes:
        """An `ActionChoice` by notation."""

    def refusal(self, error: BaseException) -> DomainError | None:
        """The refusal that an error of the core stands for; None if it is a fault."""


@dataclass(frozen=True, slots=True)
class Append:
    """Entries to be written together behind version `entries[0].version - 1`.

    `after` is the match after them, `news` what the feed tells of them.
    """

    entries: tuple[Entry, ...]
    after: Match
    news: tuple[News, ...] = ()


@dataclass(frozen=True, slots=True)
class Log:
    """A stored log or a part of it, with the head that the store keeps apart."""

    entries: Sequence[Entry]
    head_version: int
    head_hash: bytes


class Ended(NamedTuple):
    """A match that has ended. `number` rises with the order of creation."""

    number: int
    match_id: str


@dataclass(frozen=True, slots=True)
class StoredRequest:
    """The entry that answered a request."""

    match_id: str
    version: int
    content_hash: bytes


@dataclass(frozen=True, slots=True)
class Listed:
    """A match in a list. `number` rises with the order of creation."""

    number: int
    terms: Terms
    standing: Standing


@dataclass(frozen=True, slots=True)
class Scope:
    """Of whose matches a list is. `tenant` of None: of all.

    With a `player_id` only those on whose seats that player is, which wants a tenant. Matches that
    not everybody finds are in it if they `are_all_shown`.
    """

    tenant: str | None = None
    player_id: str | None = None
    are_all_shown: bool = False


EVERYBODYS = Scope()


@dataclass(frozen=True, slots=True)
class Hook:
    """A webhook: where the news of a tenant go, and the keys they are signed with."""

    name: str
    tenant: str
    url: str = field(repr=False)  # It may hold a password.
    keys: tuple[bytes, ...] = field(repr=False)


class Told(NamedTuple):
    """News in their place in the feed: `number` rises, and nothing is put before what was read."""

    number: int
    news: News


class VersionConflictError(Exception):
    """The log is not at the version that an append expects; nothing was written."""


class RequestTakenError(Exception):
    """The request key of an append is stored already; nothing was written."""


class Writing(asyncio.Future[None]):
    """Something that is being written, and that nobody can call back.

    A task that is cancelled while it awaits this goes on waiting, and is cancelled then.
    """

    def cancel(self, msg: object = None) -> bool:
        """Refuse."""
        return False


HOOK_SECONDS = 20.0
"""How long a webhook stays claimed, by the clock of the store."""

CLAIM_SECONDS = 5.0
"""How long a turn stays claimed, by the clock of the store."""


class MatchStore(Protocol):
    """The logs of all matches.

    Every method refuses STORAGE_UNAVAILABLE when the store does not answer, and those
    that read one match LOG_DAMAGED when it cannot be read.
    """

    def append(self, append: Append) -> Writing:
        """Write entries durably, all or none: the future is done when they are.

        It is a `Writing`: whoever awaits it and is cancelled hears of that when the entries
        are written. It raises VersionConflictError or RequestTakenError, and refuses
        STORAGE_FULL.
        """

    async def load(self, match_id: str, after: int = 0, limit: int | None = None) -> Log | None:
        """The log of a match behind a version, or None if there is no such match.

        With a `limit` it is at most that many entries.
        """

    async def find_request(self, key: bytes) -> StoredRequest | None:
        """The entry that answered a request, by its key."""

    async def list_matches(
        self,
        game: str | None,
        phases: Sequence[MatchPhase],
        before: int | None,
        limit: int,
        scope: Scope = EVERYBODYS,
    ) -> Sequence[Listed]:
        """Matches in some phases, the newest first, those with a number under `before`."""

    async def tenant_of(self, match_id: str) -> str | None:
        """The tenant that a match belongs to, or None if there is no such match.

        It takes as long for the one as for the other.
        """

    async def number_of(self, match_id: str, tenant: str | None) -> int | None:
        """The number of a match of a tenant, or with None of any; None if there is no such."""

    async def news(self, tenant: str, after: int, limit: int) -> Sequence[Told]:
        """News of a tenant's matches with numbers after one, by rising number.

        All readers on all nodes get the same in the same order. Of one match they come by rising
        version.
        """

    async def last_news(self) -> int:
        """The number of the last news of all tenants, be they removed by now; 0 if there were none.

        A higher one was given by a store of which this is an older backup.
        """

    async def claim_hook(self, name: str) -> int | None:
        """The number of the news that a webhook has delivered last, if this node may go on there.

        It may if no other has claimed the hook within the last HOOK_SECONDS; what is claimed again
        is kept for that long from then on. A new hook begins with the news that come now.
        """

    async def move_hook(self, name: str, number: int) -> bool:
        """Note durably what a webhook has delivered last; False if this node has it no more."""

    async def head_version(self, match_id: str, known: int) -> int:
        """The version of a match's last entry, at least that of all acknowledged before the call.

        `known` is what the caller knows; a store that only this process writes to gives it
        back. Of a match that is not there, others tell 0.
        """

    async def automatic_matches(self) -> Sequence[str]:
        """The ids of the running matches whose actor has no player, the oldest first.

        Those whose turn is claimed are left out.
        """

    async def claim_turn(self, match_id: str, version: int) -> bool:
        """Whether this node may act for a match's actor at a version.

        It may if no other has claimed that turn within the last CLAIM_SECONDS. What is claimed
        again is kept for that long from then on. While a later turn is claimed none before it
        is: a node may still be renewing one that it has played. A claim saves work and no more:
        of two nodes that act all the same, one gets VersionConflictError.
        """

    async def ended(self, before: int, after: int, limit: int) -> Sequence[Ended]:
        """Matches whose last entry, after which nothing can happen, is older than a time.

        By rising number, those with numbers after one. Times are in nanoseconds since 1970.
        """

    async def remove(self, match_ids: Sequence[str], before: int) -> Sequence[str]:
        """Remove matches with their logs, durably, and tell which: only those that have ended,
        and whose last entry is older than a time.
        """

    async def remove_news(self, before: int, limit: int) -> int:
        """Remove those of the oldest `limit` news that are older than a time; how many."""

    async def joined_matches(self, text: str) -> Sequence[str]:
        """The ids of matches in which a JOINED entry, or what is kept beside it, has a text."""

    async def forget(self, match: Match, versions: Sequence[int]) -> None:
        """Erase durably what is kept beside entries of a match that has ended.

        `match` is what the log then gives.
        """

    async def forget_in_news(self, tenant: str, player_id: str, but_for: Sequence[str]) -> None:
        """Erase a player's id from the news of all matches of a tenant but for some.

        With it goes what was erased before and may still be in the store's files, where the
        store can do that.
        """

    async def check(self) -> None:
        """Nothing, if the store can be read and written."""

    async def time(self) -> int:
        """The time by the clock that all nodes share, in nanoseconds, whole milliseconds.

        It goes on evenly, whatever happens to the time of day, and is for measuring alone: what
        zero means is the store's business.
        """

    async def deadlines(self, limit: int) -> Sequence[tuple[str, int]]:
        """The ids and deadlines of the matches that have the nearest, by rising deadline."""

    async def close(self) -> None:
        """Finish what was begun and let go of the store."""


class Subscription(Protocol):
    """News of some matches for one watcher."""

    async def changed(self) -> dict[str, int]:
        """Wait until there is news; the matches that have any, and the version each has reached.

        News that come while nobody waits are kept. Refuses SHUTTING_DOWN once the
        feed is closed.
        """

    def close(self) -> None:
        """End the subscription."""


class MatchFeed(Protocol):
    """Tells watchers that matches have moved on; they read for themselves what came."""

    def publish(self, match_id: str, version: int) -> None:
        """Wake all who watch a match, on any node: it has reached a version, which is stored."""

    def subscribe(self, match_ids: Sequence[str]) -> Subscription:
        """News of these matches from now on; refuses SHUTTING_DOWN, LIMIT_REACHED."""

    def subscribe_all(self) -> Subscription:
        """News of all matches; refuses SHUTTING_DOWN, LIMIT_REACHED. It tells not of which."""

    @property
    def subscriptions(self) -> int:
        """How many there are on this node."""

    def is_watched(self, match_id: str) -> bool:
        """Whether anybody watches a match on this node."""

    def close(self) -> None:
        """Wake and end all subscriptions."""


class Archive(Protocol):
    """Where the logs of matches are kept that the store is to hold no more."""

    async def keep(self, log: Log) -> None:
        """Keep a whole log durably, in the place of an earlier one of its match.

        Raises OSError.
        """


class Courier(Protocol):
    """Carries messages out of the service."""

    async def post(self, url: str, headers: Mapping[str, str], body: bytes) -> int | None:
        """Post a body by HTTP; the status of the answer, or None if there was none in time.

        It ends well within HOOK_SECONDS. Redirects are not followed.
        """


class Workers(Protocol):
    """Threads for work that would hold up the event loop."""

    async def run(self, work: Callable[[], T]) -> T:
        """Do it elsewhere and wait for it."""


class Pool(Workers, Protocol):
    """Workers of a known number."""

    @property
    def threads(self) -> int:
        """How many there are."""


class Keyring(Protocol):
    """The keys and tokens that open the service."""

    def caller(self, credential: str) -> Caller | None:
        """Whose a key or token is; None if it is nobody's, or no longer."""


class Clock(Protocol):
    """The time of day."""

    def now(self) -> int:
        """Nanoseconds since 1970, UTC."""


class Entropy(Protocol):
    """Unpredictable bytes."""

    def token_bytes(self, size: int) -> bytes:
        """That many of them."""

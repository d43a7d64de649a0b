"""Client for Tablestate, the game-state service for turn-based tabletop games.

    import tablestate

    with tablestate.Client("localhost:50051") as client:
        match = client.create_match("offboard")
        match.add_bot("greedy", seat=1)
        player = match.join(seat=0)

`AsyncClient` has the same methods as coroutines. Messages are those of
`tablestate.v1`; the ones met most often are here as well.
"""

from tablestate._aio.client import AsyncClient
from tablestate._aio.handles import AsyncHostedMatch, AsyncSeatedPlayer
from tablestate._aio.play import AsyncPlay
from tablestate._backoff import RetryPolicy
from tablestate._sync.client import Client
from tablestate._sync.handles import HostedMatch, SeatedPlayer
from tablestate._sync.play import Play
from tablestate.credentials import HostCredential, Intent, SeatCredential, new_invitation_code
from tablestate.errors import (
    BatchClosedError,
    ClientClosedError,
    ConflictError,
    DataLossError,
    DeadlineExceededError,
    IllegalActionError,
    InternalError,
    InvalidArgumentError,
    InvalidRequestError,
    MatchPhaseError,
    NotFoundError,
    NotTheActorError,
    PermissionDeniedError,
    PreconditionError,
    ResourceExhaustedError,
    RulesVersionUnsupportedError,
    SearchGoesOnError,
    SeatsOpenError,
    SeatTakenError,
    StaleVersionError,
    TablestateError,
    UnavailableError,
    VersionNotReachedError,
    Violation,
)
from tablestate.replays import Replay
from tablestate.timing import time_control
from tablestate.v1.feed_pb2 import FeedItem, FeedKind, WatchFeedResponse
from tablestate.v1.game_pb2 import (
    ActionChoice,
    GameAction,
    GameEvent,
    GameInfo,
    GameOptions,
    GameView,
    LegalAction,
    LegalActions,
    Outcome,
    OutcomeReason,
)
from tablestate.v1.match_pb2 import (
    AbsencePolicy,
    Match,
    MatchChange,
    MatchPhase,
    MatchUpdate,
    Proposal,
    ProposalKind,
    RevealPolicy,
    Seat,
    Seating,
    SeatOccupant,
    SpectatorPolicy,
    StartPolicy,
    TimeControl,
    TimeoutMode,
    Visibility,
)
from tablestate.v1.match_service_pb2 import (
    AddBotResponse,
    GetViewResponse,
    ListLegalActionsResponse,
    ReplayFlaw,
    VerifyReplayResponse,
    WatchSubscription,
)

__all__ = [
    "AbsencePolicy",
    "ActionChoice",
    "AddBotResponse",
    "AsyncClient",
    "AsyncHostedMatch",
    "AsyncPlay",
    "AsyncSeatedPlayer",
    "BatchClosedError",
    "Client",
    "ClientClosedError",
    "ConflictError",
    "DataLossError",
    "DeadlineExceededError",
    "FeedItem",
    "FeedKind",
    "GameAction",
    "GameEvent",
    "GameInfo",
    "GameOptions",
    "GameView",
    "GetViewResponse",
    "HostCredential",
    "HostedMatch",
    "IllegalActionError",
    "Intent",
    "InternalError",
    "InvalidArgumentError",
    "InvalidRequestError",
    "LegalAction",
    "LegalActions",
    "ListLegalActionsResponse",
    "Match",
    "MatchChange",
    "MatchPhase",
    "MatchPhaseError",
    "MatchUpdate",
    "NotFoundError",
    "NotTheActorError",
    "Outcome",
    "OutcomeReason",
    "PermissionDeniedError",
    "Play",
    "PreconditionError",
    "Proposal",
    "ProposalKind",
    "Replay",
    "ReplayFlaw",
    "ResourceExhaustedError",
    "RetryPolicy",
    "RevealPolicy",
    "RulesVersionUnsupportedError",
    "SearchGoesOnError",
    "Seat",
    "SeatCredential",
    "SeatOccupant",
    "SeatTakenError",
    "SeatedPlayer",
    "Seating",
    "SeatsOpenError",
    "SpectatorPolicy",
    "StaleVersionError",
    "StartPolicy",
    "TablestateError",
    "TimeControl",
    "TimeoutMode",
    "UnavailableError",
    "VerifyReplayResponse",
    "VersionNotReachedError",
    "Violation",
    "Visibility",
    "WatchFeedResponse",
    "WatchSubscription",
    "new_invitation_code",
    "time_control",
]

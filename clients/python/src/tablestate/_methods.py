"""The methods of the services, by their paths."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from google.protobuf.message import Message

from tablestate.v1 import catalog_service_pb2 as catalog
from tablestate.v1 import engine_service_pb2 as engine
from tablestate.v1 import evaluate_pb2 as evaluate
from tablestate.v1 import feed_pb2 as feed
from tablestate.v1 import match_service_pb2 as match
from tablestate.v1 import play_pb2 as play
from tablestate.v1 import search_pb2 as search
from tablestate.v1 import seat_token_pb2 as seat_token

Request = TypeVar("Request", bound=Message)
Response = TypeVar("Response", bound=Message)


@dataclass(frozen=True)
class Method(Generic[Request, Response]):
    """One RPC with the types of its messages."""

    path: str
    request: type[Request]
    response: type[Response]
    is_long: bool = False
    """Whether the server may work on it for long: to ask again would only begin anew."""


_CATALOG = "/tablestate.v1.CatalogService/"
_MATCH = "/tablestate.v1.MatchService/"
_ENGINE = "/tablestate.v1.EngineService/"

GET_SERVER_INFO = Method(
    _CATALOG + "GetServerInfo", catalog.GetServerInfoRequest, catalog.GetServerInfoResponse
)
LIST_GAMES = Method(_CATALOG + "ListGames", catalog.ListGamesRequest, catalog.ListGamesResponse)
CREATE_MATCH = Method(_MATCH + "CreateMatch", match.CreateMatchRequest, match.CreateMatchResponse)
FORK_MATCH = Method(_MATCH + "ForkMatch", match.ForkMatchRequest, match.ForkMatchResponse)
JOIN_MATCH = Method(_MATCH + "JoinMatch", match.JoinMatchRequest, match.JoinMatchResponse)
REVEAL_ENTROPY = Method(
    _MATCH + "RevealEntropy", match.RevealEntropyRequest, match.RevealEntropyResponse
)
LEAVE_SEAT = Method(_MATCH + "LeaveSeat", match.LeaveSeatRequest, match.LeaveSeatResponse)
ADD_BOT = Method(_MATCH + "AddBot", match.AddBotRequest, match.AddBotResponse)
START_MATCH = Method(_MATCH + "StartMatch", match.StartMatchRequest, match.StartMatchResponse)
GET_MATCH = Method(_MATCH + "GetMatch", match.GetMatchRequest, match.GetMatchResponse)
LIST_MATCHES = Method(_MATCH + "ListMatches", match.ListMatchesRequest, match.ListMatchesResponse)
GET_VIEW = Method(_MATCH + "GetView", match.GetViewRequest, match.GetViewResponse)
LIST_LEGAL_ACTIONS = Method(
    _MATCH + "ListLegalActions", match.ListLegalActionsRequest, match.ListLegalActionsResponse
)
SUBMIT_ACTION = Method(
    _MATCH + "SubmitAction", match.SubmitActionRequest, match.SubmitActionResponse
)
WATCH_MATCHES = Method(
    _MATCH + "WatchMatches", match.WatchMatchesRequest, match.WatchMatchesResponse
)
PLAY = Method(_MATCH + "Play", play.PlayRequest, play.PlayResponse)
REPLACE_SEAT_TOKEN = Method(
    _MATCH + "ReplaceSeatToken",
    seat_token.ReplaceSeatTokenRequest,
    seat_token.ReplaceSeatTokenResponse,
)
REVOKE_SEAT_TOKEN = Method(
    _MATCH + "RevokeSeatToken",
    seat_token.RevokeSeatTokenRequest,
    seat_token.RevokeSeatTokenResponse,
)
WATCH_FEED = Method(_MATCH + "WatchFeed", feed.WatchFeedRequest, feed.WatchFeedResponse)
RESIGN = Method(_MATCH + "Resign", match.ResignRequest, match.ResignResponse)
CLAIM_TIMEOUT = Method(
    _MATCH + "ClaimTimeout", match.ClaimTimeoutRequest, match.ClaimTimeoutResponse
)
PROPOSE = Method(_MATCH + "Propose", match.ProposeRequest, match.ProposeResponse)
RESPOND = Method(_MATCH + "Respond", match.RespondRequest, match.RespondResponse)
REMATCH = Method(_MATCH + "Rematch", match.RematchRequest, match.RematchResponse)
RESUME_MATCH = Method(_MATCH + "ResumeMatch", match.ResumeMatchRequest, match.ResumeMatchResponse)
ABORT_MATCH = Method(_MATCH + "AbortMatch", match.AbortMatchRequest, match.AbortMatchResponse)
GET_REPLAY = Method(_MATCH + "GetReplay", match.GetReplayRequest, match.GetReplayResponse)
VERIFY_REPLAY = Method(
    _MATCH + "VerifyReplay", match.VerifyReplayRequest, match.VerifyReplayResponse
)
SIMULATE = Method(_ENGINE + "Simulate", engine.SimulateRequest, engine.SimulateResponse)
PLAYOUT = Method(_ENGINE + "Playout", engine.PlayoutRequest, engine.PlayoutResponse, is_long=True)
PERFT = Method(_ENGINE + "Perft", engine.PerftRequest, engine.PerftResponse, is_long=True)
EVALUATE = Method(_ENGINE + "Evaluate", evaluate.EvaluateRequest, evaluate.EvaluateResponse)
SEARCH = Method(_ENGINE + "Search", search.SearchRequest, search.SearchResponse)

//! The methods of the services, each with its types.

use std::marker::PhantomData;

use crate::v1::*;

/// A method that takes a `Q` and gives an `R`, or a stream of them.
pub(crate) struct Method<Q, R> {
    path: &'static str,
    works: bool,
    types: PhantomData<fn(Q) -> R>,
}

impl<Q, R> Method<Q, R> {
    const fn new(path: &'static str) -> Self {
        Self { path, works: false, types: PhantomData }
    }

    const fn works(self) -> Self {
        Self { works: true, ..self }
    }

    /// Whether the server works for as long as it is let: to break off and begin anew helps nobody.
    pub(crate) fn takes_its_time(&self) -> bool {
        self.works
    }

    /// Where it is called.
    pub(crate) fn path(&self) -> &'static str {
        self.path
    }
}

impl<Q, R> Clone for Method<Q, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<Q, R> Copy for Method<Q, R> {}

macro_rules! methods {
    ($(
        $constant:ident: $service:ident/$name:ident($request:ident) -> $response:ident
        $(, $works:ident)?;
    )+) => {
        $(pub(crate) const $constant: Method<$request, $response> = Method::new(concat!(
            "/tablestate.v1.", stringify!($service), "/", stringify!($name)
        ))$(.$works())?;)+

        /// All of them: path, request and response.
        #[cfg(all(test, feature = "json"))]
        const ALL: &[[&str; 3]] = &[$([
            $constant.path,
            <$request as prost::Name>::NAME,
            <$response as prost::Name>::NAME,
        ]),+];
    };
}

methods! {
    GET_SERVER_INFO: CatalogService/GetServerInfo(GetServerInfoRequest) -> GetServerInfoResponse;
    LIST_GAMES: CatalogService/ListGames(ListGamesRequest) -> ListGamesResponse;
    CREATE_MATCH: MatchService/CreateMatch(CreateMatchRequest) -> CreateMatchResponse;
    FORK_MATCH: MatchService/ForkMatch(ForkMatchRequest) -> ForkMatchResponse;
    JOIN_MATCH: MatchService/JoinMatch(JoinMatchRequest) -> JoinMatchResponse;
    REVEAL_ENTROPY: MatchService/RevealEntropy(RevealEntropyRequest) -> RevealEntropyResponse;
    LEAVE_SEAT: MatchService/LeaveSeat(LeaveSeatRequest) -> LeaveSeatResponse;
    ADD_BOT: MatchService/AddBot(AddBotRequest) -> AddBotResponse;
    START_MATCH: MatchService/StartMatch(StartMatchRequest) -> StartMatchResponse;
    GET_MATCH: MatchService/GetMatch(GetMatchRequest) -> GetMatchResponse;
    LIST_MATCHES: MatchService/ListMatches(ListMatchesRequest) -> ListMatchesResponse;
    GET_VIEW: MatchService/GetView(GetViewRequest) -> GetViewResponse;
    LIST_LEGAL_ACTIONS:
        MatchService/ListLegalActions(ListLegalActionsRequest) -> ListLegalActionsResponse;
    SUBMIT_ACTION: MatchService/SubmitAction(SubmitActionRequest) -> SubmitActionResponse;
    WATCH_MATCHES: MatchService/WatchMatches(WatchMatchesRequest) -> WatchMatchesResponse;
    PLAY: MatchService/Play(PlayRequest) -> PlayResponse;
    WATCH_FEED: MatchService/WatchFeed(WatchFeedRequest) -> WatchFeedResponse;
    RESIGN: MatchService/Resign(ResignRequest) -> ResignResponse;
    CLAIM_TIMEOUT: MatchService/ClaimTimeout(ClaimTimeoutRequest) -> ClaimTimeoutResponse;
    PROPOSE: MatchService/Propose(ProposeRequest) -> ProposeResponse;
    RESPOND: MatchService/Respond(RespondRequest) -> RespondResponse;
    RESUME_MATCH: MatchService/ResumeMatch(ResumeMatchRequest) -> ResumeMatchResponse;
    REMATCH: MatchService/Rematch(RematchRequest) -> RematchResponse;
    ABORT_MATCH: MatchService/AbortMatch(AbortMatchRequest) -> AbortMatchResponse;
    REPLACE_SEAT_TOKEN:
        MatchService/ReplaceSeatToken(ReplaceSeatTokenRequest) -> ReplaceSeatTokenResponse;
    REVOKE_SEAT_TOKEN:
        MatchService/RevokeSeatToken(RevokeSeatTokenRequest) -> RevokeSeatTokenResponse;
    GET_REPLAY: MatchService/GetReplay(GetReplayRequest) -> GetReplayResponse;
    VERIFY_REPLAY: MatchService/VerifyReplay(VerifyReplayRequest) -> VerifyReplayResponse;
    SIMULATE: EngineService/Simulate(SimulateRequest) -> SimulateResponse;
    PLAYOUT: EngineService/Playout(PlayoutRequest) -> PlayoutResponse, works;
    PERFT: EngineService/Perft(PerftRequest) -> PerftResponse, works;
    SEARCH: EngineService/Search(SearchRequest) -> SearchResponse, works;
    EVALUATE: EngineService/Evaluate(EvaluateRequest) -> EvaluateResponse;
}

#[cfg(all(test, feature = "json"))]
mod tests {
    use std::collections::BTreeSet;

    #[test]
    fn they_are_all_that_the_contract_has() {
        let services: Vec<_> = crate::json::descriptors().services().collect();
        let methods = services.iter().flat_map(|service| service.methods().collect::<Vec<_>>());
        let contract = methods.map(|method| {
            let service = method.parent_service().full_name().to_owned();
            let path = format!("/{service}/{}", method.name());
            let (request, response) = (method.input(), method.output());
            [path, request.name().to_owned(), response.name().to_owned()]
        });
        let ours = super::ALL.iter().map(|method| method.map(str::to_owned));
        assert_eq!(ours.collect::<BTreeSet<_>>(), contract.collect::<BTreeSet<_>>());
    }
}

//! The client: the server, its games and its matches.

use async_stream::try_stream;

use crate::call::Call;
use crate::credentials::{HostCredential, SeatCredential};
use crate::cursor::Watched;
use crate::errors::Result;
use crate::host::{HostedMatch, join};
use crate::methods;
use crate::player::SeatedPlayer;
use crate::replay::Replay;
use crate::requests::Join;
use crate::settings::ClientBuilder;
use crate::streams::{Updates, Watch};
use crate::transport::{Calls, Transport, whole};
use crate::v1::*;

/// A connection to a Tablestate server. A clone uses the same one.
///
/// Every call has a `timeout`, and those that change something an `intent`; all fail with an
/// [`Error`](crate::Error).
#[derive(Clone, Debug)]
pub struct Client {
    pub(crate) calls: Calls,
}

impl Client {
    /// A client of the server at `target`, as `"127.0.0.1:50051"`, that connects with its first
    /// call. Call it within a Tokio runtime.
    pub fn connect(target: impl Into<String>) -> Result<Self> {
        Self::builder(target).build()
    }

    /// For a client with a key, headers, deadlines or encryption of one's own.
    pub fn builder(target: impl Into<String>) -> ClientBuilder {
        ClientBuilder::new(target)
    }

    pub(crate) fn new(calls: Calls) -> Self {
        Self { calls }
    }

    /// What carries the client's calls, for the plain gRPC clients in [`v1`](crate::v1).
    pub fn transport(&self) -> Transport {
        self.calls.transport()
    }

    /// The server's version, the names of its games and its limits.
    pub fn server_info(&self) -> Call<GetServerInfoRequest, GetServerInfoResponse> {
        self.calls.read(methods::GET_SERVER_INFO, GetServerInfoRequest {}, Ok)
    }

    /// The games with their options, bots and action index, by name.
    pub fn games(&self) -> Call<ListGamesRequest, Vec<GameInfo>> {
        let request = ListGamesRequest::default();
        self.calls.read(methods::LIST_GAMES, request, |answer| Ok(answer.games))
    }

    /// One game. Fails with `NotFound`.
    pub fn game(&self, game: impl Into<String>) -> Call<ListGamesRequest, GameInfo> {
        let request = ListGamesRequest { game: game.into(), ..Default::default() };
        self.calls
            .read(methods::LIST_GAMES, request, |answer| whole(answer.games.into_iter().next()))
    }

    /// Creates a match of a game, as of `OffboardOptions { .. }`. Fails with `InvalidRequest` for
    /// options that are not acceptable.
    pub fn create_match(
        &self,
        options: impl Into<GameOptions>,
    ) -> Call<CreateMatchRequest, HostedMatch> {
        let (calls, options) = (self.calls.clone(), Some(options.into()));
        let request = CreateMatchRequest { options, ..Default::default() };
        self.calls.mutate(methods::CREATE_MATCH, request, move |answer, (_, intent)| {
            hosted(&calls, answer.r#match, intent.token())
        })
    }

    /// Creates a match that begins where another stood at a version, with its game and options.
    /// Fails with `Precondition` (POSITION_HIDDEN) for a position that hides something, unless the
    /// source has ended and reveals its secret.
    pub fn fork_match(
        &self,
        match_id: impl Into<String>,
        version: u64,
    ) -> Call<ForkMatchRequest, HostedMatch> {
        let calls = self.calls.clone();
        let source = Some(MatchVersion { match_id: match_id.into(), version });
        let request = ForkMatchRequest { source, r#match: Some(Default::default()) };
        self.calls.mutate(methods::FORK_MATCH, request, move |answer, (_, intent)| {
            hosted(&calls, answer.r#match, intent.token())
        })
    }

    /// Goes on as the host of a match; no call is made.
    pub fn host(&self, credential: HostCredential) -> HostedMatch {
        HostedMatch::new(&self.calls, credential)
    }

    /// Takes a seat of a match, the lowest open one by default. Fails with `SeatTaken`.
    pub fn join(&self, match_id: &str) -> Call<Join, SeatedPlayer> {
        join(&self.calls, match_id)
    }

    /// Goes on as the player on a seat; no call is made.
    pub fn player(&self, credential: SeatCredential) -> SeatedPlayer {
        SeatedPlayer::new(&self.calls, credential)
    }

    /// A match as everybody sees it. Fails with `NotFound`.
    pub fn get_match(&self, match_id: impl Into<String>) -> Call<GetMatchRequest, Match> {
        let request = GetMatchRequest { match_id: match_id.into(), ..Default::default() };
        self.calls.read(methods::GET_MATCH, request, |answer| whole(answer.r#match))
    }

    /// Matches, the newest first.
    pub fn list_matches(&self) -> ListMatches {
        ListMatches { calls: self.calls.clone(), request: Default::default() }
    }

    /// What a spectator may see, now or at a version.
    pub fn view(&self, match_id: impl Into<String>) -> Call<GetViewRequest, GetViewResponse> {
        let request = GetViewRequest { match_id: match_id.into(), ..Default::default() };
        self.calls.read(methods::GET_VIEW, request, Ok)
    }

    /// Every entry of the matches once and in order: each a match by its id, as a spectator, or a
    /// credential, or a subscription. A broken stream is opened anew where it broke.
    pub fn watch<W: Into<Watched>>(&self, watched: impl IntoIterator<Item = W>) -> Watch {
        Watch::new(&self.calls, watched.into_iter().map(Into::into))
    }

    /// A whole match as a spectator may know it; with the full record if it has ended.
    pub async fn replay(&self, match_id: impl Into<String>) -> Result<Replay> {
        let request = GetReplayRequest { match_id: match_id.into(), ..Default::default() };
        Replay::read(&self.calls, request).await
    }

    /// Has the server check the stored log of a match, and tells how far it holds.
    pub fn verify_replay(
        &self,
        match_id: impl Into<String>,
    ) -> Call<VerifyReplayRequest, VerifyReplayResponse> {
        let request = VerifyReplayRequest { match_id: match_id.into(), ..Default::default() };
        self.calls.read(methods::VERIFY_REPLAY, request, Ok)
    }
}

fn hosted(calls: &Calls, created: Option<Match>, token: &[u8]) -> Result<HostedMatch> {
    let credential = HostCredential::new(whole(created)?.match_id, token);
    Ok(HostedMatch::new(calls, credential))
}

/// A list of matches that is about to be read.
#[derive(Debug)]
#[must_use = "a list is read as a stream"]
pub struct ListMatches {
    calls: Calls,
    request: ListMatchesRequest,
}

impl ListMatches {
    /// Only matches of this game.
    pub fn game(mut self, game: impl Into<String>) -> Self {
        self.request.game = game.into();
        self
    }

    /// Only matches in this phase, or in one of those that are named one after the other.
    pub fn phase(mut self, phase: MatchPhase) -> Self {
        self.request.phases.push(phase.into());
        self
    }

    /// Only matches in which this player, by the operator's id, has a seat.
    pub fn player_id(mut self, id: impl Into<String>) -> Self {
        self.request.player_id = id.into();
        self
    }

    /// How many are asked for at a time.
    pub fn page_size(mut self, size: u32) -> Self {
        self.request.page_size = size;
        self
    }

    /// The matches; further pages are asked for as needed.
    pub fn stream(self) -> Updates<Match> {
        let Self { calls, mut request } = self;
        Updates::new(try_stream! {
            loop {
                let page = calls.unary(methods::LIST_MATCHES, &request, None).await?;
                for listed in page.matches {
                    yield listed;
                }
                if page.next_page_token.is_empty() {
                    break;
                }
                request.page_token = page.next_page_token;
            }
        })
    }
}

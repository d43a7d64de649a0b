//! Requests that are sent once, and what may be added to each before it is sent.

use std::time::Duration;

use prost::Message;

use crate::call::Call;
use crate::credentials::Intent;
use crate::fairness::entropy_hash;
use crate::host::HostedMatch;
use crate::player::SeatedPlayer;
use crate::v1::*;

/// A request that changes something, and so carries the id of an intent.
pub trait Mutation: Send + 'static {
    /// What is sent.
    type Message: Message + Clone + 'static;

    /// The message with the id, and with the tokens that are made for it.
    fn carrying(self, intent: &Intent) -> Self::Message;
}

macro_rules! mutations {
    ($($request:ident { $($field:ident: $part:ident),+ })+) => {
        $(impl Mutation for $request {
            type Message = Self;

            fn carrying(self, intent: &Intent) -> Self {
                Self { $($field: intent.$part().into(),)+ ..self }
            }
        })+
    };
}

mutations! {
    CreateMatchRequest { request_id: request_id, host_token: token }
    JoinMatchRequest { request_id: request_id, seat_token: token }
    RevealEntropyRequest { request_id: request_id }
    LeaveSeatRequest { request_id: request_id }
    AddBotRequest { request_id: request_id }
    StartMatchRequest { request_id: request_id }
    SubmitActionRequest { request_id: request_id }
    ResignRequest { request_id: request_id }
    ClaimTimeoutRequest { request_id: request_id }
    ProposeRequest { request_id: request_id }
    RespondRequest { request_id: request_id }
    ResumeMatchRequest { request_id: request_id }
    // An intent's entropy serves as the second token: new, random, and the same for a retry.
    RematchRequest { request_id: request_id, new_seat_token: token, new_host_token: entropy }
    AbortMatchRequest { request_id: request_id }
    ReplaceSeatTokenRequest { request_id: request_id, new_seat_token: token }
    RevokeSeatTokenRequest { request_id: request_id }
}

impl Mutation for ForkMatchRequest {
    type Message = Self;

    fn carrying(self, intent: &Intent) -> Self {
        Self { r#match: self.r#match.map(|fork| fork.carrying(intent)), ..self }
    }
}

/// Who joins, and whether the seat adds to the chance of the match.
pub struct Join {
    pub(crate) message: JoinMatchRequest,
    pub(crate) promises: bool,
}

impl Mutation for Join {
    type Message = JoinMatchRequest;

    fn carrying(self, intent: &Intent) -> JoinMatchRequest {
        let mut message = self.message.carrying(intent);
        if self.promises {
            message.entropy_hash = entropy_hash(&message.match_id, intent.entropy());
        }
        message
    }
}

/// A request in which a host settles what a match is to be.
pub trait Settles: Mutation {
    /// Where it is settled.
    fn settings(&mut self) -> &mut CreateMatchRequest;
}

impl Settles for CreateMatchRequest {
    fn settings(&mut self) -> &mut CreateMatchRequest {
        self
    }
}

impl Settles for ForkMatchRequest {
    fn settings(&mut self) -> &mut CreateMatchRequest {
        self.r#match.get_or_insert_default()
    }
}

/// What a host settles of a match; what is left out takes the server's default.
impl<Q: Settles> Call<Q, HostedMatch> {
    /// What becomes of a seat whose player leaves.
    pub fn on_leave(self, policy: AbsencePolicy) -> Self {
        self.with(|request| request.settings().set_on_leave(policy))
    }

    /// What becomes of a seat whose time is up, in matches with a time control.
    pub fn on_timeout(self, policy: AbsencePolicy) -> Self {
        self.with(|request| request.settings().set_on_timeout(policy))
    }

    /// Whether the seed is published at the end.
    pub fn reveal_policy(self, policy: RevealPolicy) -> Self {
        self.with(|request| request.settings().set_reveal_policy(policy))
    }

    /// When the match starts.
    pub fn start_policy(self, policy: StartPolicy) -> Self {
        self.with(|request| request.settings().set_start_policy(policy))
    }

    /// Who sits where: with `Random` nobody chooses, and all seats are drawn at the start.
    pub fn seating(self, seating: Seating) -> Self {
        self.with(|request| request.settings().set_seating(seating))
    }

    /// An entry of the operator's own data.
    pub fn metadata(self, key: impl Into<String>, value: impl Into<String>) -> Self {
        let (key, value) = (key.into(), value.into());
        self.with(|request| drop(request.settings().metadata.insert(key, value)))
    }

    /// The operator's name for whom the match belongs to.
    pub fn tenant(self, tenant: impl Into<String>) -> Self {
        self.with(|request| request.settings().tenant = tenant.into())
    }

    /// How much time players have.
    pub fn time_control(self, control: TimeControl) -> Self {
        self.with(|request| request.settings().time_control = Some(control))
    }

    /// How long the match waits for its start before it is aborted.
    pub fn waiting_limit(self, limit: Duration) -> Self {
        self.with(|request| request.settings().waiting_limit = span(limit))
    }

    /// For how long entropies are awaited, when all seats are taken.
    pub fn entropy_limit(self, limit: Duration) -> Self {
        self.with(|request| request.settings().entropy_limit = span(limit))
    }

    /// Who finds the match and may join it.
    pub fn visibility(self, visibility: Visibility) -> Self {
        self.with(|request| request.settings().set_visibility(visibility))
    }

    /// For a match by invitation: made by [`new_invitation_code`](crate::new_invitation_code).
    pub fn invitation_code(self, code: impl Into<String>) -> Self {
        self.with(|request| request.settings().invitation_code = code.into())
    }

    /// Who may look on without a seat.
    pub fn spectator_policy(self, policy: SpectatorPolicy) -> Self {
        self.with(|request| request.settings().set_spectator_policy(policy))
    }

    /// How much later spectators see what happens.
    pub fn spectator_delay(self, delay: Duration) -> Self {
        self.with(|request| request.settings().spectator_delay = span(delay))
    }
}

/// Who joins, and where.
impl Call<Join, SeatedPlayer> {
    /// The seat to take; left out: the lowest open one. None can be named where seats are drawn.
    pub fn seat(self, seat: u32) -> Self {
        self.with(|join| join.message.seat = Some(seat))
    }

    /// A name to show.
    pub fn display_name(self, name: impl Into<String>) -> Self {
        self.with(|join| join.message.display_name = name.into())
    }

    /// The operator's id of the player.
    pub fn player_id(self, id: impl Into<String>) -> Self {
        self.with(|join| join.message.player_id = id.into())
    }

    /// For a match by invitation.
    pub fn invitation_code(self, code: impl Into<String>) -> Self {
        self.with(|join| join.message.invitation_code = code.into())
    }

    /// Adds random bytes of the seat's own to the chance of the match, so that not even the server
    /// can have chosen it. [`SeatedPlayer::watch`] reveals them when it is due.
    pub fn entropy(self) -> Self {
        self.with(|join| join.promises = true)
    }
}

/// Which bot sits where.
impl<A> Call<AddBotRequest, A> {
    /// The seat to take; left out: the lowest open one.
    pub fn seat(self, seat: u32) -> Self {
        self.with(|request| request.seat = Some(seat))
    }
}

/// Which match is shown.
impl<A> Call<GetMatchRequest, A> {
    /// The answer shows at least this version, or the call fails with `VersionNotReached`.
    pub fn min_version(self, version: u64) -> Self {
        self.with(|request| request.min_version = Some(version))
    }
}

/// Which view is wanted, and what comes with it.
impl<A> Call<GetViewRequest, A> {
    /// The view as it was at this version; left out: now.
    pub fn version(self, version: u64) -> Self {
        self.with(|request| request.version = Some(version))
    }

    /// The answer shows at least this version, or the call fails with `VersionNotReached`.
    pub fn min_version(self, version: u64) -> Self {
        self.with(|request| request.min_version = Some(version))
    }

    /// Has the viewer's legal actions told.
    pub fn include_legal_actions(self) -> Self {
        self.with(|request| request.include_legal_actions = true)
    }

    /// Has the observation told.
    pub fn include_observation(self) -> Self {
        self.with(|request| request.include_observation = true)
    }
}

/// Which legal actions are wanted.
impl<A> Call<ListLegalActionsRequest, A> {
    /// The answer is of at least this version, or the call fails with `VersionNotReached`.
    pub fn min_version(self, version: u64) -> Self {
        self.with(|request| request.min_version = Some(version))
    }
}

/// How an action is submitted.
impl<A> Call<SubmitActionRequest, A> {
    /// The version the decision was made on: if it is not the last, the call fails with
    /// `StaleVersion`.
    pub fn expected_version(self, version: u64) -> Self {
        self.with(|request| request.expected_version = Some(version))
    }

    /// Has the view after the action told.
    pub fn include_view(self) -> Self {
        self.with(|request| request.include_view = true)
    }

    /// Has the legal actions after the action told.
    pub fn include_legal_actions(self) -> Self {
        self.with(|request| request.include_legal_actions = true)
    }
}

/// What is proposed.
impl<A> Call<ProposeRequest, A> {
    /// For taking back: the version to go back to; left out: that before the seat's own last action.
    pub fn undo_to(self, version: u64) -> Self {
        self.with(|request| request.undo_to = Some(version))
    }
}

/// How games are played out.
impl<A> Call<PlayoutRequest, A> {
    /// The seed of all chance.
    pub fn seed(self, seed: u64) -> Self {
        self.with(|request| request.seed = seed)
    }

    /// The bot on every seat; left out: random.
    pub fn player(self, bot: impl Into<String>) -> Self {
        self.with(|request| request.player = bot.into())
    }

    /// Actions after which a game is left unfinished.
    pub fn max_plies(self, plies: u32) -> Self {
        self.with(|request| request.max_plies = plies)
    }

    /// Threads that share the games; left out: one.
    pub fn threads(self, threads: u32) -> Self {
        self.with(|request| request.threads = threads)
    }
}

/// What is counted.
impl<A> Call<PerftRequest, A> {
    /// Has the count told for each first action too.
    pub fn divide(self) -> Self {
        self.with(|request| request.divide = true)
    }
}

/// How much time players have, put together.
impl TimeControl {
    /// Time for each decision anew.
    #[must_use]
    pub fn with_turn_limit(self, limit: Duration) -> Self {
        Self { turn_limit: span(limit), ..self }
    }

    /// Time for each seat once, out of which comes what decisions take beyond the turn limit.
    #[must_use]
    pub fn with_bank(self, bank: Duration) -> Self {
        Self { bank: span(bank), ..self }
    }

    /// What each decision adds to its seat's bank.
    #[must_use]
    pub fn with_increment(self, increment: Duration) -> Self {
        Self { increment: span(increment), ..self }
    }

    /// How much later than shown a decision is still taken.
    #[must_use]
    pub fn with_grace(self, grace: Duration) -> Self {
        Self { grace: span(grace), ..self }
    }

    /// Has nobody out of time until another player claims it.
    #[must_use]
    pub fn by_claim(self) -> Self {
        Self { timeout_mode: TimeoutMode::ByClaim.into(), ..self }
    }
}

/// A span as the contract has it; the longest there is for one that is longer.
fn span(span: Duration) -> Option<prost_types::Duration> {
    const LONGEST: Duration = Duration::from_secs(10_000 * 366 * 24 * 3600);
    prost_types::Duration::try_from(span.min(LONGEST)).ok()
}

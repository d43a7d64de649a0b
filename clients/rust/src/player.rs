//! A seat of a match, in the hands of its player.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::call::Call;
use crate::credentials::SeatCredential;
use crate::entropy::{reveal, reveal_if_due};
use crate::errors::Result;
use crate::methods;
use crate::play::Play;
use crate::replay::Replay;
use crate::streams::Watch;
use crate::transport::{Calls, whole};
use crate::v1::*;

/// A player on a seat; made by `join` and by [`Client::player`](crate::Client::player). A clone is
/// the same player.
#[derive(Clone, Debug)]
pub struct SeatedPlayer {
    calls: Calls,
    key: Arc<SeatCredential>,
    seat: Arc<AtomicU32>,
}

/// A request of a seat, with its match and its token.
macro_rules! of_seat {
    ($self:ident, $request:ident $(, $field:ident: $value:expr)*) => {
        $request {
            match_id: $self.match_id().into(),
            seat_token: $self.key.token().into(),
            $($field: $value,)*
            ..Default::default()
        }
    };
}

impl SeatedPlayer {
    pub(crate) fn new(calls: &Calls, credential: SeatCredential) -> Self {
        let seat = Arc::new(AtomicU32::new(credential.seat()));
        Self { calls: calls.clone(), key: Arc::new(credential), seat }
    }

    /// The key to the seat, to be kept over a restart, and from others.
    pub fn credential(&self) -> SeatCredential {
        self.key.at(self.seat())
    }

    /// The match's id.
    pub fn match_id(&self) -> &str {
        self.key.match_id()
    }

    /// The place at the table, from 0, as far as this handle knows. Where seats are drawn it is
    /// another one from the start on: views, watches, plays and answers to actions tell it.
    pub fn seat(&self) -> u32 {
        self.seat.load(Ordering::Relaxed)
    }

    /// The match as it is now, also where spectators see it later or not at all.
    pub fn get(&self) -> Call<GetMatchRequest, Match> {
        let request = of_seat!(self, GetMatchRequest);
        let call = self.calls.read(methods::GET_MATCH, request, |answer| whole(answer.r#match));
        call.checked(self.key.check())
    }

    /// What the seat may see, now or at a version.
    pub fn view(&self) -> Call<GetViewRequest, GetViewResponse> {
        let (player, request) = (self.clone(), of_seat!(self, GetViewRequest));
        let call = self.calls.read(methods::GET_VIEW, request, move |answer| {
            player.sit(answer.seat);
            Ok(answer)
        });
        call.checked(self.key.check())
    }

    /// The seat's legal actions (none when another must decide) and their version.
    pub fn legal_actions(&self) -> Call<ListLegalActionsRequest, ListLegalActionsResponse> {
        self.calls.read(methods::LIST_LEGAL_ACTIONS, of_seat!(self, ListLegalActionsRequest), Ok)
    }

    /// Takes an action, by its notation, index or message. When this returns, the action is stored.
    /// Fails with `IllegalAction`, `NotTheActor`, `MatchPhase` or `StaleVersion`.
    pub fn submit(
        &self,
        action: impl Into<ActionChoice>,
    ) -> Call<SubmitActionRequest, MatchUpdate> {
        let request = of_seat!(self, SubmitActionRequest, choice: Some(action.into()));
        let player = self.clone();
        self.calls.mutate(methods::SUBMIT_ACTION, request, move |answer, _| {
            let update = whole(answer.update)?;
            player.sit(update.your_seat);
            Ok(update)
        })
    }

    /// Forfeits.
    pub fn resign(&self) -> Call<ResignRequest, MatchUpdate> {
        let request = of_seat!(self, ResignRequest);
        self.calls.mutate(methods::RESIGN, request, |answer, _| whole(answer.update))
    }

    /// Gives the seat up; after the start the match's `on_leave` says what becomes of it.
    pub fn leave(&self) -> Call<LeaveSeatRequest, MatchUpdate> {
        let request = of_seat!(self, LeaveSeatRequest);
        self.calls.mutate(methods::LEAVE_SEAT, request, |answer, _| whole(answer.update))
    }

    /// Plays the match, which has ended, again; gives one's seat there. Terms are the same and seats
    /// are moved on by one. It starts when all players have called this.
    pub fn rematch(&self) -> Call<RematchRequest, SeatedPlayer> {
        let (calls, request) = (self.calls.clone(), of_seat!(self, RematchRequest));
        self.calls.mutate(methods::REMATCH, request, move |answer, (_, intent)| {
            let match_id = whole(answer.r#match)?.match_id;
            let credential = SeatCredential::new(match_id, answer.seat, intent.token());
            Ok(Self::new(&calls, credential))
        })
    }

    /// Says that the seat which must decide is out of time; for matches where players claim it.
    pub fn claim_timeout(&self) -> Call<ClaimTimeoutRequest, MatchUpdate> {
        let request = of_seat!(self, ClaimTimeoutRequest);
        self.calls.mutate(methods::CLAIM_TIMEOUT, request, |answer, _| whole(answer.update))
    }

    /// Proposes a draw, taking actions back, or a pause; gives the entry, whose version counts.
    pub fn propose(&self, kind: ProposalKind) -> Call<ProposeRequest, MatchUpdate> {
        let request = of_seat!(self, ProposeRequest, kind: kind.into());
        self.calls.mutate(methods::PROPOSE, request, |answer, _| whole(answer.update))
    }

    /// Accepts or declines what was proposed, or withdraws what one has proposed oneself.
    pub fn respond(
        &self,
        proposal_version: u64,
        accept: bool,
    ) -> Call<RespondRequest, MatchUpdate> {
        let version = proposal_version;
        let request = of_seat!(self, RespondRequest, proposal_version: version, accept: accept);
        self.calls.mutate(methods::RESPOND, request, |answer, _| whole(answer.update))
    }

    /// Ends a pause.
    pub fn resume(&self) -> Call<ResumeMatchRequest, MatchUpdate> {
        let request = of_seat!(self, ResumeMatchRequest);
        self.calls.mutate(methods::RESUME_MATCH, request, |answer, _| whole(answer.update))
    }

    /// Reveals what the seat has promised to add to the chance of the match, if it is due. Watches
    /// and plays do it by themselves; else call it when an update, or the match, names the seat in
    /// `entropy_awaited`.
    pub async fn reveal_entropy(&self) -> Result<()> {
        reveal(&self.calls, &self.credential()).await
    }

    /// Every entry once and in order, as the seat may know it. A broken stream is opened anew where
    /// it broke.
    pub fn watch(&self) -> Watch {
        Watch::new(&self.calls, [(&*self.key).into()]).seated(self.clone())
    }

    /// Plays over one stream, on which turns come in and actions go out.
    pub fn play(&self) -> Play {
        Play::new(&self.calls, self.clone())
    }

    /// The whole match so far, as the seat may know it.
    pub async fn replay(&self) -> Result<Replay> {
        let (match_id, seat_token) = (self.match_id().into(), self.key.token().into());
        self.key.check()?;
        Replay::read(&self.calls, GetReplayRequest { match_id, seat_token }).await
    }

    /// Checks the stored log of the match, and tells how far it holds, also where spectators see it
    /// later or not at all.
    pub fn verify_replay(&self) -> Call<VerifyReplayRequest, VerifyReplayResponse> {
        let (match_id, seat_token) = (self.match_id().into(), self.key.token().into());
        let request = VerifyReplayRequest { match_id, seat_token };
        self.calls.read(methods::VERIFY_REPLAY, request, Ok).checked(self.key.check())
    }

    /// Takes note of what an update says to this player: the seat that was drawn for it, and that
    /// the entropy it has promised is awaited.
    pub(crate) async fn notice(&self, update: &MatchUpdate) -> Result<()> {
        self.sit(update.your_seat);
        reveal_if_due(&self.calls, &self.credential(), update).await
    }

    fn sit(&self, seat: Option<u32>) {
        if let Some(seat) = seat {
            self.seat.store(seat, Ordering::Relaxed);
        }
    }
}

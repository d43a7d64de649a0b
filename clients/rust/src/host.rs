//! A match, in the hands of whoever created it.

use crate::call::Call;
use crate::credentials::{HostCredential, SeatCredential};
use crate::methods;
use crate::player::SeatedPlayer;
use crate::requests::Join;
use crate::streams::Watch;
use crate::transport::{Calls, whole};
use crate::v1::*;

/// A match and the key to it; made by [`Client::create_match`](crate::Client::create_match),
/// [`Client::fork_match`](crate::Client::fork_match) and [`Client::host`](crate::Client::host).
#[derive(Clone, Debug)]
pub struct HostedMatch {
    calls: Calls,
    credential: HostCredential,
}

/// A request of a host, with its match and its token.
macro_rules! of_host {
    ($self:ident, $request:ident $(, $field:ident: $value:expr)*) => {
        $request {
            match_id: $self.match_id().into(),
            host_token: $self.credential.token().into(),
            $($field: $value,)*
            ..Default::default()
        }
    };
}

impl HostedMatch {
    pub(crate) fn new(calls: &Calls, credential: HostCredential) -> Self {
        Self { calls: calls.clone(), credential }
    }

    /// The key to the match, to be kept over a restart, and from others.
    pub fn credential(&self) -> &HostCredential {
        &self.credential
    }

    /// The match's id, to be given to players.
    pub fn match_id(&self) -> &str {
        self.credential.match_id()
    }

    /// The match as its host sees it: with metadata and player ids.
    pub fn get(&self) -> Call<GetMatchRequest, Match> {
        let request = of_host!(self, GetMatchRequest);
        let call = self.calls.read(methods::GET_MATCH, request, |answer| whole(answer.r#match));
        call.checked(self.credential.check())
    }

    /// Takes a seat oneself. Fails with `SeatTaken`.
    pub fn join(&self) -> Call<Join, SeatedPlayer> {
        join(&self.calls, self.match_id())
    }

    /// Puts a bot (one of `GameInfo.bots`) on a seat, the lowest open one by default.
    pub fn add_bot(&self, bot: impl Into<String>) -> Call<AddBotRequest, AddBotResponse> {
        let request = of_host!(self, AddBotRequest, bot: bot.into());
        self.calls.mutate(methods::ADD_BOT, request, |answer, _| Ok(answer))
    }

    /// Starts a match that was created to be started by its host. Fails with `SeatsOpen`.
    pub fn start(&self) -> Call<StartMatchRequest, MatchUpdate> {
        let request = of_host!(self, StartMatchRequest);
        self.calls.mutate(methods::START_MATCH, request, |answer, _| whole(answer.update))
    }

    /// Ends the match without an outcome.
    pub fn abort(&self) -> Call<AbortMatchRequest, MatchUpdate> {
        let request = of_host!(self, AbortMatchRequest);
        self.calls.mutate(methods::ABORT_MATCH, request, |answer, _| whole(answer.update))
    }

    /// Every entry once and in order, as a spectator.
    pub fn watch(&self) -> Watch {
        Watch::new(&self.calls, [self.match_id().into()])
    }
}

/// Takes a seat of a match.
pub(crate) fn join(calls: &Calls, match_id: &str) -> Call<Join, SeatedPlayer> {
    let message = JoinMatchRequest { match_id: match_id.into(), ..Default::default() };
    let (handle, match_id) = (calls.clone(), message.match_id.clone());
    let request = Join { message, promises: false };
    calls.mutate(methods::JOIN_MATCH, request, move |answer, (sent, intent)| {
        let credential = SeatCredential::new(match_id, answer.seat, intent.token());
        Ok(SeatedPlayer::new(
            &handle,
            match sent.entropy_hash.is_empty() {
                true => credential,
                false => credential.promising(intent.entropy().into()),
            },
        ))
    })
}

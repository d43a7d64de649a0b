//! A seat that is played over one stream.

use std::collections::VecDeque;
use std::fmt;

use tokio::time::sleep;
use tonic::Code;

use crate::credentials::Intent;
use crate::cursor::Cursor;
use crate::dialogue::Dialogue;
use crate::errors::{Error, Result};
use crate::methods::PLAY;
use crate::player::SeatedPlayer;
use crate::retry::StreamBackoff;
use crate::streams::OnBreak;
use crate::transport::Calls;
use crate::v1::play_answer::Result as Outcome;
use crate::v1::play_request::Message as Request;
use crate::v1::play_response::Message as Response;
use crate::v1::*;

/// A seat that is played over one stream: its turns come in, its actions go out; made by
/// [`SeatedPlayer::play`].
///
/// A broken stream is opened anew where it broke, and an action that has no answer yet is sent
/// again: it has one effect. Whoever drops it ends the stream; the seat stays what it is.
#[must_use = "nothing is played until turns are asked for"]
pub struct Play {
    calls: Calls,
    player: SeatedPlayer,
    begin: PlayBegin,
    on_break: Option<OnBreak>,
    backoff: StreamBackoff,
    stream: Option<Dialogue<PlayRequest, PlayResponse>>,
    cursor: Option<Cursor>,
    untold: VecDeque<MatchUpdate>,
    pending: Option<Request>,
    version: Option<u64>,
    has_ended: bool,
}

impl Play {
    pub(crate) fn new(calls: &Calls, player: SeatedPlayer) -> Self {
        let begin = PlayBegin {
            match_id: player.match_id().into(),
            seat_token: player.credential().token().into(),
            include_legal_actions: true,
            ..Default::default()
        };
        Self {
            calls: calls.clone(),
            player,
            begin,
            on_break: None,
            backoff: calls.stream_backoff(),
            stream: None,
            cursor: None,
            untold: VecDeque::new(),
            pending: None,
            version: None,
            has_ended: false,
        }
    }

    /// Only entries after this version; left out: the last that is there now, and all after it.
    pub fn after_version(mut self, version: u64) -> Self {
        self.begin.after_version = Some(version);
        self
    }

    /// Has updates carry the view.
    pub fn include_view(mut self) -> Self {
        self.begin.include_view = true;
        self
    }

    /// Is told the error each time that the stream has broken and is about to be opened anew.
    pub fn on_break(mut self, told: impl FnMut(&Error) + Send + 'static) -> Self {
        self.on_break = Some(Box::new(told));
        self
    }

    /// Waits for the next update after which the seat must decide; `None` when the match has ended.
    pub async fn next_turn(&mut self) -> Result<Option<MatchUpdate>> {
        while let Some(update) = self.next_update().await? {
            if update.actors.contains(&self.player.seat()) {
                return Ok(Some(update));
            }
        }
        Ok(None)
    }

    /// Waits for the next entry, of which each comes once and in order; `None` when the match has
    /// ended.
    pub async fn next_update(&mut self) -> Result<Option<MatchUpdate>> {
        while self.untold.is_empty() && !self.has_ended {
            self.take().await?;
        }
        let Some(update) = self.untold.pop_front() else {
            self.stream = None;
            return Ok(None);
        };
        self.player.notice(&update).await?;
        self.version = Some(update.version);
        Ok(Some(update))
    }

    /// Takes an action at the version of the last update that was given out; gives the version of
    /// its entry, whose update comes as well. The play goes on after `IllegalAction`,
    /// `NotTheActor`, `MatchPhase` and `StaleVersion`. After an error that tells an intent,
    /// [`SeatedPlayer::submit`] with it, the same action and the same version is the same request.
    pub async fn act(&mut self, action: impl Into<ActionChoice>) -> Result<u64> {
        let intent = Intent::new();
        let request = Request::Action(PlayAction {
            request_id: intent.request_id().into(),
            expected_version: self.version,
            choice: Some(action.into()),
        });
        self.ask(request).await.map_err(|error| error.with_intent(intent))
    }

    /// Forfeits; gives the version of the entry.
    pub async fn resign(&mut self) -> Result<u64> {
        let intent = Intent::new();
        let request = Request::Resign(PlayResign { request_id: intent.request_id().into() });
        self.ask(request).await.map_err(|error| error.with_intent(intent))
    }

    /// Sends a request, and waits for its answer, however many streams that takes.
    async fn ask(&mut self, request: Request) -> Result<u64> {
        if let Some(stream) = &self.stream {
            stream.send(PlayRequest { message: Some(request.clone()) });
        }
        self.pending = Some(request.clone());
        let answer = self.answer().await;
        self.pending = None;
        match answer? {
            Some(PlayAnswer { result: Some(Outcome::Version(version)), .. }) => Ok(version),
            Some(PlayAnswer { result: Some(Outcome::Refusal(refusal)), .. }) => Err(refusal.into()),
            Some(_) => Err(Error::own(Code::Internal, "the server's answer lacks its content")),
            None => self.ask_apart(request).await,
        }
    }

    /// Waits for the answer to what is pending; `None` if the match has ended before.
    async fn answer(&mut self) -> Result<Option<PlayAnswer>> {
        while !self.has_ended {
            if let Some(answer) = self.take().await? {
                return Ok(Some(answer));
            }
        }
        Ok(None)
    }

    /// Asks by a call of its own, since there is no stream after the match's end.
    async fn ask_apart(&self, request: Request) -> Result<u64> {
        let (match_id, seat_token) = (self.begin.match_id.clone(), self.begin.seat_token.clone());
        let update = match request {
            Request::Action(PlayAction { request_id, expected_version, choice }) => {
                let again = SubmitActionRequest {
                    request_id,
                    match_id,
                    seat_token,
                    expected_version,
                    choice,
                    ..Default::default()
                };
                self.calls.unary(crate::methods::SUBMIT_ACTION, &again, None).await?.update
            }
            Request::Resign(PlayResign { request_id }) => {
                let again = ResignRequest { request_id, match_id, seat_token };
                self.calls.unary(crate::methods::RESIGN, &again, None).await?.update
            }
            Request::Begin(_) => unreachable!("it is not asked for"),
        };
        Ok(crate::transport::whole(update)?.version)
    }

    /// Takes in what comes next; the answer to what is pending, if it is that.
    async fn take(&mut self) -> Result<Option<PlayAnswer>> {
        let received = self.receive().await.and_then(|response| self.accept(response));
        match received {
            Ok(answer) => {
                self.backoff.reset();
                Ok(answer)
            }
            Err(error) => self.pause(error).await.map(|()| None),
        }
    }

    async fn receive(&mut self) -> Result<PlayResponse> {
        if self.stream.is_none() {
            self.stream = Some(self.open());
        }
        self.stream.as_mut().expect("it was opened").receive().await
    }

    /// Opens a stream where the last one broke, and sends again what has no answer.
    fn open(&mut self) -> Dialogue<PlayRequest, PlayResponse> {
        self.backoff.open();
        let stream = Dialogue::new(&self.calls, PLAY);
        let begin = Request::Begin(self.begin.clone());
        for message in [Some(begin), self.pending.clone()].into_iter().flatten() {
            stream.send(PlayRequest { message: Some(message) });
        }
        stream
    }

    fn accept(&mut self, response: PlayResponse) -> Result<Option<PlayAnswer>> {
        match response.message {
            Some(Response::Update(update)) => self.keep(update).map(|()| None),
            Some(Response::Answer(answer)) => {
                Ok((self.pending_id() == Some(&answer.request_id)).then_some(answer))
            }
            None => Ok(None),
        }
    }

    fn pending_id(&self) -> Option<&String> {
        match self.pending.as_ref()? {
            Request::Action(action) => Some(&action.request_id),
            Request::Resign(resign) => Some(&resign.request_id),
            Request::Begin(_) => None,
        }
    }

    /// Keeps an update, unless it was seen; an error at a gap.
    fn keep(&mut self, update: MatchUpdate) -> Result<()> {
        let begun = WatchSubscription {
            match_id: update.match_id.clone(),
            after_version: update.version.saturating_sub(1),
            ..Default::default()
        };
        let cursor = self.cursor.get_or_insert_with(|| Cursor::new([begun]));
        if cursor.accept(&update)? {
            self.begin.after_version = Some(update.version);
            self.untold.push_back(update);
        }
        self.has_ended = cursor.is_done() && self.pending.is_none();
        Ok(())
    }

    /// Waits until a stream is to be opened anew; the error itself if none is.
    async fn pause(&mut self, error: Error) -> Result<()> {
        self.stream = None;
        if error.code() == Code::Ok {
            // The server says that the match has ended.
            self.has_ended = true;
            return Ok(());
        }
        let delay = self.backoff.delay_after(error.clone())?;
        if let Some(on_break) = &mut self.on_break {
            on_break(&error);
        }
        sleep(delay).await;
        Ok(())
    }
}

impl fmt::Debug for Play {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.debug_struct("Play").field("player", &self.player).finish_non_exhaustive()
    }
}

//! Streams that are opened anew where they broke.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use async_stream::try_stream;
use futures_core::Stream;
use prost::Message;
use tokio::time::sleep;
use tonic::Streaming;

use crate::cursor::{Cursor, Watched};
use crate::errors::{Error, Result};
use crate::methods::{Method, WATCH_MATCHES};
use crate::player::SeatedPlayer;
use crate::retry::StreamBackoff;
use crate::transport::Calls;
use crate::v1::{MatchUpdate, WatchMatchesRequest, WatchMatchesResponse};

pub(crate) type OnBreak = Box<dyn FnMut(&Error) + Send>;

/// What comes over time: a [`Stream`] that ends after an error. Whoever drops it ends the call.
#[must_use = "nothing is asked for until the stream is read"]
pub struct Updates<T = MatchUpdate>(Pin<Box<dyn Stream<Item = Result<T>> + Send>>);

impl<T> Updates<T> {
    pub(crate) fn new(stream: impl Stream<Item = Result<T>> + Send + 'static) -> Self {
        Self(Box::pin(stream))
    }

    /// Waits for what comes next; `None` at the end.
    pub async fn try_next(&mut self) -> Result<Option<T>> {
        std::future::poll_fn(|context| self.0.as_mut().poll_next(context)).await.transpose()
    }
}

impl<T> Stream for Updates<T> {
    type Item = Result<T>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<T>>> {
        self.0.as_mut().poll_next(context)
    }
}

impl<T> fmt::Debug for Updates<T> {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.debug_struct("Updates").finish_non_exhaustive()
    }
}

/// A stream's request at every moment, and what it makes of the answers.
pub(crate) trait Source: Send + 'static {
    type Request: Message + 'static;
    type Response: Message + Default + 'static;
    type Item: Send;

    /// What is called.
    const METHOD: Method<Self::Request, Self::Response>;

    /// Whether nothing more can come.
    fn is_done(&self) -> bool;

    /// The request that goes on from here.
    fn request(&self) -> Self::Request;

    /// Moves on over an answer; `None` if it was seen already. An error if one is missing before it.
    fn accept(&mut self, response: Self::Response) -> Result<Option<Self::Item>>;
}

/// A source that is read over as many streams as it takes.
pub(crate) struct Resumed<S: Source> {
    calls: Calls,
    source: S,
    stream: Option<Streaming<S::Response>>,
    backoff: StreamBackoff,
    on_break: Option<OnBreak>,
}

impl<S: Source> Resumed<S> {
    pub(crate) fn new(calls: &Calls, source: S, on_break: Option<OnBreak>) -> Self {
        let backoff = calls.stream_backoff();
        Self { calls: calls.clone(), source, stream: None, backoff, on_break }
    }

    /// What comes next; `None` at the end.
    pub(crate) async fn next(&mut self) -> Result<Option<S::Item>> {
        while !self.source.is_done() {
            match self.receive().await {
                // The server says that this is all.
                Ok(None) => break,
                Ok(Some(response)) => {
                    if let Some(item) = self.accept(response).await? {
                        return Ok(Some(item));
                    }
                }
                Err(error) => self.pause(error).await?,
            }
        }
        Ok(None)
    }

    async fn receive(&mut self) -> Result<Option<S::Response>> {
        let stream = match &mut self.stream {
            Some(stream) => stream,
            None => {
                self.backoff.open();
                let opened = self.calls.stream(S::METHOD, self.source.request(), None).await?;
                self.stream.insert(opened)
            }
        };
        Ok(stream.message().await?)
    }

    async fn accept(&mut self, response: S::Response) -> Result<Option<S::Item>> {
        match self.source.accept(response) {
            Ok(Some(item)) => {
                self.backoff.reset();
                Ok(Some(item))
            }
            Ok(None) => Ok(None),
            Err(gap) => self.pause(gap).await.map(|()| None),
        }
    }

    /// Waits until the stream is to be opened anew; the error itself if it is not.
    async fn pause(&mut self, error: Error) -> Result<()> {
        self.stream = None;
        let delay = self.backoff.delay_after(error.clone())?;
        if let Some(on_break) = &mut self.on_break {
            on_break(&error);
        }
        sleep(delay).await;
        Ok(())
    }
}

/// The entries of matches.
struct Matches(Cursor);

impl Source for Matches {
    type Request = WatchMatchesRequest;
    type Response = WatchMatchesResponse;
    type Item = MatchUpdate;

    const METHOD: Method<WatchMatchesRequest, WatchMatchesResponse> = WATCH_MATCHES;

    fn is_done(&self) -> bool {
        self.0.is_done()
    }

    fn request(&self) -> WatchMatchesRequest {
        self.0.request()
    }

    fn accept(&mut self, response: WatchMatchesResponse) -> Result<Option<MatchUpdate>> {
        let update = response.update.unwrap_or_default();
        Ok(self.0.accept(&update)?.then_some(update))
    }
}

/// A watch that is about to begin.
#[must_use = "a watch begins with its stream"]
pub struct Watch {
    calls: Calls,
    watched: Vec<Watched>,
    player: Option<SeatedPlayer>,
    on_break: Option<OnBreak>,
}

impl Watch {
    pub(crate) fn new(calls: &Calls, watched: impl IntoIterator<Item = Watched>) -> Self {
        let watched = watched.into_iter().collect();
        Self { calls: calls.clone(), watched, player: None, on_break: None }
    }

    /// From a seat, whose player takes note of what concerns it.
    pub(crate) fn seated(self, player: SeatedPlayer) -> Self {
        Self { player: Some(player), ..self }
    }

    /// Only entries after this version; left out: all.
    pub fn after_version(self, version: u64) -> Self {
        self.each(|subscription| subscription.after_version = version)
    }

    /// Has updates carry the view.
    pub fn include_view(self) -> Self {
        self.each(|subscription| subscription.include_view = true)
    }

    /// Has updates carry the legal actions.
    pub fn include_legal_actions(self) -> Self {
        self.each(|subscription| subscription.include_legal_actions = true)
    }

    /// Is told the error each time that the stream has broken and is about to be opened anew.
    pub fn on_break(self, told: impl FnMut(&Error) + Send + 'static) -> Self {
        Self { on_break: Some(Box::new(told)), ..self }
    }

    /// Every entry once and in order; it ends when all matches have ended. An argument error for no
    /// match, for one that is named twice, and for a seat without a token.
    pub fn stream(self) -> Updates {
        let Self { calls, watched, player, on_break } = self;
        let given = watched.iter().try_for_each(Watched::check);
        let subscriptions = watched.into_iter().map(|each| each.subscription);
        let cursor = given.and_then(|()| Cursor::begin(subscriptions.collect()));
        Updates::new(try_stream! {
            let mut entries = Resumed::new(&calls, Matches(cursor?), on_break);
            while let Some(update) = entries.next().await? {
                if let Some(player) = &player {
                    player.notice(&update).await?;
                }
                yield update;
            }
        })
    }

    fn each(mut self, change: impl Fn(&mut crate::v1::WatchSubscription)) -> Self {
        self.watched.iter_mut().for_each(|each| change(&mut each.subscription));
        self
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.debug_struct("Watch").finish_non_exhaustive()
    }
}

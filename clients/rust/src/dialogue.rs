//! A stream of requests and answers.

use async_stream::stream;
use prost::Message;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tonic::Streaming;

use crate::call::Answer;
use crate::errors::{Error, Result};
use crate::methods::Method;
use crate::transport::Calls;

/// Requests go out and answers come in. Whoever drops it ends the stream.
pub(crate) struct Dialogue<Q, R> {
    requests: UnboundedSender<Q>,
    answers: Answers<R>,
}

enum Answers<R> {
    /// The server may answer the opening of a stream no sooner than the first request.
    Opening(Answer<Streaming<R>>),
    Open(Box<Streaming<R>>),
    Ended(Error),
}

impl<Q: Message + 'static, R: Message + Default + 'static> Dialogue<Q, R> {
    /// Prepares a stream; it is opened by the first `receive`.
    pub(crate) fn new(calls: &Calls, method: Method<Q, R>) -> Self {
        let (requests, mut sent) = unbounded_channel();
        let outgoing = stream! {
            while let Some(request) = sent.recv().await {
                yield request;
            }
        };
        let calls = calls.clone();
        let opening = Box::pin(async move { calls.dialogue(method, outgoing).await });
        Self { requests, answers: Answers::Opening(opening) }
    }

    /// Sends a request. That the stream has ended is told by `receive`.
    pub(crate) fn send(&self, request: Q) {
        drop(self.requests.send(request));
    }

    /// Waits for an answer; an error of the code `Ok` if the stream ends instead. After an error all
    /// further calls get the same one.
    pub(crate) async fn receive(&mut self) -> Result<R> {
        let received = self.next().await;
        if let Err(error) = &received {
            self.answers = Answers::Ended(error.clone());
        }
        received
    }

    async fn next(&mut self) -> Result<R> {
        if let Answers::Opening(opening) = &mut self.answers {
            self.answers = Answers::Open(Box::new(opening.await?));
        }
        match &mut self.answers {
            Answers::Open(stream) => stream.message().await?.ok_or_else(Error::ended),
            Answers::Ended(error) => Err(error.clone()),
            Answers::Opening(_) => unreachable!("it was opened"),
        }
    }
}

//! A client of a server that lives in the test.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use prost::Message;
use tablestate::v1::{MatchPhase, MatchUpdate};
use tablestate::{Client, Error, RetryPolicy};
use tonic::body::Body;
use tonic::codegen::http;
use tonic::codegen::tokio_stream::{self, Stream};
use tonic::server::Grpc;
use tonic::{Code, Request, Response, Status, Streaming};
use tonic_prost::ProstCodec;
use tonic_types::{ErrorDetails, StatusExt};
use tower::service_fn;
use tower::util::BoxCloneSyncService;

pub(crate) const MATCH: &str = "0123456789abcdef0123456789abcdef";

type Answered = Pin<Box<dyn Future<Output = http::Response<Body>> + Send>>;
type Handler = Arc<dyn Fn(http::Request<Body>) -> Answered + Send + Sync>;
pub(crate) type Items<R> = Pin<Box<dyn Stream<Item = Result<R, Status>> + Send>>;

/// Methods, each with what it answers.
#[derive(Clone, Default)]
pub(crate) struct Fake(HashMap<String, Handler>);

impl Fake {
    /// A method with one answer.
    pub(crate) fn unary<Q, R>(
        self,
        method: &str,
        answer: impl Fn(Q) -> Result<R, Status> + Send + Sync + 'static,
    ) -> Self
    where
        Q: Message + Default + 'static,
        R: Message + Default + 'static,
    {
        let answer = Arc::new(answer);
        self.on(method, move |request| {
            let answer = answer.clone();
            let service = service_fn(move |request: Request<Q>| {
                std::future::ready(answer(request.into_inner()).map(Response::new))
            });
            let mut grpc = Grpc::new(ProstCodec::<R, Q>::default());
            Box::pin(async move { grpc.unary(service, request).await })
        })
    }

    /// A method that streams its answers.
    pub(crate) fn stream<Q, R>(
        self,
        method: &str,
        answers: impl Fn(Q) -> Items<R> + Send + Sync + 'static,
    ) -> Self
    where
        Q: Message + Default + 'static,
        R: Message + Default + 'static,
    {
        let answers = Arc::new(answers);
        self.on(method, move |request| {
            let answers = answers.clone();
            let service = service_fn(move |request: Request<Q>| {
                std::future::ready(Ok(Response::new(answers(request.into_inner()))))
            });
            let mut grpc = Grpc::new(ProstCodec::<R, Q>::default());
            Box::pin(async move { grpc.server_streaming(service, request).await })
        })
    }

    /// A method that streams both ways.
    pub(crate) fn dialogue<Q, R>(
        self,
        method: &str,
        answers: impl Fn(Streaming<Q>) -> Items<R> + Send + Sync + 'static,
    ) -> Self
    where
        Q: Message + Default + 'static,
        R: Message + Default + 'static,
    {
        let answers = Arc::new(answers);
        self.on(method, move |request| {
            let answers = answers.clone();
            let service = service_fn(move |request: Request<Streaming<Q>>| {
                std::future::ready(Ok(Response::new(answers(request.into_inner()))))
            });
            let mut grpc = Grpc::new(ProstCodec::<R, Q>::default());
            Box::pin(async move { grpc.streaming(service, request).await })
        })
    }

    /// A client whose pauses are short.
    pub(crate) fn client(self) -> Client {
        let retry = RetryPolicy {
            initial_delay: Duration::from_millis(1),
            max_delay: Duration::from_millis(2),
            watch_patience: Duration::from_secs(5),
            ..Default::default()
        };
        let builder = Client::builder("in memory").timeout(Duration::from_secs(5)).retry(retry);
        builder.api_key("key").over(self.transport()).unwrap()
    }

    fn transport(self) -> tablestate::Transport {
        let methods = Arc::new(self.0);
        BoxCloneSyncService::new(service_fn(move |request: http::Request<Body>| {
            let method = request.uri().path().trim_start_matches("/tablestate.v1.").to_owned();
            assert_eq!(request.headers()["authorization"], "Bearer key");
            let answer = methods.get(&method).map(|handler| handler(request));
            async move {
                match answer {
                    Some(answer) => Ok(answer.await),
                    None => Err(Status::unimplemented(method)),
                }
            }
        }))
    }

    fn on(
        mut self,
        method: &str,
        handler: impl Fn(http::Request<Body>) -> Answered + Send + Sync + 'static,
    ) -> Self {
        self.0.insert(method.into(), Arc::new(handler));
        self
    }
}

/// What was seen, in order, by all clones.
#[derive(Clone)]
pub(crate) struct Seen<T>(Arc<Mutex<Vec<T>>>);

impl<T: Clone> Seen<T> {
    pub(crate) fn none() -> Self {
        Self(Arc::default())
    }

    /// Adds one more; how many there are.
    pub(crate) fn add(&self, seen: T) -> usize {
        let mut all = self.0.lock().unwrap();
        all.push(seen);
        all.len()
    }

    pub(crate) fn all(&self) -> Vec<T> {
        self.0.lock().unwrap().clone()
    }
}

/// A stream of what is given.
pub(crate) fn items<R: Send + 'static>(items: Vec<Result<R, Status>>) -> Items<R> {
    Box::pin(tokio_stream::iter(items))
}

/// An error as the service sends it.
pub(crate) fn refusal(code: Code, reason: &str, facts: &[(&str, &str)]) -> Status {
    let metadata: HashMap<_, _> =
        facts.iter().map(|(name, fact)| (name.to_string(), fact.to_string())).collect();
    let details = ErrorDetails::with_error_info(reason, "tablestate", metadata);
    Status::with_error_details(code, reason, details)
}

pub(crate) fn shutting_down() -> Status {
    refusal(Code::Unavailable, "SHUTTING_DOWN", &[])
}

pub(crate) fn update(version: u64, phase: MatchPhase) -> MatchUpdate {
    MatchUpdate { match_id: MATCH.into(), version, phase: phase.into(), ..Default::default() }
}

/// What an error says to a caller.
pub(crate) fn reasons(errors: &Seen<Error>) -> Vec<String> {
    errors.all().iter().map(|error| error.reason().to_owned()).collect()
}

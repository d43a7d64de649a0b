//! Calls over gRPC, tried again where that helps.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use prost::Message;
use tokio::time::{Instant, sleep, timeout};
use tonic::body::Body;
use tonic::client::Grpc;
use tonic::codegen::http;
use tonic::codegen::http::uri::PathAndQuery;
use tonic::metadata::MetadataMap;
use tonic::{Code, Request, Status, Streaming};
use tonic_prost::ProstCodec;
use tower::util::BoxCloneSyncService;

use crate::errors::{Error, Result};
use crate::methods::Method;
use crate::retry::{Backoff, RetryPolicy, StreamBackoff};

/// What carries gRPC to the server: a channel, or whatever else is given.
pub type Transport = BoxCloneSyncService<http::Request<Body>, http::Response<Body>, Status>;

/// How a client makes its calls.
pub(crate) struct CallSettings {
    pub(crate) transport: Transport,
    pub(crate) metadata: MetadataMap,
    pub(crate) timeout: Duration,
    pub(crate) retry: RetryPolicy,
}

/// Makes the calls of a client; a clone makes them over the same connection.
#[derive(Clone)]
pub(crate) struct Calls(Arc<CallSettings>);

/// Shows nothing: there are secrets in it.
impl fmt::Debug for Calls {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.debug_struct("Calls").finish_non_exhaustive()
    }
}

impl Calls {
    pub(crate) fn new(settings: CallSettings) -> Self {
        Self(Arc::new(settings))
    }

    /// What a call may take, unless it is told otherwise.
    pub(crate) fn timeout(&self) -> Duration {
        self.0.timeout
    }

    pub(crate) fn transport(&self) -> Transport {
        self.0.transport.clone()
    }

    /// The pauses of a stream that is opened anew whenever it breaks.
    pub(crate) fn stream_backoff(&self) -> StreamBackoff {
        StreamBackoff::new(&self.0.retry)
    }

    /// Calls a method with one answer.
    pub(crate) async fn unary<Q: Message + Clone + 'static, R: Message + Default + 'static>(
        &self,
        method: Method<Q, R>,
        request: &Q,
        patience: Option<Duration>,
    ) -> Result<R> {
        let mut backoff = self.backoff(method, patience);
        loop {
            let limit = backoff.attempt_timeout();
            match within(limit, self.attempt(method, request.clone(), limit)).await {
                Ok(answer) => return Ok(answer),
                Err(error) => sleep(backoff.delay_after(error)?).await,
            }
        }
    }

    /// Calls a method that streams a finite answer, and returns all of it. `on_part` is called with
    /// each part when it comes; if the call is tried again, with those of the new stream too.
    pub(crate) async fn collect<Q: Message + Clone + 'static, R: Message + Default + 'static>(
        &self,
        method: Method<Q, R>,
        request: &Q,
        patience: Option<Duration>,
        mut on_part: impl FnMut(&R) + Send,
    ) -> Result<Vec<R>> {
        let mut backoff = self.backoff(method, patience);
        loop {
            let limit = backoff.attempt_timeout();
            let parts = self.parts(method, request.clone(), limit, &mut on_part);
            match within(limit, parts).await {
                Ok(parts) => return Ok(parts),
                Err(error) => sleep(backoff.delay_after(error)?).await,
            }
        }
    }

    /// Opens a stream of answers to one request.
    pub(crate) async fn stream<Q: Message + 'static, R: Message + Default + 'static>(
        &self,
        method: Method<Q, R>,
        request: Q,
        limit: Option<Duration>,
    ) -> Result<Streaming<R>> {
        let (mut grpc, path) = self.ready(method).await?;
        let request = self.request(request, limit);
        Ok(grpc.server_streaming(request, path, ProstCodec::default()).await?.into_inner())
    }

    /// Opens a stream of answers to a stream of requests.
    pub(crate) async fn dialogue<Q: Message + 'static, R: Message + Default + 'static>(
        &self,
        method: Method<Q, R>,
        requests: impl tonic::codegen::tokio_stream::Stream<Item = Q> + Send + 'static,
    ) -> Result<Streaming<R>> {
        let (mut grpc, path) = self.ready(method).await?;
        let request = self.request(requests, None);
        Ok(grpc.streaming(request, path, ProstCodec::default()).await?.into_inner())
    }

    async fn attempt<Q: Message + 'static, R: Message + Default + 'static>(
        &self,
        method: Method<Q, R>,
        request: Q,
        limit: Duration,
    ) -> Result<R> {
        let (mut grpc, path) = self.ready(method).await?;
        let request = self.request(request, Some(limit));
        Ok(grpc.unary(request, path, ProstCodec::default()).await?.into_inner())
    }

    async fn parts<Q: Message + 'static, R: Message + Default + 'static>(
        &self,
        method: Method<Q, R>,
        request: Q,
        limit: Duration,
        on_part: &mut (impl FnMut(&R) + Send),
    ) -> Result<Vec<R>> {
        let mut stream = self.stream(method, request, Some(limit)).await?;
        let mut parts = Vec::new();
        while let Some(part) = stream.message().await? {
            on_part(&part);
            parts.push(part);
        }
        Ok(parts)
    }

    async fn ready<Q, R>(&self, method: Method<Q, R>) -> Result<(Grpc<Transport>, PathAndQuery)> {
        let mut grpc = Grpc::new(self.transport());
        grpc.ready().await?;
        Ok((grpc, PathAndQuery::from_static(method.path())))
    }

    fn request<M>(&self, message: M, limit: Option<Duration>) -> Request<M> {
        let mut request = Request::new(message);
        *request.metadata_mut() = self.0.metadata.clone();
        if let Some(limit) = limit {
            request.set_timeout(limit);
        }
        request
    }

    fn backoff<Q, R>(&self, method: Method<Q, R>, patience: Option<Duration>) -> Backoff {
        let mut policy = self.0.retry.clone();
        if method.takes_its_time() {
            policy.attempt_timeout = Duration::MAX;
        }
        Backoff::new(&policy, patience.unwrap_or(self.0.timeout))
    }
}

/// Limits are sent as whole milliseconds, or finer.
const ROUNDED: Duration = Duration::from_millis(1);

async fn within<T>(limit: Duration, call: impl Future<Output = Result<T>>) -> Result<T> {
    let late = || Err(Error::own(Code::DeadlineExceeded, "the answer did not come in time"));
    let begun = Instant::now();
    match timeout(limit, call).await {
        // The transport has a timer of its own, and calls what it ends cancelled.
        Ok(Err(error)) if error.code() == Code::Cancelled && begun.elapsed() + ROUNDED >= limit => {
            late()
        }
        Ok(answer) => answer,
        Err(_) => late(),
    }
}

/// What an answer always holds.
pub(crate) fn whole<T>(part: Option<T>) -> Result<T> {
    part.ok_or_else(|| Error::own(Code::Internal, "the server's answer lacks its content"))
}

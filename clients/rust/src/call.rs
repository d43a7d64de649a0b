//! Calls that are about to be made.

use std::fmt;
use std::future::ready;
use std::pin::Pin;
use std::time::Duration;

use prost::Message;

use crate::credentials::Intent;
use crate::errors::Result;
use crate::methods::Method;
use crate::requests::Mutation;
use crate::transport::Calls;

pub(crate) type Answer<A> = Pin<Box<dyn Future<Output = Result<A>> + Send>>;

/// A call that is made when it is awaited: till then its methods say what is wanted beyond the
/// defaults.
#[must_use = "a call is made when it is awaited"]
pub struct Call<Q, A> {
    pub(crate) request: Q,
    patience: Option<Duration>,
    intent: Option<Intent>,
    send: Box<dyn FnOnce(Sent<Q>) -> Answer<A> + Send>,
}

/// What is known when a call is made.
struct Sent<Q> {
    request: Q,
    patience: Option<Duration>,
    intent: Option<Intent>,
}

impl<Q, A> Call<Q, A> {
    /// How long the call may take with all its attempts; left out: as the client says.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.patience = Some(timeout);
        self
    }

    /// Changes the request.
    pub(crate) fn with(mut self, change: impl FnOnce(&mut Q)) -> Self {
        change(&mut self.request);
        self
    }

    /// Is not sent, but fails, if something is wrong.
    pub(crate) fn checked(self, checked: Result<()>) -> Self
    where
        A: Send + 'static,
    {
        match checked {
            Ok(()) => self,
            Err(fault) => Self { send: Box::new(|_| Box::pin(ready(Err(fault)))), ..self },
        }
    }

    fn new(request: Q, send: impl FnOnce(Sent<Q>) -> Answer<A> + Send + 'static) -> Self {
        Self { request, patience: None, intent: None, send: Box::new(send) }
    }
}

impl<Q: Mutation, A> Call<Q, A> {
    /// Repeated with the same intent and the same arguments, the call has one effect.
    pub fn intent(mut self, intent: Intent) -> Self {
        self.intent = Some(intent);
        self
    }
}

impl<Q, A> IntoFuture for Call<Q, A> {
    type Output = Result<A>;
    type IntoFuture = Answer<A>;

    fn into_future(self) -> Answer<A> {
        let Self { request, patience, intent, send } = self;
        send(Sent { request, patience, intent })
    }
}

/// Shows nothing: there may be secrets in it.
impl<Q, A> fmt::Debug for Call<Q, A> {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.debug_struct("Call").finish_non_exhaustive()
    }
}

impl Calls {
    /// A call that changes nothing.
    pub(crate) fn read<Q, R, A>(
        &self,
        method: Method<Q, R>,
        request: Q,
        finish: impl FnOnce(R) -> Result<A> + Send + 'static,
    ) -> Call<Q, A>
    where
        Q: Message + Clone + 'static,
        R: Message + Default + 'static,
    {
        let calls = self.clone();
        Call::new(request, move |Sent { request, patience, .. }| {
            Box::pin(async move { finish(calls.unary(method, &request, patience).await?) })
        })
    }

    /// A call that changes something; its error tells the intent to repeat it with.
    pub(crate) fn mutate<Q, R, A>(
        &self,
        method: Method<Q::Message, R>,
        request: Q,
        finish: impl FnOnce(R, (Q::Message, Intent)) -> Result<A> + Send + 'static,
    ) -> Call<Q, A>
    where
        Q: Mutation,
        R: Message + Default + 'static,
    {
        let calls = self.clone();
        Call::new(request, move |Sent { request, patience, intent }| {
            let intent = intent.unwrap_or_else(Intent::new);
            let message = request.carrying(&intent);
            Box::pin(async move {
                let answer = calls.unary(method, &message, patience).await;
                let finished = answer.and_then(|answer| finish(answer, (message, intent.clone())));
                finished.map_err(|error| error.with_intent(intent))
            })
        })
    }
}

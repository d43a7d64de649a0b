//! Calls for operators.

use std::fmt;

use async_stream::try_stream;

use crate::call::Call;
use crate::client::Client;
use crate::credentials::SeatCredential;
use crate::errors::{Error, Result};
use crate::methods::{self, Method, WATCH_FEED};
use crate::player::SeatedPlayer;
use crate::streams::{OnBreak, Resumed, Source, Updates};
use crate::transport::{Calls, whole};
use crate::v1::*;

impl Client {
    /// What happens to all matches of a tenant: created, a player's turn, ended; each once, in one
    /// order. For operators, by their key or by the feed's secret.
    pub fn watch_feed(&self) -> WatchFeed {
        WatchFeed { calls: self.calls.clone(), request: Default::default(), on_break: None }
    }

    /// Gives a player's seat another token, that of the intent. For operators.
    pub fn replace_seat_token(
        &self,
        match_id: impl Into<String>,
        seat: u32,
    ) -> Call<ReplaceSeatTokenRequest, SeatedPlayer> {
        let (calls, match_id) = (self.calls.clone(), match_id.into());
        let request = ReplaceSeatTokenRequest { match_id, seat: Some(seat), ..Default::default() };
        self.calls.mutate(methods::REPLACE_SEAT_TOKEN, request, move |_, (sent, intent)| {
            let credential = SeatCredential::new(sent.match_id, seat, intent.token());
            Ok(SeatedPlayer::new(&calls, credential))
        })
    }

    /// Takes a player's seat its token away: nobody can act for it until it gets another. For
    /// operators.
    pub fn revoke_seat_token(
        &self,
        match_id: impl Into<String>,
        seat: u32,
    ) -> Call<RevokeSeatTokenRequest, MatchUpdate> {
        let match_id = match_id.into();
        let request = RevokeSeatTokenRequest { match_id, seat: Some(seat), ..Default::default() };
        self.calls.mutate(methods::REVOKE_SEAT_TOKEN, request, |answer, _| whole(answer.update))
    }
}

/// The news of a tenant.
struct News(WatchFeedRequest);

impl Source for News {
    type Request = WatchFeedRequest;
    type Response = WatchFeedResponse;
    type Item = WatchFeedResponse;

    const METHOD: Method<WatchFeedRequest, WatchFeedResponse> = WATCH_FEED;

    fn is_done(&self) -> bool {
        false
    }

    fn request(&self) -> WatchFeedRequest {
        self.0.clone()
    }

    fn accept(&mut self, news: WatchFeedResponse) -> Result<Option<WatchFeedResponse>> {
        self.0.cursor.clone_from(&news.cursor);
        Ok(Some(news))
    }
}

/// A feed that is about to be followed.
#[must_use = "a feed is followed as a stream"]
pub struct WatchFeed {
    calls: Calls,
    request: WatchFeedRequest,
    on_break: Option<OnBreak>,
}

impl WatchFeed {
    /// The secret of the server's feed; not needed with an operator's key.
    pub fn feed_secret(mut self, secret: impl Into<String>) -> Self {
        self.request.feed_secret = secret.into();
        self
    }

    /// The tenant whose matches are told of.
    pub fn tenant(mut self, tenant: impl Into<String>) -> Self {
        self.request.tenant = tenant.into();
        self
    }

    /// Goes on after the item that came with this cursor; left out: from the first on.
    pub fn cursor(mut self, cursor: impl Into<String>) -> Self {
        self.request.cursor = cursor.into();
        self
    }

    /// Is told the error each time that the stream has broken and is about to be opened anew.
    pub fn on_break(self, told: impl FnMut(&Error) + Send + 'static) -> Self {
        Self { on_break: Some(Box::new(told)), ..self }
    }

    /// All news once and in order. They end with an error only, as when the server was away for
    /// longer than [`RetryPolicy::watch_patience`](crate::RetryPolicy::watch_patience).
    pub fn stream(self) -> Updates<WatchFeedResponse> {
        let mut news = Resumed::new(&self.calls, News(self.request), self.on_break);
        Updates::new(try_stream! {
            while let Some(item) = news.next().await? {
                yield item;
            }
        })
    }
}

/// Shows nothing: there is a secret in it.
impl fmt::Debug for WatchFeed {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.debug_struct("WatchFeed").finish_non_exhaustive()
    }
}

use std::sync::{Arc, Mutex};

use tablestate::v1::*;
use tablestate::{Client, ErrorKind, Updates};
use tonic::codegen::tokio_stream;
use tonic::{Code, Status};

use crate::support::{Fake, Items, MATCH, Seen, items, reasons, refusal, shutting_down, update};

type Told = Vec<Result<MatchUpdate, Status>>;

/// A client whose watches get one stream after the other, and the cursors they ask with.
fn watching(streams: Vec<Told>) -> (Client, Seen<u64>) {
    let cursors = Seen::none();
    let (asked, streams) = (cursors.clone(), Mutex::new(streams.into_iter()));
    let fake = Fake::default().stream("MatchService/WatchMatches", move |request| {
        let WatchMatchesRequest { subscriptions } = request;
        asked.add(subscriptions[0].after_version);
        let told = streams.lock().unwrap().next().unwrap_or_default();
        let wrap = |update| WatchMatchesResponse { update: Some(update) };
        items(told.into_iter().map(|item| item.map(wrap)).collect())
    });
    (fake.client(), cursors)
}

async fn versions(mut updates: Updates) -> tablestate::Result<Vec<u64>> {
    let mut seen = Vec::new();
    while let Some(update) = updates.try_next().await? {
        seen.push(update.version);
    }
    Ok(seen)
}

fn running(version: u64) -> Result<MatchUpdate, Status> {
    Ok(update(version, MatchPhase::Running))
}

fn over(version: u64) -> Result<MatchUpdate, Status> {
    Ok(update(version, MatchPhase::Over))
}

#[tokio::test]
async fn a_broken_watch_goes_on_where_it_broke_and_tells_of_it() {
    let slow = refusal(Code::ResourceExhausted, "WATCHER_TOO_SLOW", &[]);
    let (client, cursors) = watching(vec![
        vec![running(1), running(2), Err(shutting_down())],
        vec![running(3), Err(slow)],
        vec![over(4)],
    ]);
    let breaks = Seen::none();
    let told = breaks.clone();
    let watch = client.watch([MATCH]).on_break(move |error| _ = told.add(error.clone()));
    assert_eq!(versions(watch.stream()).await.unwrap(), [1, 2, 3, 4]);
    assert_eq!(cursors.all(), [0, 2, 3]);
    assert_eq!(reasons(&breaks), ["SHUTTING_DOWN", "WATCHER_TOO_SLOW"]);
}

#[tokio::test]
async fn an_entry_that_comes_twice_is_told_once() {
    let told = vec![running(1), running(1), running(2), running(1), over(3)];
    let (client, _) = watching(vec![told]);
    assert_eq!(versions(client.watch([MATCH]).stream()).await.unwrap(), [1, 2, 3]);
}

#[tokio::test]
async fn a_stream_that_leaves_an_entry_out_is_opened_anew() {
    let (client, cursors) = watching(vec![vec![running(1), running(3)], vec![running(2), over(3)]]);
    assert_eq!(versions(client.watch([MATCH]).stream()).await.unwrap(), [1, 2, 3]);
    assert_eq!(cursors.all(), [0, 1]);
}

#[tokio::test]
async fn a_stream_that_is_refused_ends_the_watch() {
    let refused = refusal(Code::PermissionDenied, "WRONG_SEAT_TOKEN", &[]);
    let (client, _) = watching(vec![vec![running(1), Err(refused)]]);
    let error = versions(client.watch([MATCH]).stream()).await.unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::PermissionDenied);
}

#[tokio::test]
async fn whoever_drops_a_watch_ends_its_call() {
    let open = Arc::new(());
    let held = open.clone();
    let fake =
        Fake::default().stream("MatchService/WatchMatches", move |_: WatchMatchesRequest| {
            let held = held.clone();
            let endless = (1..).map(move |version| {
                let _ = &held;
                Ok(WatchMatchesResponse { update: Some(update(version, MatchPhase::Running)) })
            });
            Box::pin(tokio_stream::iter(endless)) as Items<WatchMatchesResponse>
        });
    let mut updates = fake.client().watch([MATCH]).stream();
    assert_eq!(updates.try_next().await.unwrap().unwrap().version, 1);
    assert_eq!(Arc::strong_count(&open), 3);
    drop(updates);
    assert_eq!(Arc::strong_count(&open), 1);
}

#[tokio::test]
async fn a_feed_goes_on_after_its_last_cursor() {
    let cursors = Seen::none();
    let asked = cursors.clone();
    let news =
        |number: u32| Ok(WatchFeedResponse { cursor: number.to_string(), ..Default::default() });
    let fake =
        Fake::default().stream("MatchService/WatchFeed", move |request: WatchFeedRequest| {
            match asked.add(request.cursor) {
                1 => items(vec![news(1), news(2), Err(shutting_down())]),
                _ => items(vec![news(3)]),
            }
        });
    let (mut seen, mut feed) = (Vec::new(), fake.client().watch_feed().stream());
    while seen.len() < 3 {
        seen.push(feed.try_next().await.unwrap().unwrap().cursor);
    }
    assert_eq!(seen, ["1", "2", "3"]);
    assert_eq!(cursors.all(), ["", "2"]);
}

use std::time::{Duration, Instant};

use tablestate::v1::*;
use tablestate::{Client, ErrorKind, Intent};
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt};

use crate::support::{Fake, MATCH, Seen, items, refusal, shutting_down};

fn created() -> CreateMatchResponse {
    let created = Match { match_id: MATCH.into(), ..Default::default() };
    CreateMatchResponse { r#match: Some(created) }
}

#[tokio::test]
async fn a_call_is_retried_with_the_same_bytes() {
    let seen = Seen::none();
    let calls = seen.clone();
    let fake =
        Fake::default().unary("MatchService/CreateMatch", move |request: CreateMatchRequest| {
            match calls.add(request) < 3 {
                true => Err(shutting_down()),
                false => Ok(created()),
            }
        });
    let options = OffboardOptions { points_to_win: Some(2), ..Default::default() };
    let settings = fake.client().create_match(options).metadata("b", "2").metadata("a", "1");
    let hosted = settings.await.unwrap();
    assert_eq!(hosted.match_id(), MATCH);
    let [first, second, third] = &seen.all()[..] else { panic!("{} calls", seen.all().len()) };
    assert_eq!((first, second), (second, third));
    assert_eq!(hosted.credential().token(), first.host_token);
    assert_eq!((first.request_id.len(), first.host_token.len()), (32, 32));
}

#[tokio::test]
async fn every_intent_has_an_id_and_a_token_of_its_own() {
    let seen = Seen::none();
    let calls = seen.clone();
    let fake =
        Fake::default().unary("MatchService/CreateMatch", move |request: CreateMatchRequest| {
            calls.add(request);
            Ok(created())
        });
    let client = fake.client();
    for _ in 0..2 {
        client.create_match(OffboardOptions::default()).await.unwrap();
    }
    let [first, second] = &seen.all()[..] else { panic!("two calls") };
    assert_ne!(first.request_id, second.request_id);
    assert_ne!(first.host_token, second.host_token);
}

#[tokio::test]
async fn the_error_of_a_change_tells_the_intent_to_repeat_it_with() {
    let seen = Seen::none();
    let calls = seen.clone();
    let fake =
        Fake::default().unary(
            "MatchService/JoinMatch",
            move |request: JoinMatchRequest| match calls.add(request) {
                1 => Err(refusal(Code::Internal, "INTERNAL", &[("incident", "4711")])),
                _ => Ok(JoinMatchResponse { seat: 1, ..Default::default() }),
            },
        );
    let client = fake.client();
    let error = client.join(MATCH).entropy().await.unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::Internal { incident: "4711".into() });
    let saved = error.intent().unwrap().save();
    let intent = Intent::load(&saved).unwrap();
    let player = client.join(MATCH).entropy().intent(intent).await.unwrap();
    assert_eq!(player.seat(), 1);
    let [first, second] = &seen.all()[..] else { panic!("two calls") };
    assert_eq!(first, second);
    assert_eq!(player.credential().token(), first.seat_token);
    assert_eq!((first.entropy_hash.len(), player.credential().entropy().len()), (32, 32));
}

#[tokio::test]
async fn a_call_waits_as_long_as_the_server_says_and_is_then_made_again() {
    let seen = Seen::none();
    let calls = seen.clone();
    let fake =
        Fake::default().unary("CatalogService/GetServerInfo", move |_: GetServerInfoRequest| {
            let details = ErrorDetails::with_retry_info(Some(Duration::from_millis(60)));
            match calls.add(()) {
                1 => Err(Status::with_error_details(Code::ResourceExhausted, "later", details)),
                _ => Ok(GetServerInfoResponse::default()),
            }
        });
    let (client, start) = (fake.client(), Instant::now());
    client.server_info().await.unwrap();
    assert!(start.elapsed() >= Duration::from_millis(60));
    assert_eq!(seen.all().len(), 2);
}

#[tokio::test]
async fn what_is_refused_for_good_is_not_tried_again() {
    let seen = Seen::none();
    let calls = seen.clone();
    let fake = Fake::default().unary::<GetMatchRequest, GetMatchResponse>(
        "MatchService/GetMatch",
        move |_| {
            calls.add(());
            Err(refusal(Code::ResourceExhausted, "STORAGE_FULL", &[]))
        },
    );
    let error = fake.client().get_match(MATCH).await.unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::ResourceExhausted);
    assert_eq!(seen.all().len(), 1);
}

#[tokio::test]
async fn a_call_ends_when_its_time_is_over() {
    let fake = Fake::default()
        .unary::<GetMatchRequest, GetMatchResponse>("MatchService/GetMatch", |_| {
            Err(shutting_down())
        });
    let start = Instant::now();
    let call = fake.client().get_match(MATCH).timeout(Duration::from_millis(30));
    assert_eq!(*call.await.unwrap_err().kind(), ErrorKind::Unavailable);
    assert!(start.elapsed() < Duration::from_secs(2));
}

#[tokio::test]
async fn all_pages_of_a_list_are_asked_for() {
    let asked = Seen::none();
    let pages = asked.clone();
    let fake = Fake::default().unary("MatchService/ListMatches", move |request| {
        let ListMatchesRequest { page_token, .. } = request;
        let page = pages.add(page_token);
        let listed = Match { match_id: page.to_string(), ..Default::default() };
        let next_page_token = if page < 3 { format!("after {page}") } else { String::new() };
        Ok(ListMatchesResponse { matches: vec![listed], next_page_token })
    });
    let (mut ids, mut matches) = (Vec::new(), fake.client().list_matches().stream());
    while let Some(listed) = matches.try_next().await.unwrap() {
        ids.push(listed.match_id);
    }
    assert_eq!(ids, ["1", "2", "3"]);
    assert_eq!(asked.all(), ["", "after 1", "after 2"]);
}

#[tokio::test]
async fn a_search_without_a_budget_is_not_sent() {
    let client = Fake::default().client();
    let search = client.search(OffboardOptions::default(), GameView::default(), 0);
    let error = search.await.unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::InvalidArgument);
    assert_eq!(error.violations()[0].field, "budget");
}

#[tokio::test]
async fn what_a_search_has_found_so_far_is_told_and_the_last_is_the_answer() {
    let fake = Fake::default().stream("EngineService/Search", |request: SearchRequest| {
        assert_eq!(request.progress_milliseconds, 250);
        let found =
            |iterations, done| Ok(SearchResponse { iterations, done, ..Default::default() });
        items(vec![found(10, false), found(20, false), found(30, true)])
    });
    let progress = Seen::none();
    let told = progress.clone();
    let search = fake.client().search(OffboardOptions::default(), GameView::default(), 0);
    let search = search.iterations(30).on_progress(Duration::from_millis(250), move |found| {
        told.add(found.iterations);
    });
    assert_eq!(search.await.unwrap().iterations, 30);
    assert_eq!(progress.all(), [10, 20]);
}

#[tokio::test]
async fn a_server_that_is_not_there_is_unavailable() {
    let client = Client::connect("127.0.0.1:1").unwrap();
    let error = client.server_info().timeout(Duration::from_millis(80)).await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Unavailable | ErrorKind::DeadlineExceeded));
}

#[tokio::test]
async fn what_cannot_be_is_refused_and_its_value_is_not_shown() {
    for (builder, field) in [
        (Client::builder("a b"), "target"),
        (Client::builder("localhost:1").api_key("se\ncret"), "api_key"),
        (Client::builder("localhost:1").metadata("Näme", "secret"), "metadata"),
    ] {
        let error = builder.build().unwrap_err();
        assert_eq!(*error.kind(), ErrorKind::InvalidArgument);
        assert_eq!(error.violations()[0].field, field);
        assert!(!format!("{error}{error:?}").contains("cret"));
    }
    let shown = format!("{:?}", Client::builder("localhost:1").api_key("secret"));
    assert!(!shown.contains("secret"), "{shown}");
}

#[tokio::test]
async fn who_has_waited_long_enough_is_not_told_that_the_call_was_given_up() {
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let client = Client::connect(silent.local_addr().unwrap().to_string()).unwrap();
    for milliseconds in 0..30 {
        let limit = Duration::from_millis(milliseconds);
        let error = client.server_info().timeout(limit).await.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::DeadlineExceeded), "{milliseconds} ms: {error}");
    }
}

use tablestate::v1::play_answer::Result as Outcome;
use tablestate::v1::play_request::Message as Sent;
use tablestate::v1::play_response::Message as Told;
use tablestate::v1::*;
use tablestate::{Client, ErrorKind, Play, SeatCredential, new_token};
use tonic::codegen::tokio_stream::StreamExt;
use tonic::{Code, Status, Streaming};

use crate::support::{Fake, Items, MATCH, Seen, shutting_down, update};

/// What a server tells on one stream: after so many requests, these.
type Script = Vec<(usize, Result<Told, Status>)>;

/// A client whose plays get one stream after the other, and what they send.
fn playing(scripts: Vec<Script>) -> (Client, Seen<Sent>) {
    let (sent, streams) = (Seen::none(), Seen::none());
    let seen = sent.clone();
    let fake =
        Fake::default().dialogue("MatchService/Play", move |requests: Streaming<PlayRequest>| {
            let script = scripts[streams.add(()) - 1].clone();
            Box::pin(told(script, requests, seen.clone())) as Items<PlayResponse>
        });
    (fake.client(), sent)
}

fn told(
    script: Script,
    mut requests: Streaming<PlayRequest>,
    seen: Seen<Sent>,
) -> impl tonic::codegen::tokio_stream::Stream<Item = Result<PlayResponse, Status>> {
    async_stream::stream! {
        let (mut taken, mut ids) = (0, Vec::new());
        for (after, told) in script {
            while taken < after {
                let request = requests.next().await.unwrap().unwrap().message.unwrap();
                taken += 1;
                if let Sent::Action(action) = &request {
                    ids.push(action.request_id.clone());
                }
                seen.add(request);
            }
            yield told.map(|message| PlayResponse { message: Some(named(message, &ids)) });
        }
    }
}

/// An answer goes to the last request.
fn named(message: Told, ids: &[String]) -> Told {
    match message {
        Told::Answer(answer) => {
            Told::Answer(PlayAnswer { request_id: ids.last().unwrap().clone(), ..answer })
        }
        told => told,
    }
}

fn play(client: &Client) -> Play {
    client.player(SeatCredential::new(MATCH, 0, new_token())).play()
}

fn turn(version: u64) -> Result<Told, Status> {
    Ok(Told::Update(MatchUpdate { actors: vec![0], ..update(version, MatchPhase::Running) }))
}

fn over(version: u64) -> Result<Told, Status> {
    Ok(Told::Update(update(version, MatchPhase::Over)))
}

fn taken(version: u64) -> Result<Told, Status> {
    Ok(Told::Answer(PlayAnswer { result: Some(Outcome::Version(version)), ..Default::default() }))
}

fn refused(code: Code, reason: ErrorReason) -> Result<Told, Status> {
    let refusal = PlayRefusal { code: code as i32, reason: reason.into(), ..Default::default() };
    Ok(Told::Answer(PlayAnswer { result: Some(Outcome::Refusal(refusal)), ..Default::default() }))
}

#[tokio::test]
async fn turns_come_in_and_actions_go_out() {
    let (client, sent) = playing(vec![vec![(1, turn(4)), (2, over(5)), (2, taken(5))]]);
    let mut play = play(&client);
    assert_eq!(play.next_turn().await.unwrap().unwrap().version, 4);
    assert_eq!(play.act("e3e4").await.unwrap(), 5);
    assert_eq!(play.next_turn().await.unwrap(), None);
    let [Sent::Begin(begin), Sent::Action(action)] = &sent.all()[..] else { panic!("two") };
    assert_eq!((begin.after_version, begin.include_legal_actions), (None, true));
    assert_eq!(action.expected_version, Some(4));
}

#[tokio::test]
async fn an_action_without_an_answer_is_sent_again_on_the_next_stream() {
    let (client, sent) = playing(vec![
        vec![(1, turn(4)), (2, Err(shutting_down()))],
        vec![(2, turn(5)), (2, taken(5)), (2, over(6))],
    ]);
    let mut play = play(&client);
    play.next_turn().await.unwrap();
    assert_eq!(play.act(7).await.unwrap(), 5);
    assert_eq!(play.next_turn().await.unwrap().unwrap().version, 5);
    let [_, first, Sent::Begin(begin), again] = &sent.all()[..] else { panic!("four") };
    assert_eq!(first, again);
    assert_eq!(begin.after_version, Some(4));
}

#[tokio::test]
async fn an_action_whose_answer_the_end_has_swallowed_is_asked_for_apart() {
    let (sent, asked) = (Seen::none(), Seen::none());
    let (seen, again) = (sent.clone(), asked.clone());
    let fake = Fake::default()
        .dialogue("MatchService/Play", move |requests| {
            let script = vec![(1, turn(4)), (2, over(5))];
            Box::pin(told(script, requests, seen.clone())) as Items<PlayResponse>
        })
        .unary("MatchService/SubmitAction", move |request: SubmitActionRequest| {
            again.add(request);
            Ok(SubmitActionResponse { update: Some(update(5, MatchPhase::Over)) })
        });
    let mut play = play(&fake.client());
    play.next_turn().await.unwrap();
    assert_eq!(play.act("e3e4").await.unwrap(), 5);
    assert_eq!(play.next_update().await.unwrap().unwrap().version, 5);
    assert_eq!(play.next_update().await.unwrap(), None);
    let [_, Sent::Action(action)] = &sent.all()[..] else { panic!("two") };
    let [request] = &asked.all()[..] else { panic!("one") };
    assert_eq!(request.request_id, action.request_id);
    assert_eq!((request.expected_version, &request.choice), (Some(4), &action.choice));
}

#[tokio::test]
async fn a_refused_action_ends_nothing() {
    let (client, _) = playing(vec![vec![
        (1, turn(4)),
        (2, refused(Code::Aborted, ErrorReason::StaleVersion)),
        (3, turn(5)),
        (3, taken(5)),
        (3, over(6)),
    ]]);
    let mut play = play(&client);
    play.next_turn().await.unwrap();
    let error = play.act(0).await.unwrap_err();
    assert_eq!((error.code(), error.intent().is_some()), (Code::Aborted, true));
    assert_eq!(*error.kind(), ErrorKind::Other);
    assert_eq!(play.act(1).await.unwrap(), 5);
    for version in [5, 6] {
        assert_eq!(play.next_update().await.unwrap().unwrap().version, version);
    }
    assert_eq!(play.next_update().await.unwrap(), None);
}

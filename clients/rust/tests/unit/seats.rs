use tablestate::v1::*;
use tablestate::{SeatCredential, new_token};

use crate::support::{Fake, MATCH, Seen, items, update};

fn drawn(version: u64, phase: MatchPhase, seat: u32) -> MatchUpdate {
    MatchUpdate { your_seat: Some(seat), ..update(version, phase) }
}

#[tokio::test]
async fn a_player_whose_seat_is_drawn_learns_it_by_a_watch_and_keeps_its_key() {
    let fake = Fake::default().stream("MatchService/WatchMatches", |_: WatchMatchesRequest| {
        let told = [
            update(1, MatchPhase::Waiting),
            drawn(2, MatchPhase::Running, 3),
            drawn(3, MatchPhase::Over, 3),
        ];
        items(told.map(|told| Ok(WatchMatchesResponse { update: Some(told) })).into())
    });
    let credential = SeatCredential::new(MATCH, 0, new_token());
    let player = fake.client().player(credential.clone());
    let (mut seats, mut updates) = (Vec::new(), player.watch().stream());
    while updates.try_next().await.unwrap().is_some() {
        seats.push(player.seat());
    }
    assert_eq!(seats, [0, 3, 3]);
    assert_eq!(player.credential(), credential.at(3));
}

#[tokio::test]
async fn a_view_and_an_action_tell_the_seat_too() {
    let fake = Fake::default()
        .unary("MatchService/GetView", |_: GetViewRequest| {
            Ok(GetViewResponse { seat: Some(2), ..Default::default() })
        })
        .unary("MatchService/SubmitAction", |_: SubmitActionRequest| {
            Ok(SubmitActionResponse { update: Some(drawn(5, MatchPhase::Running, 1)) })
        });
    let player = fake.client().player(SeatCredential::new(MATCH, 0, new_token()));
    player.view().await.unwrap();
    assert_eq!(player.seat(), 2);
    player.submit(0).await.unwrap();
    assert_eq!(player.seat(), 1);
}

#[tokio::test]
async fn a_watch_reveals_what_the_seat_has_promised_when_it_is_due() {
    let revealed = Seen::none();
    let seen = revealed.clone();
    let fake = Fake::default()
        .unary("MatchService/JoinMatch", |_: JoinMatchRequest| Ok(JoinMatchResponse::default()))
        .unary("MatchService/RevealEntropy", move |request: RevealEntropyRequest| {
            seen.add(request.entropy);
            Ok(RevealEntropyResponse::default())
        })
        .stream("MatchService/WatchMatches", |_: WatchMatchesRequest| {
            let due = MatchUpdate { entropy_awaited: vec![0], ..update(1, MatchPhase::Waiting) };
            let told = [due, update(2, MatchPhase::Aborted)];
            items(told.map(|told| Ok(WatchMatchesResponse { update: Some(told) })).into())
        });
    let player = fake.client().join(MATCH).entropy().await.unwrap();
    let mut updates = player.watch().stream();
    while updates.try_next().await.unwrap().is_some() {}
    assert_eq!(revealed.all(), [player.credential().entropy()]);
}

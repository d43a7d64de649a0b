use tablestate::v1::{ActionForm, BatchShape, WantedParts};
use tablestate::v1::{OpenBatch, SimulateRequest, SimulateResponse, WatchSubscription};
use tablestate::{Client, Error, ErrorKind, HostCredential, SeatCredential, Watched};

use crate::support::{Fake, MATCH};

/// The field of a refusal, and what was told of it.
fn fault(refused: &Error) -> (&str, &str) {
    assert_eq!(refused.kind(), &ErrorKind::InvalidArgument);
    let [fault] = refused.violations() else { panic!("{refused}") };
    (&fault.field, &fault.description)
}

async fn refusal_of_watch<W: Into<Watched>>(client: &Client, watched: Vec<W>) -> Error {
    client.watch(watched).stream().try_next().await.unwrap_err()
}

#[tokio::test]
async fn something_is_watched_and_nothing_twice() {
    let client = Fake::default().client();
    let one = WatchSubscription { match_id: MATCH.into(), ..Default::default() };
    let refused = refusal_of_watch(&client, Vec::<Watched>::new()).await;
    assert_eq!(fault(&refused), ("watched", "must be one match or more"));
    let refused = refusal_of_watch(&client, vec![one.clone(), one]).await;
    assert_eq!(fault(&refused), ("watched", &*format!("{MATCH:?}: must be named once")));
}

#[tokio::test]
async fn without_a_token_nobody_is_a_player_or_a_host() {
    let client = Fake::default().client();
    let key = SeatCredential::new(MATCH, 0, []);
    let player = client.player(key.clone());
    for refused in [
        player.get().await.unwrap_err(),
        player.view().await.unwrap_err(),
        player.replay().await.unwrap_err(),
        player.verify_replay().await.unwrap_err(),
        player.watch().stream().try_next().await.unwrap_err(),
        refusal_of_watch(&client, vec![&key]).await,
    ] {
        assert_eq!(fault(&refused), ("seat_token", "must be 32 bytes"));
    }
    let refused = client.host(HostCredential::new(MATCH, [])).get().await.unwrap_err();
    assert_eq!(fault(&refused), ("host_token", "must be 32 bytes"));
}

#[tokio::test]
async fn a_step_of_another_length_leaves_the_stream_as_it_is() {
    let fake = Fake::default().dialogue("EngineService/Simulate", |mut sent| {
        Box::pin(async_stream::try_stream! {
            while let Some(SimulateRequest { .. }) = sent.message().await? {
                let shape = Some(BatchShape { size: 2, ..Default::default() });
                yield SimulateResponse { shape, ..Default::default() };
            }
        })
    });
    let mut simulation = fake.client().simulation();
    simulation.open(1, OpenBatch::default()).await.unwrap();
    let mut step = async |length| {
        let wanted = WantedParts::default();
        simulation.step(1, ActionForm::Index, vec![0; length], wanted).await
    };
    let refused = step(3).await.unwrap_err();
    assert_eq!(fault(&refused), ("actions", "3 bytes: must be 4, 2 for each slot"));
    assert!(step(4).await.is_ok());
}

//! Every call against a service that runs: TABLESTATE_TARGET names it.

use std::collections::BTreeSet;
use std::time::Duration;

use tablestate::v1::*;
use tablestate::{
    Client, ErrorKind, HostCredential, HostedMatch, Intent, Result, SeatedPlayer, has_ended,
    new_token,
};

fn client() -> Client {
    let target = std::env::var("TABLESTATE_TARGET").expect("a service is named");
    Client::connect(target).unwrap()
}

fn short() -> OffboardOptions {
    OffboardOptions { points_to_win: Some(1), ..Default::default() }
}

async fn two_players(client: &Client) -> Result<(HostedMatch, SeatedPlayer, SeatedPlayer)> {
    let hosted = client.create_match(OffboardOptions::default()).await?;
    let (red, yellow) = (hosted.join().await?, hosted.join().await?);
    Ok((hosted, red, yellow))
}

#[tokio::test]
async fn the_server_tells_of_itself_and_of_its_games() -> Result<()> {
    let client = client();
    let names: Vec<_> = client.games().await?.into_iter().map(|game| game.game).collect();
    assert_eq!(client.server_info().await?.games, names);
    assert_eq!(client.game("offboard").await?.title, "Offboard");
    assert_eq!(*client.game("chess").await.unwrap_err().kind(), ErrorKind::NotFound);
    Ok(())
}

#[tokio::test]
async fn a_match_is_created_joined_played_watched_and_replayed() -> Result<()> {
    let client = client();
    let hosted = client.create_match(short()).await?;
    let player = hosted.join().display_name("Ada").await?;
    hosted.add_bot("greedy").await?;
    let mut updates = player.watch().include_legal_actions().include_view().stream();
    let mut versions = Vec::new();
    while let Some(update) = updates.try_next().await? {
        versions.push(update.version);
        let actions = update.legal_actions.unwrap_or_default().actions;
        if let Some(action) = actions.get(update.ply as usize % actions.len().max(1)) {
            player.submit(action).expected_version(update.version).await?;
        }
    }
    assert_eq!(versions, (1..=versions.len() as u64).collect::<Vec<_>>());
    let replay = client.replay(hosted.match_id()).await?;
    assert_eq!((replay.updates.len(), replay.entries.len()), (versions.len(), versions.len()));
    assert_eq!(replay.secrets.unwrap().secret.len(), 32);
    assert_eq!(player.replay().await?.r#match.phase(), MatchPhase::Over);
    let verified = client.verify_replay(hosted.match_id()).await?;
    assert_eq!(
        (verified.version, verified.flaw()),
        (versions.len() as u64, ReplayFlaw::Unspecified)
    );
    Ok(())
}

#[tokio::test]
async fn a_match_is_played_over_one_stream() -> Result<()> {
    let hosted = client().create_match(short()).await?;
    let player = hosted.join().await?;
    hosted.add_bot("greedy").await?;
    let (mut play, mut taken) = (player.play(), Vec::new());
    while let Some(turn) = play.next_turn().await? {
        let actions = turn.legal_actions.unwrap_or_default().actions;
        taken.push(play.act(&actions[turn.ply as usize % actions.len()]).await?);
    }
    assert!(taken.is_sorted() && !taken.is_empty());
    assert_eq!(player.get().await?.phase(), MatchPhase::Over);
    Ok(())
}

#[tokio::test]
async fn a_refused_action_on_a_stream_ends_nothing() -> Result<()> {
    let (_, red, _) = two_players(&client()).await?;
    let mut play = red.play();
    play.next_turn().await?;
    let refused = play.act("e5e6").await.unwrap_err();
    assert!(matches!(refused.kind(), ErrorKind::IllegalAction { action, .. } if action == "e5e6"));
    play.resign().await?;
    assert_eq!(red.get().await?.phase(), MatchPhase::Over);
    Ok(())
}

#[tokio::test]
async fn refusals_have_their_kind_and_their_facts() -> Result<()> {
    let client = client();
    let (hosted, red, yellow) = two_players(&client).await?;
    let illegal = red.submit("e5e6").await.unwrap_err();
    assert!(matches!(illegal.kind(), ErrorKind::IllegalAction { rule, .. } if !rule.is_empty()));
    let waits = yellow.submit(0).await.unwrap_err();
    assert_eq!(*waits.kind(), ErrorKind::NotTheActor { actor: Some(0), seat: Some(1) });
    let action = red.legal_actions().await?.legal_actions.unwrap_or_default().actions.remove(0);
    let stale = red.submit(&action).expected_version(1).await.unwrap_err();
    assert!(
        matches!(stale.kind(), ErrorKind::StaleVersion { expected_version: Some(1), .. }),
        "{stale}"
    );
    let options = OffboardOptions { points_to_win: Some(99), ..Default::default() };
    let wrong = client.create_match(options).await.unwrap_err();
    assert!(wrong.violations()[0].field.ends_with("points_to_win"), "{wrong}");
    let stranger = client.host(HostCredential::new(hosted.match_id(), new_token()));
    assert_eq!(*stranger.abort().await.unwrap_err().kind(), ErrorKind::PermissionDenied);
    Ok(())
}

#[tokio::test]
async fn a_call_that_is_repeated_with_its_intent_has_one_effect() -> Result<()> {
    let (client, intent) = (client(), Intent::new());
    let first = client.create_match(short()).intent(intent.clone()).await?;
    let again = client.create_match(short()).intent(intent.clone()).await?;
    assert_eq!(first.credential(), again.credential());
    let other = client.create_match(OffboardOptions::default()).intent(intent).await.unwrap_err();
    assert_eq!(*other.kind(), ErrorKind::Conflict);
    Ok(())
}

#[tokio::test]
async fn hosts_start_and_players_leave_resign_and_play_again() -> Result<()> {
    let options = OffboardOptions::default();
    let hosted = client().create_match(options).start_policy(StartPolicy::ByHost).await?;
    let (red, yellow) = (hosted.join().await?, hosted.join().await?);
    yellow.leave().await?;
    let other = hosted.join().seat(1).display_name("Grace").await?;
    assert_eq!(hosted.get().await?.seats[1].display_name, "Grace");
    assert_eq!(hosted.start().await?.change(), MatchChange::Started);
    assert_eq!(red.resign().await?.change(), MatchChange::Forfeited);
    let next = red.rematch().await?;
    assert_eq!(other.rematch().await?.match_id(), next.match_id());
    Ok(())
}

#[tokio::test]
async fn players_pause_resume_and_decline() -> Result<()> {
    let bank = TimeControl::default().with_bank(Duration::from_secs(60));
    let hosted = client().create_match(OffboardOptions::default()).time_control(bank).await?;
    let (red, yellow) = (hosted.join().await?, hosted.join().await?);
    let pause = red.propose(ProposalKind::Pause).await?;
    yellow.respond(pause.version, true).await?;
    assert!(red.get().await?.paused);
    yellow.resume().await?;
    assert_eq!(yellow.claim_timeout().await.unwrap_err().reason(), "TIME_LEFT");
    let draw = yellow.propose(ProposalKind::Draw).await?;
    assert_eq!(red.respond(draw.version, false).await?.change(), MatchChange::Declined);
    Ok(())
}

#[tokio::test]
async fn a_seat_adds_to_the_chance_of_the_match_what_it_had_promised() -> Result<()> {
    let hosted = client().create_match(short()).await?;
    let red = hosted.join().entropy().await?;
    hosted.add_bot("random").await?;
    let (mut changes, mut updates) = (Vec::new(), red.watch().stream());
    while changes.last() != Some(&MatchChange::Started) {
        changes.push(updates.try_next().await?.expect("the match starts").change());
    }
    assert!(changes.contains(&MatchChange::EntropyRevealed));
    Ok(())
}

#[tokio::test]
async fn all_chance_of_a_match_follows_from_what_was_promised() -> Result<()> {
    let call = client().create_match(OffTrackOptions::default()).seating(Seating::Random);
    let hosted = call.await?;
    let promised = hosted.get().await?.commitment;
    let player = hosted.join().entropy().await?;
    hosted.add_bot("random").await?;
    let mut play = player.play();
    for _ in 0..5 {
        let turn = play.next_turn().await?.expect("the match goes on");
        play.act(&turn.legal_actions.unwrap_or_default().actions[0]).await?;
    }
    play.resign().await?;
    let mut replay = player.replay().await?;
    assert_eq!(replay.check_chance(&promised), Ok(()));
    assert!(replay.check_chance(&[0; 32]).is_err());
    let drawn = replay.entries.iter_mut().rfind(|entry| !entry.draws.is_empty()).unwrap();
    drawn.draws[0] ^= 1;
    let version = drawn.version;
    let unfair = replay.check_chance(&promised).unwrap_err().to_string();
    assert!(unfair.starts_with(&format!("entry {version}:")), "{unfair}");
    Ok(())
}

#[tokio::test]
async fn a_position_is_searched_forked_and_played_out() -> Result<()> {
    let client = client();
    let (hosted, red, _) = two_players(&client).await?;
    let shown = red.view().await?;
    let options = red.get().await?.options.unwrap();
    let search = client.search(options.clone(), shown.view.clone().unwrap(), 0);
    let answer = search.iterations(200).await?;
    assert!(answer.done && answer.actions[0].visits > 0);
    let fork = client.fork_match(hosted.match_id(), shown.version).await?;
    assert_eq!(fork.get().await?.forked_from.unwrap().match_id, hosted.match_id());
    assert_eq!(client.playout(short(), 3).seed(1).await?.finished, 3);
    let perft = client.perft(options, 1).divide().await?;
    assert_eq!(perft.divisions.len() as u64, perft.sequences);
    Ok(())
}

#[tokio::test]
async fn a_tree_is_searched_with_the_caller_as_judge() -> Result<()> {
    let client = client();
    let (_, red, _) = two_players(&client).await?;
    let shown = red.view().await?;
    let root = search_root::Root::View(shown.view.unwrap());
    let open = OpenEvaluate {
        options: Some(OffboardOptions::default().into()),
        roots: vec![SearchRoot { root: Some(root), seat: Some(0) }],
        simulations: 40,
        ..Default::default()
    };
    let mut search = client.evaluate(open).await?;
    while let Some(leaves) = search.leaves().await? {
        let legal = leaves.masks.iter().map(|byte| byte.count_ones()).sum::<u32>() as usize;
        let values = vec![0.0; leaves.actors.len()];
        search.answer(&vec![1.0; legal], &values)?;
    }
    let visits = search.report().unwrap().visits.chunks(4);
    let visits = visits.map(|bytes| u32::from_le_bytes(bytes.try_into().unwrap()));
    assert_eq!(visits.sum::<u32>(), 40);
    Ok(())
}

#[tokio::test]
async fn the_engine_takes_the_time_that_the_call_has() -> Result<()> {
    let client = client();
    let (_, red, _) = two_players(&client).await?;
    let view = red.view().await?.view.unwrap();
    let retry =
        tablestate::RetryPolicy { attempt_timeout: Duration::from_millis(1), ..Default::default() };
    let target = std::env::var("TABLESTATE_TARGET").unwrap();
    let hasty = Client::builder(target).retry(retry).build()?;
    let (told, found) = std::sync::mpsc::channel();
    let progress = move |_: &SearchResponse| _ = told.send(());
    let search = hasty.search(OffboardOptions::default(), view, 0).time(Duration::from_millis(400));
    assert!(search.on_progress(Duration::from_millis(50), progress).await?.done);
    assert!(found.iter().count() > 0);
    assert_eq!(hasty.playout(OffTrackOptions::default(), 200).await?.finished, 200);
    Ok(())
}

#[tokio::test]
async fn batches_of_games_are_stepped() -> Result<()> {
    let mut simulation = client().simulation();
    for batch in [1, 2] {
        let options = Some(OffTrackOptions::default().into());
        let open = OpenBatch { options, size: 4, seed: 1, ..Default::default() };
        assert_eq!(simulation.open(batch, open).await?.size, 4);
    }
    let wanted = WantedParts { flags: true, actions: true, ..Default::default() };
    let step = StepBatch { form: ActionForm::Rank.into(), actions: vec![0; 8] };
    for batch in [1, 2] {
        let step = simulate_request::Operation::Step(step.clone());
        simulation.begin(batch, step, wanted);
    }
    let first = simulation.finish().await?;
    let second = simulation.finish().await?;
    assert_eq!((first.batch, second.batch, &first.parts), (1, 2, &second.parts));
    assert_eq!(first.parts.unwrap().flags, [0; 4]);
    assert!(simulation.finish().await.is_err());
    Ok(())
}

#[tokio::test]
async fn one_watch_follows_many_matches_and_a_list_finds_them() -> Result<()> {
    let client = client();
    let mut ids = BTreeSet::new();
    for _ in 0..3 {
        let hosted = client.create_match(short()).await?;
        hosted.add_bot("random").await?;
        hosted.add_bot("random").await?;
        ids.insert(hosted.match_id().to_owned());
    }
    let (mut over, mut updates) = (BTreeSet::new(), client.watch(&ids).stream());
    while let Some(update) = updates.try_next().await? {
        if has_ended(update.phase()) {
            over.insert(update.match_id);
        }
    }
    assert_eq!(over, ids);
    let mut matches = client.list_matches().game("offboard").page_size(2).stream();
    while let Some(listed) = matches.try_next().await? {
        ids.remove(&listed.match_id);
    }
    assert!(ids.is_empty());
    Ok(())
}

#[tokio::test]
async fn what_is_the_operators_is_refused_to_others() -> Result<()> {
    let client = client();
    let (hosted, ..) = two_players(&client).await?;
    let replaced = client.replace_seat_token(hosted.match_id(), 0).await.unwrap_err();
    assert_eq!(*replaced.kind(), ErrorKind::PermissionDenied);
    let revoked = client.revoke_seat_token(hosted.match_id(), 0).await.unwrap_err();
    assert_eq!(*revoked.kind(), ErrorKind::PermissionDenied);
    let mut feed = client.watch_feed().feed_secret("not the one").stream();
    assert_eq!(*feed.try_next().await.unwrap_err().kind(), ErrorKind::PermissionDenied);
    Ok(())
}

#[tokio::test]
async fn plain_clients_use_the_same_connection() -> Result<()> {
    let transport = client().transport();
    let mut plain = catalog_service_client::CatalogServiceClient::new(transport);
    let info = plain.get_server_info(GetServerInfoRequest {}).await?.into_inner();
    assert_eq!(info.games.len(), 4);
    Ok(())
}

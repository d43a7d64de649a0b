//! Every call of the contract once, and whether what comes back is what was asked for.

use std::collections::BTreeMap;
use std::time::Duration;

use tablestate::Client;
use tablestate::v1::*;

use crate::checks::{Check, expect, require, told};

/// Plays all scenes; for each method `passed`, or why its scene has failed.
pub(crate) async fn make_all(player: &Client, operator: &Client) -> BTreeMap<String, String> {
    let scenes = [
        (catalog(player).await, "CatalogService/GetServerInfo CatalogService/ListGames"),
        (
            hosting(player).await,
            "MatchService/CreateMatch MatchService/JoinMatch MatchService/LeaveSeat \
             MatchService/AddBot MatchService/GetMatch MatchService/ListMatches \
             MatchService/StartMatch MatchService/AbortMatch",
        ),
        (
            playing(player).await,
            "MatchService/ListLegalActions MatchService/GetView MatchService/SubmitAction \
             MatchService/Resign MatchService/WatchMatches MatchService/GetReplay \
             MatchService/VerifyReplay MatchService/ForkMatch MatchService/Rematch",
        ),
        (chance(player).await, "MatchService/RevealEntropy"),
        (
            manners(player).await,
            "MatchService/Propose MatchService/Respond MatchService/ResumeMatch",
        ),
        (time(player).await, "MatchService/ClaimTimeout"),
        (play(player).await, "MatchService/Play"),
        (analysis(player).await, "EngineService/Playout EngineService/Perft EngineService/Search"),
        (simulate(player).await, "EngineService/Simulate"),
        (evaluate(player).await, "EngineService/Evaluate"),
        (
            operating(operator).await,
            "MatchService/ReplaceSeatToken MatchService/RevokeSeatToken MatchService/WatchFeed",
        ),
    ];
    let made = scenes.into_iter().flat_map(|(check, methods)| {
        let how = told(check);
        methods.split(' ').map(move |method| (format!("tablestate.v1.{method}"), how.clone()))
    });
    made.collect()
}

fn offboard() -> OffboardOptions {
    OffboardOptions::default()
}

/// The server tells of itself and of its games.
async fn catalog(client: &Client) -> Check {
    let names: Vec<_> = client.games().await?.into_iter().map(|game| game.game).collect();
    expect("games", names, client.server_info().await?.games)
}

/// A match is made, filled, found, started and aborted.
async fn hosting(client: &Client) -> Check {
    let call = client.create_match(offboard()).start_policy(StartPolicy::ByHost);
    let hosted = call.metadata("table", "7").await?;
    hosted.join().display_name("Ada").await?;
    let guest = hosted.join().await?;
    expect("who left", guest.leave().await?.seat, Some(guest.seat()))?;
    expect("seat of the bot", hosted.add_bot("random").await?.seat, guest.seat())?;
    expect("metadata", hosted.get().await?.metadata.get("table"), Some(&"7".to_owned()))?;
    let mut listed = client.list_matches().phase(MatchPhase::Waiting).stream();
    let mut is_listed = false;
    while let Some(found) = listed.try_next().await? {
        is_listed |= found.match_id == hosted.match_id();
    }
    require("the match is not listed", is_listed)?;
    expect("change", hosted.start().await?.change(), MatchChange::Started)?;
    expect("phase", hosted.abort().await?.phase(), MatchPhase::Aborted)
}

/// A match is played a little, watched, given up, replayed, verified, forked, played again.
async fn playing(client: &Client) -> Check {
    let hosted = client.create_match(offboard()).await?;
    let (red, yellow) = (hosted.join().await?, hosted.join().await?);
    let legal = red.legal_actions().await?;
    expect("version", red.view().await?.version, legal.version)?;
    let action = &legal.legal_actions.unwrap_or_default().actions[0];
    let taken = red.submit(action).expected_version(legal.version).await?;
    expect("version", taken.version, legal.version + 1)?;
    let resigned = yellow.resign().await?;
    let (mut versions, mut updates) = (Vec::new(), red.watch().stream());
    while let Some(update) = updates.try_next().await? {
        versions.push(update.version);
    }
    expect("versions", versions, (1..=resigned.version).collect::<Vec<_>>())?;
    let replayed = client.replay(hosted.match_id()).await?;
    expect("entries", replayed.entries.len() as u64, resigned.version)?;
    let verified = client.verify_replay(hosted.match_id()).await?;
    expect("flaw", verified.flaw(), ReplayFlaw::Unspecified)?;
    let fork = client.fork_match(hosted.match_id(), taken.version).await?;
    let source = MatchVersion { match_id: hosted.match_id().into(), version: taken.version };
    expect("source", fork.get().await?.forked_from, Some(source))?;
    expect("seat of the rematch", red.rematch().await?.seat(), yellow.seat())
}

/// A seat adds to the chance of its match.
async fn chance(client: &Client) -> Check {
    let hosted = client.create_match(OffTrackOptions::default()).await?;
    let player = hosted.join().entropy().await?;
    hosted.add_bot("random").await?;
    player.reveal_entropy().await?;
    expect("phase", hosted.get().await?.phase(), MatchPhase::Running)
}

/// Players decline a draw, stop the clocks and let them go on.
async fn manners(client: &Client) -> Check {
    let clocks = TimeControl::default().with_bank(Duration::from_secs(60));
    let hosted = client.create_match(offboard()).time_control(clocks).await?;
    let (red, yellow) = (hosted.join().await?, hosted.join().await?);
    let draw = red.propose(ProposalKind::Draw).await?;
    let declined = yellow.respond(draw.version, false).await?;
    expect("change", declined.change(), MatchChange::Declined)?;
    let pause = red.propose(ProposalKind::Pause).await?;
    yellow.respond(pause.version, true).await?;
    require("the match is not paused", hosted.get().await?.paused)?;
    red.resume().await?;
    require("the match is paused", !hosted.get().await?.paused)
}

/// A player runs out of time, and the other claims it.
async fn time(client: &Client) -> Check {
    let limits = TimeControl::default().with_turn_limit(Duration::from_secs(1)).by_claim();
    let hosted = client.create_match(offboard()).time_control(limits).await?;
    let (red, yellow) = (hosted.join().await?, hosted.join().await?);
    tokio::time::sleep(Duration::from_millis(1100)).await;
    expect("who was out of time", yellow.claim_timeout().await?.seat, Some(red.seat()))
}

/// A seat is played over one stream.
async fn play(client: &Client) -> Check {
    let quick = OffboardOptions { points_to_win: Some(1), ..offboard() };
    let hosted = client.create_match(quick).await?;
    let player = hosted.join().await?;
    hosted.add_bot("greedy").await?;
    let (mut turns, mut play) = (0, player.play());
    while let Some(turn) = play.next_turn().await? {
        play.act(&turn.legal_actions.unwrap_or_default().actions[0]).await?;
        turns += 1;
    }
    require("no turn was played", turns > 0)?;
    expect("phase", hosted.get().await?.phase(), MatchPhase::Over)
}

/// Games are played out, counted and searched.
async fn analysis(client: &Client) -> Check {
    expect("games", client.playout(offboard(), 3).seed(1).await?.finished, 3)?;
    let counted = client.perft(offboard(), 1).divide().await?;
    expect("actions", counted.divisions.len() as u64, counted.sequences)?;
    let view = first_view(client).await?;
    let found = client.search(offboard(), view, 0).iterations(50).await?;
    require("nothing was found", found.done && found.actions[0].visits > 0)
}

/// A batch of games makes a step.
async fn simulate(client: &Client) -> Check {
    let mut simulation = client.simulation();
    let options = Some(offboard().into());
    let open = OpenBatch { options, size: 8, seed: 1, ..Default::default() };
    expect("size", simulation.open(1, open).await?.size, 8)?;
    let wanted = WantedParts { actors: true, flags: true, ..Default::default() };
    let stepped = simulation.step(1, ActionForm::Rank, vec![0; 16], wanted).await?;
    let parts = stepped.parts.unwrap_or_default();
    expect("flags", parts.flags, vec![0; 8])?;
    expect("actors", parts.actors, vec![1; 8])
}

/// A search asks what its leaves are worth.
async fn evaluate(client: &Client) -> Check {
    let root = search_root::Root::View(first_view(client).await?);
    let open = OpenEvaluate {
        options: Some(offboard().into()),
        roots: vec![SearchRoot { root: Some(root), seat: Some(0) }],
        simulations: 16,
        ..Default::default()
    };
    let mut search = client.evaluate(open).await?;
    while let Some(leaves) = search.leaves().await? {
        let legal: u32 = leaves.masks.iter().map(|byte| byte.count_ones()).sum();
        let values = vec![0.0; leaves.actors.len()];
        search.answer(&vec![1.0; legal as usize], &values)?;
    }
    let report = search.report().ok_or("no report")?;
    let visits = report.visits.as_chunks::<4>().0.iter().copied().map(u32::from_le_bytes);
    expect("simulations", visits.sum::<u32>(), 16)
}

async fn first_view(client: &Client) -> Check<GameView> {
    let hosted = client.create_match(offboard()).await?;
    let player = hosted.join().await?;
    hosted.join().await?;
    Ok(player.view().await?.view.ok_or("no view")?)
}

/// An operator gives a seat another token, takes it away, and follows all matches.
async fn operating(client: &Client) -> Check {
    let hosted = client.create_match(offboard()).await?;
    hosted.join().await?;
    let other = client.replace_seat_token(hosted.match_id(), 0).await?;
    expect("seat", other.view().await?.seat, Some(0))?;
    let revoked = client.revoke_seat_token(hosted.match_id(), 0).await?;
    expect("seat", revoked.seat, Some(0))?;
    let mut feed = client.watch_feed().stream();
    loop {
        let item = feed.try_next().await?.ok_or("the feed has ended")?.item.unwrap_or_default();
        if item.match_id == hosted.match_id() && item.kind() == FeedKind::Created {
            return Ok(());
        }
    }
}

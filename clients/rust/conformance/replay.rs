//! Recorded games, played again through the client and compared with what every viewer receives.

use std::collections::BTreeMap;
use std::sync::Arc;

use tablestate::v1::{ActionChoice, GameEvent, LegalAction, MatchPhase};
use tablestate::{Client, HostedMatch, SeatedPlayer, Watch};
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

use crate::checks::{Check, expect, require, told};
use crate::vectors::{Step, Vector, Viewer};

const AT_ONCE: usize = 8;
const ALL_VIEWS_EVERY: u32 = 10;

/// Creates all matches in order, then plays some at once; how each went.
pub(crate) async fn all(
    client: &Client,
    vectors: &Arc<Vec<Vector>>,
) -> Check<BTreeMap<String, String>> {
    let turns = Arc::new(Semaphore::new(AT_ONCE));
    let mut games = Vec::new();
    for number in 0..vectors.len() {
        let hosted = client.create_match(vectors[number].options.clone()).await?;
        let (client, vectors, turns) = (client.clone(), vectors.clone(), turns.clone());
        games.push(tokio::spawn(async move {
            let _turn = turns.acquire().await?;
            replay(Game { client, hosted, vector: &vectors[number] }).await
        }));
    }
    let mut results = BTreeMap::new();
    for (vector, game) in vectors.iter().zip(games) {
        results.insert(vector.name.clone(), told(game.await?));
    }
    Ok(results)
}

/// A game that is played again.
struct Game<'a> {
    client: Client,
    hosted: HostedMatch,
    vector: &'a Vector,
}

async fn replay(game: Game<'_>) -> Check {
    let Vector { match_id, seats, steps, .. } = game.vector;
    expect("match id", game.hosted.match_id(), match_id.as_str())?;
    let mut players = Vec::new();
    for _ in 0..*seats {
        players.push(game.hosted.join().await?);
    }
    let watches = players.iter().map(|player| (Some(player.seat()), events(player.watch())));
    let watches: Vec<_> =
        [(None, events(game.hosted.watch()))].into_iter().chain(watches).collect();
    // Created, each seat taken, started: this is the version of ply 0.
    let first = u64::from(*seats) + 2;
    for pair in steps.windows(2) {
        game.take(&players, &pair[0], &pair[1], first + u64::from(pair[0].ply)).await?;
    }
    let last = steps.last().ok_or("no steps")?;
    game.check_all_views(&players, last, first + u64::from(last.ply)).await?;
    game.check_end().await?;
    for (viewer, watch) in watches {
        check_events(viewer, &watch.await??, steps)?;
    }
    Ok(())
}

impl Game<'_> {
    /// Looks at a position, and takes the action of the next step in it.
    async fn take(
        &self,
        players: &[SeatedPlayer],
        before: &Step,
        after: &Step,
        version: u64,
    ) -> Check {
        let (seat, action) = after.action.as_ref().ok_or("no action")?;
        let player = &players[*seat as usize];
        check_legal(player, before, action, version).await?;
        match before.ply % ALL_VIEWS_EVERY {
            0 => self.check_all_views(players, before, version).await?,
            _ => self.check_view(Some(player), before, version).await?,
        }
        let choice = named(action, after.ply);
        let update = player.submit(choice).expected_version(version).await?;
        expect(&format!("ply after {}", after.ply), update.ply, after.ply)
    }

    async fn check_all_views(&self, players: &[SeatedPlayer], step: &Step, version: u64) -> Check {
        for player in players.iter().map(Some).chain([None]) {
            self.check_view(player, step, version).await?;
        }
        Ok(())
    }

    async fn check_view(&self, player: Option<&SeatedPlayer>, step: &Step, version: u64) -> Check {
        let call = match player {
            Some(player) => player.view(),
            None => self.client.view(self.hosted.match_id()),
        };
        let shown = call.version(version).await?;
        let viewer = player.map(SeatedPlayer::seat);
        let what = format!("view of {viewer:?} at ply {}", step.ply);
        expect(&what, shown.view.as_ref(), step.views.get(&viewer))
    }

    async fn check_end(&self) -> Check {
        let ended = self.hosted.get().await?;
        expect("phase", ended.phase(), MatchPhase::Over)?;
        expect("outcome", ended.outcome.as_ref(), Some(&self.vector.outcome))
    }
}

/// The actor's legal actions are those of the mask, and among them is the one to be taken.
async fn check_legal(
    player: &SeatedPlayer,
    before: &Step,
    next: &LegalAction,
    version: u64,
) -> Check {
    let at = |what: &str| format!("{what} at ply {}", before.ply);
    expect(&at("actors"), &[player.seat()][..], &before.actors[..])?;
    let answer = player.legal_actions().await?;
    let legal = answer.legal_actions.unwrap_or_default();
    expect(&at("version"), answer.version, version)?;
    expect(&at("mask"), &legal.mask, &before.legal_mask)?;
    let indices: Vec<_> = legal.actions.iter().map(|action| action.index).collect();
    expect(&at("indices"), indices, bits(&before.legal_mask))?;
    require(&at("the action is not legal"), legal.actions.contains(next))
}

fn bits(mask: &[u8]) -> Vec<u32> {
    let bytes = (0..).zip(mask);
    let all = bytes.flat_map(|(at, byte)| (0..8).map(move |bit| (8 * at + bit, byte >> bit & 1)));
    all.filter(|(_, bit)| *bit == 1).map(|(index, _)| index).collect()
}

/// The action of a step by one of its names, in turn.
fn named(action: &LegalAction, ply: u32) -> ActionChoice {
    match ply % 3 {
        0 => action.index.into(),
        1 => action.notation.as_str().into(),
        _ => action.action.clone().unwrap_or_default().into(),
    }
}

/// The events of every entry, told by one stream that ends when the match does.
fn events(watch: Watch) -> JoinHandle<Check<Vec<Vec<GameEvent>>>> {
    tokio::spawn(async move {
        let (mut told, mut updates) = (Vec::new(), watch.stream());
        while let Some(update) = updates.try_next().await? {
            told.push(update.events);
        }
        Ok(told)
    })
}

/// The last entries are the start and the actions.
fn check_events(viewer: Viewer, told: &[Vec<GameEvent>], steps: &[Step]) -> Check {
    let before = told.len().checked_sub(steps.len()).ok_or("too few entries were told")?;
    for (step, events) in steps.iter().zip(&told[before..]) {
        let what = format!("events of {viewer:?} at ply {}", step.ply);
        expect(&what, Some(events), step.events.get(&viewer))?;
    }
    Ok(())
}

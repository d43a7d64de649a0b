//! Plays a match against a bot: `cargo run --example play -- 127.0.0.1:50051 offboard`.
//!
//! It needs a service, which `tablestate serve` starts.

use tablestate::{Client, game_options};

#[tokio::main]
async fn main() -> tablestate::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let target = arguments.next().unwrap_or_else(|| "127.0.0.1:50051".into());
    let game = arguments.next().unwrap_or_else(|| "offboard".into());

    let client = Client::connect(target)?;
    let hosted = client.create_match(game_options(&game)?).await?;
    let player = hosted.join().display_name("Ada").await?;
    hosted.add_bot("greedy").await?;

    let mut updates = player.watch().include_legal_actions().stream();
    while let Some(update) = updates.try_next().await? {
        if let Some(outcome) = update.outcome {
            println!("{}, scores {:?}", outcome.reason().as_str_name(), outcome.scores);
        } else if update.actors.contains(&player.seat()) {
            let actions = update.legal_actions.unwrap_or_default().actions;
            let action = &actions[update.ply as usize % actions.len()];
            player.submit(action).expected_version(update.version).await?;
        }
    }
    Ok(())
}

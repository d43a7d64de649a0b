package dev.tablestate.examples;

import dev.tablestate.client.Games;
import dev.tablestate.client.HostedMatch;
import dev.tablestate.client.JoinOptions;
import dev.tablestate.client.SeatedPlayer;
import dev.tablestate.client.SubmitOptions;
import dev.tablestate.client.TablestateClient;
import dev.tablestate.client.WatchOptions;
import dev.tablestate.v1.LegalActions;
import dev.tablestate.v1.MatchUpdate;
import dev.tablestate.v1.Outcome;
import java.util.Random;

/** Plays a whole match of any game against a bot, by chance: {@code PlayMatch host:port game}. */
public final class PlayMatch {
  private PlayMatch() {}

  /** Plays it, and prints every action and how it ended. */
  public static void main(String[] arguments) {
    String target = arguments.length > 0 ? arguments[0] : "127.0.0.1:50051";
    String game = arguments.length > 1 ? arguments[1] : "offboard";
    try (TablestateClient client = TablestateClient.connect(target)) {
      HostedMatch match = client.createMatch(Games.options(game));
      SeatedPlayer player = match.join(JoinOptions.named("Ada"));
      match.addBot("greedy");
      play(player, new Random(1));
    }
  }

  private static void play(SeatedPlayer player, Random chooser) {
    WatchOptions options = WatchOptions.builder().includeLegalActions(true).build();
    for (MatchUpdate update : player.watch(options)) {
      LegalActions legal = update.getLegalActions();
      if (legal.getActionsCount() > 0) {
        String notation = legal.getActions(chooser.nextInt(legal.getActionsCount())).getNotation();
        System.out.println(update.getPly() + ": " + notation);
        player.submit(notation, SubmitOptions.at(update.getVersion()));
      }
      if (update.hasOutcome()) {
        Outcome outcome = update.getOutcome();
        System.out.println(outcome.getReason() + ", scores " + outcome.getScoresList());
      }
    }
  }
}

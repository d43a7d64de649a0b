package dev.tablestate.client;

import dev.tablestate.v1.GetReplayResponse;
import dev.tablestate.v1.Match;
import dev.tablestate.v1.MatchUpdate;
import dev.tablestate.v1.RecordedEntry;
import dev.tablestate.v1.ReplaySecrets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A match from its first entry to its last, as a viewer may know it. */
public final class Replay {
  private Match match = Match.getDefaultInstance();
  private final List<MatchUpdate> updates = new ArrayList<>();
  private final List<RecordedEntry> entries = new ArrayList<>();
  private @Nullable ReplaySecrets secrets;

  private Replay() {}

  static Replay of(List<GetReplayResponse> parts) {
    Replay replay = new Replay();
    parts.forEach(replay::add);
    return replay;
  }

  private void add(GetReplayResponse part) {
    switch (part.getPartCase()) {
      case MATCH:
        match = part.getMatch();
        break;
      case UPDATE:
        updates.add(part.getUpdate());
        break;
      case RECORDED:
        entries.add(part.getRecorded());
        break;
      case SECRETS:
        secrets = part.getSecrets();
        break;
      default: // A part that is newer than this client.
    }
  }

  /** The match as it stands. */
  public Match getMatch() {
    return match;
  }

  /** Every entry as the viewer may know it. */
  public List<MatchUpdate> getUpdates() {
    return Collections.unmodifiableList(updates);
  }

  /** The full record; empty unless the match has ended and reveals its secret at the end. */
  public List<RecordedEntry> getEntries() {
    return Collections.unmodifiableList(entries);
  }

  /** What was secret while the match was running; null without a full record. */
  public @Nullable ReplaySecrets getSecrets() {
    return secrets;
  }
}

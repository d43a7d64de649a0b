package dev.tablestate.client;

import com.google.protobuf.ByteString;
import java.util.LinkedHashMap;
import java.util.Map;

/** The key to a match: start it, add bots, abort it. Keep it secret. */
public final class HostCredential {
  private final String matchId;
  private final ByteString token;

  /** Names the match and its host token. */
  public HostCredential(String matchId, ByteString token) {
    this.matchId = Arguments.given("match_id", matchId);
    this.token = Arguments.token("host_token", token);
  }

  /** The match's id. */
  public String getMatchId() {
    return matchId;
  }

  /** The host's token. */
  public ByteString getToken() {
    return token;
  }

  /** The credential as plain texts, fit for JSON. They hold the secret. */
  public Map<String, Object> save() {
    Map<String, Object> saved = new LinkedHashMap<>();
    saved.put("match_id", matchId);
    saved.put("host_token", Secrets.hex(token));
    return saved;
  }

  /** Reads what {@link #save} returned; throws InvalidArgumentException if it is damaged. */
  public static HostCredential load(Map<String, ?> saved) {
    return new HostCredential(Secrets.text(saved, "match_id"), Secrets.token(saved, "host_token"));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof HostCredential
        && matchId.equals(((HostCredential) other).matchId)
        && token.equals(((HostCredential) other).token);
  }

  @Override
  public int hashCode() {
    return matchId.hashCode();
  }

  @Override
  public String toString() {
    return "HostCredential of match " + matchId;
  }
}

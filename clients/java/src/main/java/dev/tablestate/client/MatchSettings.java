package dev.tablestate.client;

import dev.tablestate.v1.AbsencePolicy;
import dev.tablestate.v1.CreateMatchRequest;
import dev.tablestate.v1.RevealPolicy;
import dev.tablestate.v1.Seating;
import dev.tablestate.v1.SpectatorPolicy;
import dev.tablestate.v1.StartPolicy;
import dev.tablestate.v1.TimeControl;
import dev.tablestate.v1.Visibility;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** What a host settles of a match; what is left out takes the server's default. */
public final class MatchSettings {
  /** Everything at the server's defaults. */
  public static final MatchSettings DEFAULT = builder().build();

  private final CreateMatchRequest fields;

  private MatchSettings(CreateMatchRequest fields) {
    this.fields = fields;
  }

  /** Begins with the server's defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** A code for {@link Builder#invitationCode}: 22 random letters, digits, "-" and "_". */
  public static String newInvitationCode() {
    return Secrets.newInvitationCode();
  }

  CreateMatchRequest.Builder request(Intent intent) {
    return fields.toBuilder().setRequestId(intent.getRequestId()).setHostToken(intent.getToken());
  }

  /** Makes settings. */
  public static final class Builder {
    private final CreateMatchRequest.Builder fields = CreateMatchRequest.newBuilder();

    private Builder() {}

    /** What becomes of a seat whose player leaves. */
    public Builder onLeave(AbsencePolicy policy) {
      fields.setOnLeave(Arguments.given("policy", policy));
      return this;
    }

    /** What becomes of a seat whose time is up. */
    public Builder onTimeout(AbsencePolicy policy) {
      fields.setOnTimeout(Arguments.given("policy", policy));
      return this;
    }

    /** Whether the seed is published at the end. */
    public Builder revealPolicy(RevealPolicy policy) {
      fields.setRevealPolicy(Arguments.given("policy", policy));
      return this;
    }

    /** When the match starts. */
    public Builder startPolicy(StartPolicy policy) {
      fields.setStartPolicy(Arguments.given("policy", policy));
      return this;
    }

    /** Who sits where. */
    public Builder seating(Seating seating) {
      fields.setSeating(Arguments.given("seating", seating));
      return this;
    }

    /** The operator's own data. */
    public Builder metadata(Map<String, String> metadata) {
      // In one order, so that a repeated call has the same bytes.
      fields.putAllMetadata(new TreeMap<>(metadata));
      return this;
    }

    /** The operator's name for whom the match belongs to. */
    public Builder tenant(String tenant) {
      fields.setTenant(Arguments.given("tenant", tenant));
      return this;
    }

    /** How much time players have, as {@link TimeControls} makes it. */
    public Builder timeControl(TimeControl control) {
      fields.setTimeControl(Arguments.given("control", control));
      return this;
    }

    /** How long the match waits for its start. */
    public Builder waitingLimit(Duration limit) {
      fields.setWaitingLimit(Times.message("waitingLimit", limit));
      return this;
    }

    /** For how long entropies are awaited, when all seats are taken. */
    public Builder entropyLimit(Duration limit) {
      fields.setEntropyLimit(Times.message("entropyLimit", limit));
      return this;
    }

    /** Who finds the match and may join it. */
    public Builder visibility(Visibility visibility) {
      fields.setVisibility(Arguments.given("visibility", visibility));
      return this;
    }

    /** For a match by invitation: made by {@link MatchSettings#newInvitationCode}. */
    public Builder invitationCode(String code) {
      fields.setInvitationCode(Arguments.given("code", code));
      return this;
    }

    /** Who may look on without a seat. */
    public Builder spectatorPolicy(SpectatorPolicy policy) {
      fields.setSpectatorPolicy(Arguments.given("policy", policy));
      return this;
    }

    /** How much later spectators see what happens. */
    public Builder spectatorDelay(Duration delay) {
      fields.setSpectatorDelay(Times.message("spectatorDelay", delay));
      return this;
    }

    /** The settings. */
    public MatchSettings build() {
      return new MatchSettings(fields.build());
    }
  }
}

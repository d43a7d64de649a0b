package dev.tablestate.client;

import com.google.protobuf.ByteString;
import dev.tablestate.v1.JoinMatchRequest;

/** Who joins, and where. */
public final class JoinOptions {
  /** The lowest open seat, without a name. */
  public static final JoinOptions DEFAULT = builder().build();

  private final JoinMatchRequest fields;
  private final boolean hasEntropy;

  private JoinOptions(JoinMatchRequest fields, boolean hasEntropy) {
    this.fields = fields;
    this.hasEntropy = hasEntropy;
  }

  /** Begins with the lowest open seat and no name. */
  public static Builder builder() {
    return new Builder();
  }

  /** A name to show, and the lowest open seat. */
  public static JoinOptions named(String displayName) {
    return builder().displayName(displayName).build();
  }

  /** What the seat promises to add to the chance of the match; empty if nothing. */
  ByteString promised(Intent intent) {
    return hasEntropy ? intent.getEntropy() : ByteString.EMPTY;
  }

  JoinMatchRequest request(String matchId, Intent intent) {
    JoinMatchRequest.Builder request =
        fields.toBuilder()
            .setRequestId(intent.getRequestId())
            .setMatchId(Arguments.given("matchId", matchId))
            .setSeatToken(intent.getToken());
    if (hasEntropy) {
      request.setEntropyHash(Chance.entropyHash(matchId, intent.getEntropy()));
    }
    return request.build();
  }

  /** Makes options. */
  public static final class Builder {
    private final JoinMatchRequest.Builder fields = JoinMatchRequest.newBuilder();
    private boolean hasEntropy;

    private Builder() {}

    /** The seat to take. None can be named where seats are drawn. */
    public Builder seat(int seat) {
      fields.setSeat(seat);
      return this;
    }

    /** A name to show. */
    public Builder displayName(String name) {
      fields.setDisplayName(Arguments.given("name", name));
      return this;
    }

    /** The operator's id of the player. */
    public Builder playerId(String id) {
      fields.setPlayerId(Arguments.given("id", id));
      return this;
    }

    /**
     * Whether the seat adds random bytes of its own to the chance of the match, so that not even
     * the server can have chosen it. They are revealed when all seats are taken, by {@code watch},
     * {@code play} or {@code revealEntropy}.
     */
    public Builder entropy(boolean promised) {
      hasEntropy = promised;
      return this;
    }

    /** For a match by invitation. */
    public Builder invitationCode(String code) {
      fields.setInvitationCode(Arguments.given("code", code));
      return this;
    }

    /** The options. */
    public JoinOptions build() {
      return new JoinOptions(fields.build(), hasEntropy);
    }
  }
}

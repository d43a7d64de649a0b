package dev.tablestate.client;

import com.google.protobuf.ByteString;
import dev.tablestate.v1.GetViewRequest;

/** Which view is wanted, and what comes with it. */
public final class ViewOptions {
  /** The view now, and nothing else. */
  public static final ViewOptions DEFAULT = builder().build();

  private final GetViewRequest fields;

  private ViewOptions(GetViewRequest fields) {
    this.fields = fields;
  }

  /** Begins with the view now, and nothing else. */
  public static Builder builder() {
    return new Builder();
  }

  GetViewRequest request(String matchId, ByteString seatToken) {
    return fields.toBuilder()
        .setMatchId(Arguments.given("matchId", matchId))
        .setSeatToken(seatToken)
        .build();
  }

  /** Makes options. */
  public static final class Builder {
    private final GetViewRequest.Builder fields = GetViewRequest.newBuilder();

    private Builder() {}

    /** The view as it was at this version. */
    public Builder version(long version) {
      fields.setVersion(version);
      return this;
    }

    /** The answer shows at least this version, or VersionNotReachedException is thrown. */
    public Builder minVersion(long version) {
      fields.setMinVersion(version);
      return this;
    }

    /** Whether the legal actions come with it. */
    public Builder includeLegalActions(boolean include) {
      fields.setIncludeLegalActions(include);
      return this;
    }

    /** Whether the observation comes with it. */
    public Builder includeObservation(boolean include) {
      fields.setIncludeObservation(include);
      return this;
    }

    /** The options. */
    public ViewOptions build() {
      return new ViewOptions(fields.build());
    }
  }
}

package dev.tablestate.client;

import dev.tablestate.v1.ListMatchesRequest;
import dev.tablestate.v1.MatchPhase;
import java.util.Arrays;

/** Which matches are listed. */
public final class ListOptions {
  /** All that everybody may find. */
  public static final ListOptions DEFAULT = builder().build();

  final ListMatchesRequest request;

  private ListOptions(ListMatchesRequest request) {
    this.request = request;
  }

  /** Begins with all. */
  public static Builder builder() {
    return new Builder();
  }

  /** Makes options. */
  public static final class Builder {
    private final ListMatchesRequest.Builder fields = ListMatchesRequest.newBuilder();

    private Builder() {}

    /** Only matches of this game. */
    public Builder game(String game) {
      fields.setGame(Arguments.given("game", game));
      return this;
    }

    /** Only matches in these phases. */
    public Builder phases(MatchPhase... phases) {
      fields.clearPhases().addAllPhases(Arrays.asList(phases));
      return this;
    }

    /** Only matches in which this player, by the operator's id, has a seat. */
    public Builder playerId(String id) {
      fields.setPlayerId(Arguments.given("id", id));
      return this;
    }

    /** How many are asked for at a time. */
    public Builder pageSize(int size) {
      fields.setPageSize(size);
      return this;
    }

    /** The options. */
    public ListOptions build() {
      return new ListOptions(fields.build());
    }
  }
}

package dev.tablestate.client;

import dev.tablestate.client.errors.TablestateException;
import dev.tablestate.v1.WatchFeedRequest;
import java.util.function.Consumer;

/** Which news are wanted, and from where on. */
public final class FeedOptions {
  /** All of the tenant of the client's key. */
  public static final FeedOptions DEFAULT = builder().build();

  final WatchFeedRequest request;
  final Consumer<TablestateException> onBreak;

  private FeedOptions(Builder from) {
    request = from.fields.build();
    onBreak = from.onBreak;
  }

  /** Begins with all of the tenant of the client's key. */
  public static Builder builder() {
    return new Builder();
  }

  /** Makes options. */
  public static final class Builder {
    private final WatchFeedRequest.Builder fields = WatchFeedRequest.newBuilder();
    private Consumer<TablestateException> onBreak = error -> {};

    private Builder() {}

    /** The server's secret; a client with an operator's key needs none. */
    public Builder feedSecret(String secret) {
      fields.setFeedSecret(Arguments.given("secret", secret));
      return this;
    }

    /** The tenant whose matches are told of. */
    public Builder tenant(String tenant) {
      fields.setTenant(Arguments.given("tenant", tenant));
      return this;
    }

    /** The cursor of what was received last. */
    public Builder cursor(String cursor) {
      fields.setCursor(Arguments.given("cursor", cursor));
      return this;
    }

    /** Is told the error each time that the stream has broken and is about to be opened anew. */
    public Builder onBreak(Consumer<TablestateException> told) {
      onBreak = Arguments.given("told", told);
      return this;
    }

    /** The options. */
    public FeedOptions build() {
      return new FeedOptions(this);
    }
  }
}

package dev.tablestate.client;

import dev.tablestate.client.errors.TablestateException;
import dev.tablestate.v1.WatchSubscription;
import java.time.Duration;
import java.util.function.Consumer;

/** How a watch begins, and what its updates carry. */
public final class WatchOptions {
  /** All entries, without views and legal actions. */
  public static final WatchOptions DEFAULT = builder().build();

  final WatchSubscription wanted;
  final Consumer<TablestateException> onBreak;
  final long limitNanos;

  private WatchOptions(Builder from) {
    wanted = from.wanted.build();
    onBreak = from.onBreak;
    limitNanos = from.limitNanos;
  }

  /** Begins with what is the default. */
  public static Builder builder() {
    return new Builder();
  }

  /** Makes options. */
  public static final class Builder {
    private final WatchSubscription.Builder wanted = WatchSubscription.newBuilder();
    private Consumer<TablestateException> onBreak = error -> {};
    private long limitNanos = Calls.FOREVER;

    private Builder() {}

    /** Entries after this version are told; 0: all. */
    public Builder afterVersion(long version) {
      wanted.setAfterVersion(version);
      return this;
    }

    /** Whether updates carry the view. */
    public Builder includeView(boolean include) {
      wanted.setIncludeView(include);
      return this;
    }

    /** Whether updates carry the legal actions. */
    public Builder includeLegalActions(boolean include) {
      wanted.setIncludeLegalActions(include);
      return this;
    }

    /** Is told the error each time that the stream has broken and is about to be opened anew. */
    public Builder onBreak(Consumer<TablestateException> told) {
      onBreak = Arguments.given("told", told);
      return this;
    }

    /** After how long the watch ends with a DeadlineExceededException; by default never. */
    public Builder timeout(Duration timeout) {
      limitNanos = Times.positive("timeout", timeout).toNanos();
      return this;
    }

    /** The options. */
    public WatchOptions build() {
      return new WatchOptions(this);
    }
  }
}

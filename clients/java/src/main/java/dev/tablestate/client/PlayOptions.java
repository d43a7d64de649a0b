package dev.tablestate.client;

import dev.tablestate.client.errors.TablestateException;
import dev.tablestate.v1.PlayBegin;
import java.time.Duration;
import java.util.function.Consumer;

/** How a play begins, and what its updates carry. */
public final class PlayOptions {
  /** From the last entry on, with legal actions. */
  public static final PlayOptions DEFAULT = builder().build();

  final PlayBegin begin;
  final Consumer<TablestateException> onBreak;
  final long limitNanos;

  private PlayOptions(Builder from) {
    begin = from.begin.build();
    onBreak = from.onBreak;
    limitNanos = from.limitNanos;
  }

  /** Begins with what is the default. */
  public static Builder builder() {
    return new Builder();
  }

  /** Makes options. */
  public static final class Builder {
    private final PlayBegin.Builder begin = PlayBegin.newBuilder().setIncludeLegalActions(true);
    private Consumer<TablestateException> onBreak = error -> {};
    private long limitNanos = Calls.FOREVER;

    private Builder() {}

    /** Entries after this version are told; 0: all; left out: the last one and what follows. */
    public Builder afterVersion(long version) {
      begin.setAfterVersion(version);
      return this;
    }

    /** Whether updates carry the view. */
    public Builder includeView(boolean include) {
      begin.setIncludeView(include);
      return this;
    }

    /** Whether updates carry the legal actions; by default they do. */
    public Builder includeLegalActions(boolean include) {
      begin.setIncludeLegalActions(include);
      return this;
    }

    /** Is told the error each time that the stream has broken and is about to be opened anew. */
    public Builder onBreak(Consumer<TablestateException> told) {
      onBreak = Arguments.given("told", told);
      return this;
    }

    /** After how long the play ends with a DeadlineExceededException; by default never. */
    public Builder timeout(Duration timeout) {
      limitNanos = Times.positive("timeout", timeout).toNanos();
      return this;
    }

    /** The options. */
    public PlayOptions build() {
      return new PlayOptions(this);
    }
  }
}

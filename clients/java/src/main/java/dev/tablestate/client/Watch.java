package dev.tablestate.client;

import dev.tablestate.v1.MatchServiceGrpc;
import dev.tablestate.v1.MatchUpdate;
import dev.tablestate.v1.WatchMatchesRequest;
import dev.tablestate.v1.WatchMatchesResponse;
import io.grpc.MethodDescriptor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Every entry of the watched matches once and in order. It ends when all matches have ended.
 *
 * <p>Made by {@code watch} of a client, a host or a player.
 */
public final class Watch extends ResumedStream<MatchUpdate> {
  private Watch(Calls calls, Updates updates, WatchOptions options) {
    super(calls, updates, options.limitNanos, options.onBreak);
  }

  static Watch of(
      Calls calls,
      Collection<Watched> matches,
      WatchOptions options,
      Consumer<MatchUpdate> learner) {
    Arguments.given("options", options);
    List<Watched> named = new ArrayList<>(Arguments.given("matches", matches));
    return new Watch(calls, new Updates(calls, named, options, learner), options);
  }

  private static final class Updates
      implements Source<WatchMatchesRequest, WatchMatchesResponse, MatchUpdate> {
    private final Calls calls;
    private final Cursor cursor;
    private final List<SeatCredential> seats;
    private final Consumer<MatchUpdate> learner;

    Updates(
        Calls calls, List<Watched> matches, WatchOptions options, Consumer<MatchUpdate> learner) {
      this.calls = calls;
      this.learner = learner;
      cursor =
          new Cursor(
              matches.stream()
                  .map(each -> Arguments.given("matches", each).with(options))
                  .collect(Collectors.toList()));
      seats =
          matches.stream()
              .map(each -> each.seat)
              .filter(Objects::nonNull)
              .collect(Collectors.toList());
    }

    @Override
    public MethodDescriptor<WatchMatchesRequest, WatchMatchesResponse> method() {
      return MatchServiceGrpc.getWatchMatchesMethod();
    }

    @Override
    public WatchMatchesRequest request() {
      return cursor.request();
    }

    @Override
    public @Nullable MatchUpdate accept(WatchMatchesResponse answer) {
      MatchUpdate update = answer.getUpdate();
      if (!cursor.accept(update)) {
        return null;
      }
      learner.accept(update);
      seats.forEach(seat -> Promises.revealIfDue(calls, seat, update));
      return update;
    }

    @Override
    public boolean isDone() {
      return cursor.isDone();
    }
  }
}

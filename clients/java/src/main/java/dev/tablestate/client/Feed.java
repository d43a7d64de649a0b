package dev.tablestate.client;

import dev.tablestate.client.errors.TablestateException;
import dev.tablestate.v1.MatchServiceGrpc;
import dev.tablestate.v1.WatchFeedRequest;
import dev.tablestate.v1.WatchFeedResponse;
import io.grpc.MethodDescriptor;
import java.util.function.Consumer;

/**
 * What happens to all matches of a tenant: created, a player's turn, ended. Each comes once, in one
 * order. It ends with an error only, as when the server was away for longer than the patience of
 * {@link RetryPolicy.Builder#watchPatience}.
 *
 * <p>Made by {@link TablestateClient#watchFeed}. {@code getCursor} of what was received last is
 * where to go on, also later.
 */
public final class Feed extends ResumedStream<WatchFeedResponse> {
  Feed(Calls calls, WatchFeedRequest request, Consumer<TablestateException> onBreak) {
    super(calls, new News(request), Calls.FOREVER, onBreak);
  }

  private static final class News
      implements Source<WatchFeedRequest, WatchFeedResponse, WatchFeedResponse> {
    private WatchFeedRequest request;

    News(WatchFeedRequest request) {
      this.request = request;
    }

    @Override
    public MethodDescriptor<WatchFeedRequest, WatchFeedResponse> method() {
      return MatchServiceGrpc.getWatchFeedMethod();
    }

    @Override
    public WatchFeedRequest request() {
      return request;
    }

    @Override
    public WatchFeedResponse accept(WatchFeedResponse answer) {
      request = request.toBuilder().setCursor(answer.getCursor()).build();
      return answer;
    }

    @Override
    public boolean isDone() {
      return false;
    }
  }
}

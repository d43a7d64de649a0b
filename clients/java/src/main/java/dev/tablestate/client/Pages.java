package dev.tablestate.client;

import dev.tablestate.v1.ListMatchesRequest;
import dev.tablestate.v1.ListMatchesResponse;
import dev.tablestate.v1.Match;
import java.util.Collections;
import java.util.Iterator;
import java.util.function.Function;

/** The matches of one page after the other. */
final class Pages implements Iterator<Match> {
  private final Function<ListMatchesRequest, ListMatchesResponse> call;
  private ListMatchesRequest request;
  private Iterator<Match> page = Collections.emptyIterator();
  private boolean isLast;

  Pages(Function<ListMatchesRequest, ListMatchesResponse> call, ListMatchesRequest request) {
    this.call = call;
    this.request = request;
  }

  @Override
  public boolean hasNext() {
    while (!page.hasNext() && !isLast) {
      ListMatchesResponse answer = call.apply(request);
      page = answer.getMatchesList().iterator();
      isLast = answer.getNextPageToken().isEmpty();
      request = request.toBuilder().setPageToken(answer.getNextPageToken()).build();
    }
    return page.hasNext();
  }

  @Override
  public Match next() {
    hasNext(); // Asks for the next page if need be; without one the old one throws.
    return page.next();
  }
}

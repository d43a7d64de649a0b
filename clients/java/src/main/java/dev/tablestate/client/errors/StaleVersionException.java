package dev.tablestate.client.errors;

import org.jspecify.annotations.Nullable;

/** The match has moved on since the decision was made: read it again and decide anew. */
public class StaleVersionException extends TablestateException {
  private static final long serialVersionUID = 1L;

  /** Made of the parts of a status. */
  public StaleVersionException(ErrorDetails details) {
    super(details);
  }

  /** The version the match is at; null if it was not told. */
  public @Nullable Long getCurrentVersion() {
    return number("current_version");
  }

  /** The version the decision was made on; null if none was named. */
  public @Nullable Long getExpectedVersion() {
    return number("expected_version");
  }
}

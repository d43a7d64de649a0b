package dev.tablestate.client.errors;

import org.jspecify.annotations.Nullable;

/** The match has not yet reached the version asked for. */
public class VersionNotReachedException extends PreconditionException {
  private static final long serialVersionUID = 1L;

  /** Made of the parts of a status. */
  public VersionNotReachedException(ErrorDetails details) {
    super(details);
  }

  /** The version the match is at; null if it was not told. */
  public @Nullable Long getCurrentVersion() {
    return number("current_version");
  }
}

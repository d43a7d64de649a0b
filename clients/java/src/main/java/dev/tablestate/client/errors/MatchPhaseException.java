package dev.tablestate.client.errors;

/** The match has not started, has started already, is paused or has ended. */
public class MatchPhaseException extends PreconditionException {
  private static final long serialVersionUID = 1L;

  /** Made of the parts of a status. */
  public MatchPhaseException(ErrorDetails details) {
    super(details);
  }

  /** The phase that the match is in. */
  public String getPhase() {
    return getMetadata().getOrDefault("phase", "");
  }
}

package dev.tablestate.client.errors;

/** The request is wrong whatever the match's state; {@link #getViolations} lists the faults. */
public class InvalidRequestException extends TablestateException {
  private static final long serialVersionUID = 1L;

  /** Made of the parts of a status. */
  public InvalidRequestException(ErrorDetails details) {
    super(details);
  }
}

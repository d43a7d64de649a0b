package dev.tablestate.client.errors;

/** The answer did not come in time. Whether the call took effect is not known. */
public class DeadlineExceededException extends TablestateException {
  private static final long serialVersionUID = 1L;

  /** Made of the parts of a status. */
  public DeadlineExceededException(ErrorDetails details) {
    super(details);
  }
}

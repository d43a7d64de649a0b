package dev.tablestate.client.errors;

/** The request is wrong now. */
public class PreconditionException extends TablestateException {
  private static final long serialVersionUID = 1L;

  /** Made of the parts of a status. */
  public PreconditionException(ErrorDetails details) {
    super(details);
  }
}

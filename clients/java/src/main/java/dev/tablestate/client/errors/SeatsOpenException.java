package dev.tablestate.client.errors;

/** The match cannot start while seats are open. */
public class SeatsOpenException extends PreconditionException {
  private static final long serialVersionUID = 1L;

  /** Made of the parts of a status. */
  public SeatsOpenException(ErrorDetails details) {
    super(details);
  }
}

package dev.tablestate.client.errors;

/** The seat, or every seat, is taken. */
public class SeatTakenException extends PreconditionException {
  private static final long serialVersionUID = 1L;

  /** Made of the parts of a status. */
  public SeatTakenException(ErrorDetails details) {
    super(details);
  }
}

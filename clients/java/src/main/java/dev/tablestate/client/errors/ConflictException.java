package dev.tablestate.client.errors;

/** A seat token or a request id was used before for something else. */
public class ConflictException extends TablestateException {
  private static final long serialVersionUID = 1L;

  /** Made of the parts of a status. */
  public ConflictException(ErrorDetails details) {
    super(details);
  }
}

package dev.tablestate.client.errors;

/** There is no such match or game. */
public class NotFoundException extends TablestateException {
  private static final long serialVersionUID = 1L;

  /** Made of the parts of a status. */
  public NotFoundException(ErrorDetails details) {
    super(details);
  }
}

package dev.tablestate.client.errors;

/** The server could not be reached, or its store does not answer. */
public class UnavailableException extends TablestateException {
  private static final long serialVersionUID = 1L;

  /** Made of the parts of a status. */
  public UnavailableException(ErrorDetails details) {
    super(details);
  }
}

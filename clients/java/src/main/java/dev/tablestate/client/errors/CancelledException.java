package dev.tablestate.client.errors;

/** The caller gave up, or closed what it was waiting on. */
public class CancelledException extends TablestateException {
  private static final long serialVersionUID = 1L;

  /** Made of the parts of a status. */
  public CancelledException(ErrorDetails details) {
    super(details);
  }
}

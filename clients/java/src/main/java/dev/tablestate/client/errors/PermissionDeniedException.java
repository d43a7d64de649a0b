package dev.tablestate.client.errors;

/** The key or token is missing, or not the right one. */
public class PermissionDeniedException extends TablestateException {
  private static final long serialVersionUID = 1L;

  /** Made of the parts of a status. */
  public PermissionDeniedException(ErrorDetails details) {
    super(details);
  }
}

package dev.tablestate.client.errors;

/** A limit, the store's room or the server's patience with a watcher is used up. */
public class ResourceExhaustedException extends TablestateException {
  private static final long serialVersionUID = 1L;

  /** Made of the parts of a status. */
  public ResourceExhaustedException(ErrorDetails details) {
    super(details);
  }
}

package dev.tablestate.client.errors;

/** A fault of the server. */
public class InternalException extends TablestateException {
  private static final long serialVersionUID = 1L;

  /** Made of the parts of a status. */
  public InternalException(ErrorDetails details) {
    super(details);
  }

  /** The number to quote to the operator. */
  public String getIncident() {
    return getMetadata().getOrDefault("incident", "");
  }
}

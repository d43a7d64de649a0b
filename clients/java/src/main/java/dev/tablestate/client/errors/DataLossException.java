package dev.tablestate.client.errors;

/** The stored log of the match is damaged. */
public class DataLossException extends TablestateException {
  private static final long serialVersionUID = 1L;

  /** Made of the parts of a status. */
  public DataLossException(ErrorDetails details) {
    super(details);
  }
}

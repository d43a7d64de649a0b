package dev.tablestate.client.errors;

/** The server does not have the version of the rules that the match began on. */
public class RulesVersionUnsupportedException extends PreconditionException {
  private static final long serialVersionUID = 1L;

  /** Made of the parts of a status. */
  public RulesVersionUnsupportedException(ErrorDetails details) {
    super(details);
  }
}

package dev.tablestate.client.errors;

/** The action is not legal now. */
public class IllegalActionException extends PreconditionException {
  private static final long serialVersionUID = 1L;

  /** Made of the parts of a status. */
  public IllegalActionException(ErrorDetails details) {
    super(details);
  }

  /** The number or section of the rule that forbids it. */
  public String getRule() {
    return getMetadata().getOrDefault("rule", "");
  }

  /** The action in notation. */
  public String getAction() {
    return getMetadata().getOrDefault("action", "");
  }
}

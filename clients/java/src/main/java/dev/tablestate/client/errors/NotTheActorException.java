package dev.tablestate.client.errors;

import org.jspecify.annotations.Nullable;

/** Another seat must decide. */
public class NotTheActorException extends PreconditionException {
  private static final long serialVersionUID = 1L;

  /** Made of the parts of a status. */
  public NotTheActorException(ErrorDetails details) {
    super(details);
  }

  /** The seat that must decide; null if it was not told. */
  public @Nullable Long getActor() {
    return number("actor");
  }

  /** The seat that tried; null if it was not told. */
  public @Nullable Long getSeat() {
    return number("seat");
  }
}

package dev.tablestate.client.errors;

import java.io.Serializable;

/** One field of a request that was not acceptable. */
public final class Violation implements Serializable {
  private static final long serialVersionUID = 1L;

  private final String field;
  private final String description;

  /** Names a field by its path, as {@code choice.notation}, and its value and what was expected. */
  public Violation(String field, String description) {
    this.field = field;
    this.description = description;
  }

  /** The field's path. */
  public String getField() {
    return field;
  }

  /** Its value and what was expected. */
  public String getDescription() {
    return description;
  }

  @Override
  public String toString() {
    return field + ": " + description;
  }
}

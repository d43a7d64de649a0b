package dev.tablestate.client;

import dev.tablestate.v1.SubmitActionRequest;

/** How an action is submitted. */
public final class SubmitOptions {
  /** Whatever the version, and the answer includes nothing. */
  public static final SubmitOptions DEFAULT = builder().build();

  private final SubmitActionRequest fields;

  private SubmitOptions(SubmitActionRequest fields) {
    this.fields = fields;
  }

  /** Begins with no version, and nothing included. */
  public static Builder builder() {
    return new Builder();
  }

  /** The decision was made on this version: StaleVersionException if it is not the last. */
  public static SubmitOptions at(long expectedVersion) {
    return builder().expectedVersion(expectedVersion).build();
  }

  SubmitActionRequest.Builder request() {
    return fields.toBuilder();
  }

  /** Makes options. */
  public static final class Builder {
    private final SubmitActionRequest.Builder fields = SubmitActionRequest.newBuilder();

    private Builder() {}

    /** The version the decision was made on; StaleVersionException if it is not the last. */
    public Builder expectedVersion(long version) {
      fields.setExpectedVersion(version);
      return this;
    }

    /** Whether the answer carries the view. */
    public Builder includeView(boolean include) {
      fields.setIncludeView(include);
      return this;
    }

    /** Whether the answer carries the legal actions. */
    public Builder includeLegalActions(boolean include) {
      fields.setIncludeLegalActions(include);
      return this;
    }

    /** The options. */
    public SubmitOptions build() {
      return new SubmitOptions(fields.build());
    }
  }
}

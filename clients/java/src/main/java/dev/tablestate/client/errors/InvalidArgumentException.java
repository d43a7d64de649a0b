package dev.tablestate.client.errors;

import dev.tablestate.v1.ErrorReason;
import io.grpc.Status;
import java.util.Collections;

/** What was given to the client cannot be sent; no call was made. */
public class InvalidArgumentException extends InvalidRequestException {
  private static final long serialVersionUID = 1L;

  /** Names the argument and what is expected of it. */
  public InvalidArgumentException(String field, String expected) {
    super(
        ErrorDetails.of(Status.Code.INVALID_ARGUMENT, "no call was made")
            .withReason(ErrorReason.ERROR_REASON_INVALID_FIELD)
            .withViolations(Collections.singletonList(new Violation(field, expected))));
  }
}

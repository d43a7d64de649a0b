package dev.tablestate.client.errors;

import dev.tablestate.v1.ErrorReason;
import io.grpc.Status;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The parts of a status that a call has ended with. */
public final class ErrorDetails {
  final Status.Code code;
  final String message;
  final ErrorReason reason;
  final Map<String, String> metadata;
  final List<Violation> violations;
  final @Nullable Duration retryAfter;
  final @Nullable Throwable cause;

  private ErrorDetails(
      Status.Code code,
      String message,
      ErrorReason reason,
      Map<String, String> metadata,
      List<Violation> violations,
      @Nullable Duration retryAfter,
      @Nullable Throwable cause) {
    this.code = code;
    this.message = message;
    this.reason = reason;
    this.metadata = metadata;
    this.violations = violations;
    this.retryAfter = retryAfter;
    this.cause = cause;
  }

  /** A status of which no more is known. */
  public static ErrorDetails of(Status.Code code, String message) {
    return new ErrorDetails(
        code,
        message,
        ErrorReason.ERROR_REASON_UNSPECIFIED,
        Collections.emptyMap(),
        Collections.emptyList(),
        null,
        null);
  }

  /** The same with a reason. */
  public ErrorDetails withReason(ErrorReason reason) {
    return new ErrorDetails(code, message, reason, metadata, violations, retryAfter, cause);
  }

  /** The same with metadata. */
  public ErrorDetails withMetadata(Map<String, String> metadata) {
    return new ErrorDetails(code, message, reason, metadata, violations, retryAfter, cause);
  }

  /** The same with fields that were not acceptable. */
  public ErrorDetails withViolations(List<Violation> violations) {
    return new ErrorDetails(code, message, reason, metadata, violations, retryAfter, cause);
  }

  /** The same with a time after which the call may be made again. */
  public ErrorDetails withRetryAfter(@Nullable Duration retryAfter) {
    return new ErrorDetails(code, message, reason, metadata, violations, retryAfter, cause);
  }

  /** The same with what has caused it. */
  public ErrorDetails withCause(@Nullable Throwable cause) {
    return new ErrorDetails(code, message, reason, metadata, violations, retryAfter, cause);
  }
}

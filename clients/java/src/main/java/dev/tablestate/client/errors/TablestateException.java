package dev.tablestate.client.errors;

import dev.tablestate.client.Intent;
import dev.tablestate.v1.ErrorReason;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A call that failed. Every exception that the client throws is one of these. */
public class TablestateException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Status.Code code;
  private final ErrorReason reason;
  private final HashMap<String, String> metadata;
  private final ArrayList<Violation> violations;
  private final @Nullable Duration retryAfter;
  private transient @Nullable Intent intent;

  /** Made of the parts of a status. */
  public TablestateException(ErrorDetails details) {
    super(text(details), details.cause);
    this.code = details.code;
    this.reason = details.reason;
    this.metadata = new HashMap<>(details.metadata);
    this.violations = new ArrayList<>(details.violations);
    this.retryAfter = details.retryAfter;
  }

  /** The canonical status code. */
  public Status.Code getCode() {
    return code;
  }

  /**
   * The service's reason. UNSPECIFIED if the error came from the transport and not from the
   * service, or for a reason that is newer than this client.
   */
  public ErrorReason getReason() {
    return reason;
  }

  /** Details by name; {@code error_reason.proto} says which reason has which. */
  public Map<String, String> getMetadata() {
    return Collections.unmodifiableMap(metadata);
  }

  /** The fields that were not acceptable. */
  public List<Violation> getViolations() {
    return Collections.unmodifiableList(violations);
  }

  /** After how long the call may be made again, if the server says so. */
  public @Nullable Duration getRetryAfter() {
    return retryAfter;
  }

  /** Of a call that changes something: repeat it with this, and it has one effect. */
  public @Nullable Intent getIntent() {
    return intent;
  }

  /** The same error, of a call that was made with an intent. */
  public TablestateException withIntent(Intent intent) {
    this.intent = intent;
    return this;
  }

  /** A number of the metadata; null if it is not there. */
  protected @Nullable Long number(String key) {
    String text = metadata.get(key);
    try {
      return text == null ? null : Long.valueOf(text);
    } catch (NumberFormatException notTold) {
      return null;
    }
  }

  private static String text(ErrorDetails details) {
    boolean hasReason = details.reason != ErrorReason.ERROR_REASON_UNSPECIFIED;
    String name = hasReason ? shortName(details.reason) : details.code.name();
    if (details.violations.isEmpty()) {
      return name + ": " + details.message;
    }
    // The message says no more than the faults do.
    StringBuilder text = new StringBuilder(name).append(':');
    String separator = details.violations.size() == 1 ? " " : "\n  ";
    details.violations.forEach(each -> text.append(separator).append(each));
    return text.toString();
  }

  private static String shortName(ErrorReason reason) {
    return reason.name().substring("ERROR_REASON_".length());
  }
}

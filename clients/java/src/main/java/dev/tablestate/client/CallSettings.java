package dev.tablestate.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What every call takes besides its arguments. */
public final class CallSettings {
  /** The client's timeout, and an intent of the call's own. */
  public static final CallSettings DEFAULT = new CallSettings(null, null);

  private final @Nullable Duration timeout;
  private final @Nullable Intent intent;

  private CallSettings(@Nullable Duration timeout, @Nullable Intent intent) {
    this.timeout = timeout;
    this.intent = intent;
  }

  /** How long all attempts together may take. */
  public static CallSettings withTimeout(Duration timeout) {
    return DEFAULT.andTimeout(timeout);
  }

  /** Repeated with the same one, a call that changes something has one effect. */
  public static CallSettings withIntent(Intent intent) {
    return DEFAULT.andIntent(intent);
  }

  /** The same with a timeout. */
  public CallSettings andTimeout(Duration timeout) {
    return new CallSettings(Times.positive("timeout", timeout), intent);
  }

  /** The same with an intent; calls that change nothing have no use for it. */
  public CallSettings andIntent(Intent intent) {
    return new CallSettings(timeout, intent);
  }

  long timeoutNanos(Duration otherwise) {
    return (timeout == null ? otherwise : timeout).toNanos();
  }

  CallSettings orTimeout(Duration otherwise) {
    return timeout == null ? andTimeout(otherwise) : this;
  }

  Intent intent() {
    return intent == null ? new Intent() : intent;
  }
}

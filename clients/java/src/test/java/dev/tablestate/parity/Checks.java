package dev.tablestate.parity;

import java.util.Objects;

/** What a runner expects. */
final class Checks {
  private static final int LONGEST_SHOWN = 200;

  private Checks() {}

  /** Something is not as it should be; the text says what. */
  static final class Mismatch extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Mismatch(String what) {
      super(what);
    }
  }

  static void expect(String what, Object found, Object expected) {
    if (!Objects.equals(found, expected)) {
      throw new Mismatch(what + " is " + shown(found) + ", expected " + shown(expected));
    }
  }

  static void require(String what, boolean holds) {
    if (!holds) {
      throw new Mismatch(what);
    }
  }

  /** What has gone wrong, on one line. */
  static String told(Throwable error) {
    return error instanceof Mismatch ? error.getMessage() : shown(error);
  }

  private static String shown(Object value) {
    String text = String.valueOf(value).replaceAll("\\s+", " ");
    return text.substring(0, Math.min(text.length(), LONGEST_SHOWN));
  }
}

package dev.tablestate.client;

import com.google.protobuf.ByteString;
import dev.tablestate.client.errors.InvalidArgumentException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;

/** Tokens and ids: made here, by chance that nobody can foretell, and written as hex digits. */
final class Secrets {
  static final int TOKEN_BYTES = 32;
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final String DIGITS = "0123456789abcdef";

  private Secrets() {}

  static ByteString newToken() {
    return ByteString.copyFrom(random(TOKEN_BYTES));
  }

  static String newRequestId() {
    return hex(ByteString.copyFrom(random(16)));
  }

  static String newInvitationCode() {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(random(16));
  }

  static String hex(ByteString bytes) {
    StringBuilder text = new StringBuilder(2 * bytes.size());
    for (byte each : bytes) {
      text.append(DIGITS.charAt(each >> 4 & 15)).append(DIGITS.charAt(each & 15));
    }
    return text.toString();
  }

  static String text(Map<String, ?> saved, String name) {
    Object value = saved.get(name);
    if (value instanceof String && !((String) value).isEmpty()) {
      return (String) value;
    }
    throw new InvalidArgumentException(name, "must be text that is not empty");
  }

  /** A number, also as a text or, from JSON, with a fraction of 0. */
  static int number(Map<String, ?> saved, String name) {
    Object value = saved.get(name);
    double number = -1;
    try {
      number = value == null ? -1 : Double.parseDouble(value.toString());
    } catch (NumberFormatException refused) {
      // It is refused below.
    }
    if (number >= 0 && number <= Integer.MAX_VALUE && number == Math.rint(number)) {
      return (int) number;
    }
    throw new InvalidArgumentException(name, "must be a whole number from 0 on");
  }

  /** A token, whose value is never shown. */
  static ByteString token(Map<String, ?> saved, String name) {
    Object value = saved.get(name);
    String text = value instanceof String ? (String) value : "";
    if (!text.matches("([0-9a-fA-F]{2}){" + TOKEN_BYTES + "}")) {
      throw new InvalidArgumentException(name, "must be " + 2 * TOKEN_BYTES + " hex digits");
    }
    byte[] bytes = new byte[TOKEN_BYTES];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) Integer.parseInt(text.substring(2 * i, 2 * i + 2), 16);
    }
    return ByteString.copyFrom(bytes);
  }

  private static byte[] random(int size) {
    byte[] bytes = new byte[size];
    RANDOM.nextBytes(bytes);
    return bytes;
  }
}

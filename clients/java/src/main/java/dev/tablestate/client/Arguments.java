package dev.tablestate.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.tablestate.client.errors.InvalidArgumentException;
import dev.tablestate.v1.GameState;
import dev.tablestate.v1.GameView;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What callers give, checked before anything is sent. */
final class Arguments {
  private static final int LONGEST_SHOWN = 80;
  private static final int LAST_PORT = 65_535;
  private static final Pattern HOST_AND_PORT =
      Pattern.compile("(?:[\\w.-]+|\\[[0-9A-Fa-f:.]+(?:%[\\w.-]+)?]):([0-9]{1,5})");
  // Other names than host:port are left to gRPC, if they say what they are.
  private static final Pattern GRPC_NAME =
      Pattern.compile("(?!https?:)([a-z][a-z0-9+.-]*:/{2,3}|(dns|unix|xds):)[!-~]+");
  // All 64 bits of these mean something: Java has no unsigned numbers.
  private static final Set<String> ANY_NUMBER = new HashSet<>(Arrays.asList("seed", "seeds"));

  private Arguments() {}

  /** What must be given; throws InvalidArgumentException for null. */
  static <T> T given(String name, @Nullable T value) {
    if (value == null) {
      throw new InvalidArgumentException(name, "must not be null");
    }
    return value;
  }

  /** The token of a credential: without one the server would answer as to a spectator. */
  static ByteString token(String name, @Nullable ByteString token) {
    if (token == null || token.isEmpty()) {
      throw new InvalidArgumentException(name, "must be " + Secrets.TOKEN_BYTES + " bytes");
    }
    return token;
  }

  /** Where a server is. */
  static String target(@Nullable String target) {
    if (!isTarget(given("target", target))) {
      throw notATarget(target);
    }
    return target;
  }

  static InvalidArgumentException notATarget(String target) {
    String expected = "must say where the server is, as 127.0.0.1:50051";
    return new InvalidArgumentException("target", shown(target) + ": " + expected);
  }

  private static boolean isTarget(String target) {
    Matcher named = HOST_AND_PORT.matcher(target);
    if (!named.matches()) {
      return GRPC_NAME.matcher(target).matches();
    }
    int port = Integer.parseInt(named.group(1));
    return port > 0 && port <= LAST_PORT;
  }

  /**
   * A request that can be sent. Numbers below 0 are refused, which would arrive as large ones, and
   * halves of letters, which would arrive as others.
   */
  static <M> M sendable(M request) {
    if (request instanceof Message) {
      requireSendable("", (Message) request);
    }
    return request;
  }

  private static void requireSendable(String path, Message message) {
    if (message instanceof GameState || message instanceof GameView) {
      return; // They come from the server, and are large.
    }
    for (Map.Entry<FieldDescriptor, Object> each : message.getAllFields().entrySet()) {
      FieldDescriptor field = each.getKey();
      String name = path + field.getName();
      if (!field.isRepeated()) {
        requireSendable(field, name, each.getValue());
      } else if (isRead(field)) {
        List<?> values = (List<?>) each.getValue();
        for (int i = 0; i < values.size(); i++) {
          requireSendable(field, name + "[" + i + "]", values.get(i));
        }
      }
    }
  }

  /** Whether there can be a fault in the values of a field. */
  private static boolean isRead(FieldDescriptor field) {
    return field.getJavaType() != FieldDescriptor.JavaType.BYTE_STRING
        && !ANY_NUMBER.contains(field.getName());
  }

  private static void requireSendable(FieldDescriptor field, String name, Object value) {
    switch (field.getType()) {
      case MESSAGE:
        requireSendable(name + ".", (Message) value);
        break;
      case STRING:
        requireText(name, (String) value);
        break;
      case UINT32:
      case UINT64:
        if (((Number) value).longValue() < 0 && isRead(field)) {
          throw new InvalidArgumentException(name, value + ": must be a number from 0 on");
        }
        break;
      default:
        break;
    }
  }

  private static void requireText(String name, String value) {
    boolean isHalf =
        value
            .codePoints()
            .anyMatch(each -> each >= Character.MIN_SURROGATE && each <= Character.MAX_SURROGATE);
    if (isHalf) {
      throw new InvalidArgumentException(name, "must be text, without half of a surrogate pair");
    }
  }

  /** A text as an error shows it. */
  static String shown(String text) {
    String cut = text.length() <= LONGEST_SHOWN ? text : text.substring(0, LONGEST_SHOWN) + "…";
    return "\"" + cut + "\"";
  }
}

package dev.tablestate.client;

import com.google.protobuf.ByteString;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Something that is to happen once, however often it is asked for.
 *
 * <p>A call that is repeated with the same intent and the same arguments is the same call. Make a
 * new one for everything that is to happen. Keep it secret: {@code token} becomes the host's token
 * when a match is created and the seat's when one is joined, and {@code entropy} what a seat that
 * joins with it adds to the chance of the match.
 */
public final class Intent {
  private final String requestId;
  private final ByteString token;
  private final ByteString entropy;

  /** Makes a new one. */
  public Intent() {
    this(Secrets.newRequestId(), Secrets.newToken(), Secrets.newToken());
  }

  private Intent(String requestId, ByteString token, ByteString entropy) {
    this.requestId = requestId;
    this.token = token;
    this.entropy = entropy;
  }

  /** The id that the server knows a repeated call by. */
  public String getRequestId() {
    return requestId;
  }

  /** 32 random bytes. */
  public ByteString getToken() {
    return token;
  }

  /** 32 random bytes. */
  public ByteString getEntropy() {
    return entropy;
  }

  /** The intent as plain texts, fit for JSON. They hold the secrets. */
  public Map<String, String> save() {
    Map<String, String> saved = new LinkedHashMap<>();
    saved.put("request_id", requestId);
    saved.put("token", Secrets.hex(token));
    saved.put("entropy", Secrets.hex(entropy));
    return saved;
  }

  /** Reads what {@link #save} returned; throws InvalidArgumentException if it is damaged. */
  public static Intent load(Map<String, ?> saved) {
    return new Intent(
        Secrets.text(saved, "request_id"),
        Secrets.token(saved, "token"),
        Secrets.token(saved, "entropy"));
  }

  @Override
  public String toString() {
    return "Intent " + requestId;
  }
}

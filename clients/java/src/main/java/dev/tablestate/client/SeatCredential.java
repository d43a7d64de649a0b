package dev.tablestate.client;

import com.google.protobuf.ByteString;
import dev.tablestate.client.errors.InvalidArgumentException;
import java.util.LinkedHashMap;
import java.util.Map;

/** The key to a seat of a match. Keep it secret. */
public final class SeatCredential {
  private final String matchId;
  private final int seat;
  private final ByteString token;
  private final ByteString entropy;

  /** Names the seat and its token; the seat has promised no entropy. */
  public SeatCredential(String matchId, int seat, ByteString token) {
    this(matchId, seat, token, ByteString.EMPTY);
  }

  /** The same with what the seat has promised to add to the chance of the match. */
  public SeatCredential(String matchId, int seat, ByteString token, ByteString entropy) {
    this.matchId = Arguments.given("match_id", matchId);
    if (seat < 0) {
      throw new InvalidArgumentException("seat", seat + ": must be a number from 0 on");
    }
    this.seat = seat;
    this.token = Arguments.token("seat_token", token);
    this.entropy = Arguments.given("entropy", entropy);
  }

  /** The match's id. */
  public String getMatchId() {
    return matchId;
  }

  /** The place at the table, from 0. */
  public int getSeat() {
    return seat;
  }

  /** The seat's token. */
  public ByteString getToken() {
    return token;
  }

  /** What the seat has promised to add to the chance of the match; empty if nothing. */
  public ByteString getEntropy() {
    return entropy;
  }

  /** The same key, on the seat that was drawn for it. */
  SeatCredential at(int drawn) {
    return new SeatCredential(matchId, drawn, token, entropy);
  }

  /** The credential as plain data, fit for JSON. It holds the secret. */
  public Map<String, Object> save() {
    Map<String, Object> saved = new LinkedHashMap<>();
    saved.put("match_id", matchId);
    saved.put("seat", seat);
    saved.put("seat_token", Secrets.hex(token));
    if (!entropy.isEmpty()) {
      saved.put("entropy", Secrets.hex(entropy));
    }
    return saved;
  }

  /** Reads what {@link #save} returned; throws InvalidArgumentException if it is damaged. */
  public static SeatCredential load(Map<String, ?> saved) {
    return new SeatCredential(
        Secrets.text(saved, "match_id"),
        Secrets.number(saved, "seat"),
        Secrets.token(saved, "seat_token"),
        saved.containsKey("entropy") ? Secrets.token(saved, "entropy") : ByteString.EMPTY);
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof SeatCredential)) {
      return false;
    }
    SeatCredential that = (SeatCredential) other;
    return matchId.equals(that.matchId)
        && seat == that.seat
        && token.equals(that.token)
        && entropy.equals(that.entropy);
  }

  @Override
  public int hashCode() {
    return 31 * matchId.hashCode() + seat;
  }

  @Override
  public String toString() {
    return "SeatCredential of seat " + seat + " of match " + matchId;
  }
}

package dev.tablestate.client;

import com.google.protobuf.ByteString;
import dev.tablestate.v1.MatchChange;
import dev.tablestate.v1.RecordedEntry;
import dev.tablestate.v1.ReplaySecrets;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * How all chance of a match follows from its secret, as {@code docs/chance.md} describes it: what
 * is needed to check that nobody has chosen it.
 */
public final class Chance {
  /**
   * The domain of the draws of a game: its set-up is stream 0, the action at ply p stream p + 1.
   */
  public static final String GAME = "tablestate/chance/v1";

  private Chance() {}

  /** What a server commits itself to before anybody joins: {@code Match.commitment}. */
  public static ByteString commitment(String matchId, ByteString secret) {
    return framedHash(text("tablestate/commitment/v1"), text(matchId), secret);
  }

  /** The seed. Of each seat, in their order, the entropy that it has revealed; empty if none. */
  public static ByteString seed(String matchId, ByteString secret, List<ByteString> entropies) {
    List<ByteString> fields = new ArrayList<>();
    fields.add(text("tablestate/seed/v1"));
    fields.add(text(matchId));
    fields.add(secret);
    fields.addAll(entropies);
    return framedHash(fields.toArray(new ByteString[0]));
  }

  /** What promises 32 bytes that are revealed before the start. */
  public static ByteString entropyHash(String matchId, ByteString entropy) {
    return framedHash(text("tablestate/entropy/v1"), text(matchId), entropy);
  }

  /** The draws of a stream, each one of so many. */
  public static List<Integer> draws(
      ByteString seed, String domain, long stream, List<Integer> sizes) {
    Mac mac = mac(seed);
    List<Integer> drawn = new ArrayList<>();
    long counter = 0;
    for (int size : sizes) {
      long values = Integer.toUnsignedLong(size);
      long rest = (Long.remainderUnsigned(-1, values) + 1) % values; // 2^64 mod size
      long number;
      do {
        mac.update(domain.getBytes(StandardCharsets.UTF_8));
        byte[] counted = ByteBuffer.allocate(16).putLong(stream).putLong(counter++).array();
        number = ByteBuffer.wrap(mac.doFinal(counted)).getLong();
      } while (rest != 0 && Long.compareUnsigned(number, -rest) >= 0);
      drawn.add((int) Long.remainderUnsigned(number, values));
    }
    return drawn;
  }

  /**
   * Whether the full record of a match is what follows from the secret that was committed to: the
   * commitment, the seed and every draw. {@code committed} is {@code Match.commitment} as it was
   * told before anybody joined. It takes the record's word for which actions were legal, and from
   * how many possibilities each draw was made. A replay without a full record shows nothing.
   */
  public static boolean follows(Replay replay, ByteString committed) {
    ReplaySecrets secrets = replay.getSecrets();
    String matchId = replay.getMatch().getMatchId();
    return secrets != null
        && commitment(matchId, secrets.getSecret()).equals(committed)
        && seed(matchId, secrets.getSecret(), entropies(replay)).equals(secrets.getSeed())
        && drawsFollow(replay, secrets.getSeed());
  }

  private static boolean drawsFollow(Replay replay, ByteString seed) {
    for (RecordedEntry entry : replay.getEntries()) {
      boolean isDrawn =
          entry.getChange() == MatchChange.MATCH_CHANGE_STARTED
              || entry.getChange() == MatchChange.MATCH_CHANGE_ACTION;
      List<Integer> sizes = entry.getDrawSizesList();
      if (isDrawn && !draws(seed, GAME, entry.getPly(), sizes).equals(entry.getDrawsList())) {
        return false;
      }
    }
    return true;
  }

  private static List<ByteString> entropies(Replay replay) {
    List<ByteString> entropies = new ArrayList<>();
    replay.getMatch().getSeatsList().forEach(seat -> entropies.add(ByteString.EMPTY));
    for (RecordedEntry entry : replay.getEntries()) {
      if (entry.getChange() == MatchChange.MATCH_CHANGE_ENTROPY_REVEALED) {
        entropies.set(entry.getSeat(), entry.getEntropy());
      }
    }
    return entropies;
  }

  private static ByteString text(String text) {
    return ByteString.copyFromUtf8(text);
  }

  private static ByteString framedHash(ByteString... fields) {
    try {
      MessageDigest hash = MessageDigest.getInstance("SHA-256");
      for (ByteString field : fields) {
        hash.update(ByteBuffer.allocate(4).putInt(field.size()).array());
        hash.update(field.toByteArray());
      }
      return ByteString.copyFrom(hash.digest());
    } catch (GeneralSecurityException impossible) { // Every Java has SHA-256.
      throw new IllegalStateException(impossible);
    }
  }

  private static Mac mac(ByteString seed) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(seed.toByteArray(), "HmacSHA256"));
      return mac;
    } catch (GeneralSecurityException impossible) { // Every Java has HMAC-SHA-256.
      throw new IllegalStateException(impossible);
    }
  }
}

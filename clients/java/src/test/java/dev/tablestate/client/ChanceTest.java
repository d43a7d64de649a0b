package dev.tablestate.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Chance is what the vectors say, which all implementations are held to. */
class ChanceTest {
  private static List<String[]> vectors(String kind) throws IOException {
    try (Stream<String> lines = Files.lines(Paths.get("../../tests/data/chance.txt"))) {
      return lines
          .filter(each -> each.startsWith(kind + " "))
          .map(each -> each.split(" "))
          .collect(Collectors.toList());
    }
  }

  private static ByteString bytes(String digits) {
    byte[] bytes = new byte[digits.equals("-") ? 0 : digits.length() / 2];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) Integer.parseInt(digits.substring(2 * i, 2 * i + 2), 16);
    }
    return ByteString.copyFrom(bytes);
  }

  private static List<Integer> numbers(String text) {
    return Stream.of(text.split(",")).map(Integer::parseUnsignedInt).collect(Collectors.toList());
  }

  @Test
  void drawsFollowFromTheSeed() throws Exception {
    List<String[]> vectors = vectors("game");
    assertTrue(vectors.size() >= 10);
    for (String[] each : vectors) {
      ByteString seed = bytes(each[1]);
      List<Integer> drawn =
          Chance.draws(seed, Chance.GAME, Long.parseUnsignedLong(each[2]), numbers(each[3]));
      assertEquals(numbers(each[5]), drawn);
    }
  }

  @Test
  void commitmentsAndSeedsFollowFromTheSecret() throws Exception {
    for (String[] each : vectors("commitment")) {
      assertEquals(bytes(each[4]), Chance.commitment(each[1], bytes(each[2])));
    }
    List<String[]> seeds = vectors("seed");
    assertTrue(!seeds.isEmpty());
    for (String[] each : seeds) {
      List<ByteString> entropies = new ArrayList<>();
      Stream.of(each[3].split(",")).forEach(entropy -> entropies.add(bytes(entropy)));
      assertEquals(bytes(each[5]), Chance.seed(each[1], bytes(each[2]), entropies));
    }
  }
}

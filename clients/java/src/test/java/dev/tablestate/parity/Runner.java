package dev.tablestate.parity;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import dev.tablestate.client.HostedMatch;
import dev.tablestate.client.TablestateClient;
import dev.tablestate.v1.GameOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** What a runner does, by the Java SDK: see {@code tools/parity/README.md}. */
public final class Runner {
  private static final String PASSED = "passed";
  private static final int AT_ONCE = 4;
  private static final Gson JSON = new GsonBuilder().disableHtmlEscaping().create();

  private Runner() {}

  /** Replays the vectors, makes every call, and writes what became of it. */
  public static void main(String[] arguments) throws Exception {
    boolean hasPassed;
    try (TablestateClient client = connected("TABLESTATE_KEY");
        TablestateClient operator = connected("TABLESTATE_OPERATOR_KEY")) {
      hasPassed = run(client, operator, Paths.get(System.getenv("TABLESTATE_OUT")));
    }
    System.exit(hasPassed ? 0 : 1);
  }

  private static TablestateClient connected(String key) {
    return TablestateClient.builder(System.getenv("TABLESTATE_TARGET"))
        .apiKey(System.getenv(key))
        .build();
  }

  private static boolean run(TablestateClient client, TablestateClient operator, Path out)
      throws Exception {
    Path folder = Paths.get(System.getenv("TABLESTATE_VECTORS"));
    List<Vector> vectors = Vector.readAll(folder);
    Map<String, String> replayed = replayAll(client, vectors);
    Map<String, String> calls = Scenes.play(client, operator);
    writeAllLines(out.resolve("json"), vectors);
    writeLines(out.resolve("json/edges.jsonl"), RoundTrip.edges(folder));
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("sdk", "java");
    report.put("version", version());
    report.put("vectors", replayed);
    report.put("calls", calls);
    write(out.resolve("report.json"), JSON.toJson(report));
    return allPassed(replayed) && allPassed(calls);
  }

  /** Creates all matches in order, then plays some at once; how each went. */
  private static Map<String, String> replayAll(TablestateClient client, List<Vector> vectors)
      throws Exception {
    ExecutorService games = Executors.newFixedThreadPool(AT_ONCE);
    ExecutorService watches = Executors.newCachedThreadPool();
    try {
      Map<String, Future<String>> played = new LinkedHashMap<>();
      for (Vector vector : vectors) {
        GameOptions options = vector.message("options", GameOptions.getDefaultInstance());
        HostedMatch hosted = client.createMatch(options);
        Replayer replayer = new Replayer(client, hosted, vector);
        played.put(vector.name, games.submit(() -> outcome(replayer, watches)));
      }
      Map<String, String> outcomes = new LinkedHashMap<>();
      for (Map.Entry<String, Future<String>> each : played.entrySet()) {
        outcomes.put(each.getKey(), each.getValue().get());
      }
      return outcomes;
    } finally {
      games.shutdownNow();
      watches.shutdownNow();
    }
  }

  private static String outcome(Replayer replayer, ExecutorService watches) {
    try {
      replayer.replay(watches);
      return PASSED;
    } catch (Exception error) {
      return Checks.told(error);
    }
  }

  private static void writeAllLines(Path folder, List<Vector> vectors) throws IOException {
    Files.createDirectories(folder);
    for (Vector vector : vectors) {
      writeLines(folder.resolve(vector.name + ".jsonl"), RoundTrip.lines(vector));
    }
  }

  private static void writeLines(Path path, List<String> lines) throws IOException {
    write(path, String.join("\n", lines) + "\n");
  }

  private static void write(Path path, String text) throws IOException {
    Files.write(path, text.getBytes(StandardCharsets.UTF_8));
  }

  private static String version() throws IOException {
    try (InputStream file = Runner.class.getResourceAsStream("/version.txt")) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8).trim();
    }
  }

  private static boolean allPassed(Map<String, String> results) {
    return results.values().stream().allMatch(PASSED::equals);
  }
}

package dev.tablestate.parity;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import dev.tablestate.v1.GameEvent;
import dev.tablestate.v1.GameView;
import dev.tablestate.v1.LegalAction;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A recorded game. */
final class Vector {
  static final String SPECTATOR = "spectator";

  final String name;
  final JsonObject content;
  final List<Step> steps = new ArrayList<>();

  private Vector(Path path) throws IOException {
    String file = path.getFileName().toString();
    name = file.substring(0, file.length() - ".json".length());
    String text = new String(Files.readAllBytes(path), StandardCharsets.UTF_8);
    content = JsonParser.parseString(text).getAsJsonObject();
    content.getAsJsonArray("steps").forEach(each -> steps.add(new Step(each.getAsJsonObject())));
  }

  /** The vectors of a folder, in the byte order of their names. */
  static List<Vector> readAll(Path folder) throws IOException {
    List<Vector> vectors = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path path : sorted(files.filter(each -> each.toString().endsWith(".json")))) {
        vectors.add(new Vector(path));
      }
    }
    return vectors;
  }

  private static List<Path> sorted(Stream<Path> paths) {
    // The names are ASCII, where the order of chars is that of bytes.
    return paths
        .sorted(Comparator.comparing(each -> each.getFileName().toString()))
        .collect(Collectors.toList());
  }

  String text(String field) {
    return content.get(field).getAsString();
  }

  int seats() {
    return content.get("seats").getAsInt();
  }

  /** One of its messages. */
  <M extends Message> M message(String field, M kind) {
    return parse(content.get(field), kind);
  }

  /** A message from its JSON; an empty one names its kind. */
  @SuppressWarnings("unchecked") // A builder makes messages of its kind.
  static <M extends Message> M parse(JsonElement json, M kind) {
    Message.Builder builder = kind.newBuilderForType();
    try {
      JsonFormat.parser().merge(json.toString(), builder);
    } catch (InvalidProtocolBufferException refused) {
      throw new IllegalArgumentException(refused);
    }
    return (M) builder.build();
  }

  /** The set-up, or an action, and what every viewer is shown then. */
  static final class Step {
    final JsonObject content;

    Step(JsonObject content) {
      this.content = content;
    }

    int ply() {
      return content.get("ply").getAsInt();
    }

    int seat() {
      return content.get("seat").getAsInt();
    }

    boolean hasAction() {
      return content.has("action");
    }

    LegalAction action() {
      return parse(content.get("action"), LegalAction.getDefaultInstance());
    }

    List<Integer> actors() {
      List<Integer> actors = new ArrayList<>();
      content.getAsJsonArray("actors").forEach(each -> actors.add(each.getAsInt()));
      return actors;
    }

    byte[] mask() {
      String digits = content.get("legal_mask").getAsString();
      byte[] mask = new byte[digits.length() / 2];
      for (int i = 0; i < mask.length; i++) {
        mask[i] = (byte) Integer.parseInt(digits.substring(2 * i, 2 * i + 2), 16);
      }
      return mask;
    }

    GameView view(String viewer) {
      return parse(of("views", viewer).get("view"), GameView.getDefaultInstance());
    }

    List<GameEvent> events(String viewer) {
      return events(of("events", viewer));
    }

    /** The items, each of which is for some viewers. */
    List<JsonObject> items(String field) {
      List<JsonObject> items = new ArrayList<>();
      content.getAsJsonArray(field).forEach(each -> items.add(each.getAsJsonObject()));
      return items;
    }

    static List<GameEvent> events(JsonObject item) {
      List<GameEvent> events = new ArrayList<>();
      for (JsonElement each : item.getAsJsonArray("events")) {
        events.add(parse(each, GameEvent.getDefaultInstance()));
      }
      return events;
    }

    private JsonObject of(String field, String viewer) {
      for (JsonObject item : items(field)) {
        JsonArray viewers = item.getAsJsonArray("viewers");
        for (JsonElement each : viewers) {
          if (each.getAsString().equals(viewer)) {
            return item;
          }
        }
      }
      throw new Checks.Mismatch("the vector has no " + field + " of " + viewer);
    }
  }
}

package dev.tablestate.parity;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import dev.tablestate.v1.ActionChoice;
import dev.tablestate.v1.CreateMatchRequest;
import dev.tablestate.v1.GameEvent;
import dev.tablestate.v1.GameOptions;
import dev.tablestate.v1.GameView;
import dev.tablestate.v1.MatchUpdate;
import dev.tablestate.v1.Outcome;
import dev.tablestate.v1.PlayoutRequest;
import dev.tablestate.v1.SearchResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The messages of a vector as this language prints them. */
final class RoundTrip {
  private static final JsonFormat.Printer PRINTER =
      JsonFormat.printer().omittingInsignificantWhitespace();
  private static final List<Message> EDGE_TYPES =
      List.of(
          ActionChoice.getDefaultInstance(),
          Outcome.getDefaultInstance(),
          SearchResponse.getDefaultInstance(),
          PlayoutRequest.getDefaultInstance(),
          CreateMatchRequest.getDefaultInstance(),
          MatchUpdate.getDefaultInstance());

  private RoundTrip() {}

  /** A line for every message, which was read, encoded, decoded and printed. */
  static List<String> lines(Vector vector) throws IOException {
    List<Message> messages = new ArrayList<>();
    messages.add(vector.message("options", GameOptions.getDefaultInstance()));
    messages.add(vector.message("complete_options", GameOptions.getDefaultInstance()));
    messages.add(vector.message("outcome", Outcome.getDefaultInstance()));
    vector.steps.forEach(step -> addTo(messages, step));
    return printed(messages);
  }

  /** The same of messages that languages are likely to disagree about. */
  static List<String> edges(Path folder) throws IOException {
    List<Message> messages = new ArrayList<>();
    for (String line : Files.readAllLines(folder.resolve("edges.jsonl"))) {
      JsonObject edge = JsonParser.parseString(line).getAsJsonObject();
      messages.add(Vector.parse(edge.get("json"), kind(edge.get("type").getAsString())));
    }
    return printed(messages);
  }

  private static Message kind(String type) {
    for (Message each : EDGE_TYPES) {
      if (each.getDescriptorForType().getFullName().equals(type)) {
        return each;
      }
    }
    throw new IllegalArgumentException("no message " + type);
  }

  private static List<String> printed(List<Message> messages) throws IOException {
    List<String> lines = new ArrayList<>();
    for (Message message : messages) {
      Message decoded = message.getParserForType().parseFrom(message.toByteString());
      lines.add(PRINTER.print(decoded));
    }
    return lines;
  }

  private static void addTo(List<Message> messages, Vector.Step step) {
    if (step.hasAction()) {
      messages.add(step.action());
    }
    for (JsonObject item : step.items("events")) {
      List<GameEvent> events = Vector.Step.events(item);
      messages.addAll(events);
    }
    for (JsonObject item : step.items("views")) {
      messages.add(Vector.parse(item.get("view"), GameView.getDefaultInstance()));
    }
  }
}

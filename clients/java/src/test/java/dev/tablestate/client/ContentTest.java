package dev.tablestate.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.reflect.TypeToken;
import dev.tablestate.client.errors.InvalidArgumentException;
import dev.tablestate.client.errors.NotFoundException;
import dev.tablestate.v1.ActionChoice;
import dev.tablestate.v1.GameOptions;
import dev.tablestate.v1.LegalAction;
import dev.tablestate.v1.Match;
import dev.tablestate.v1.OffTrackAction;
import dev.tablestate.v1.OffTrackSkip;
import dev.tablestate.v1.OffboardOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Content of games, credentials and intents. */
class ContentTest {
  @Test
  void optionsNameTheirGame() {
    assertEquals(GameOptions.GameCase.OFFTRACK, Games.options("offtrack").getGameCase());
    OffboardOptions quick = OffboardOptions.newBuilder().setPointsToWin(2).build();
    assertEquals(quick, Games.options(quick).getOffboard());
    assertEquals(Games.options(quick), Games.options(Games.options(quick)));
    assertThrows(NotFoundException.class, () -> Games.options("chess"));
    assertThrows(InvalidArgumentException.class, () -> Games.options(Match.getDefaultInstance()));
  }

  @Test
  void actionsAreNamedInTheWayTheyAreGiven() {
    OffTrackAction skip =
        OffTrackAction.newBuilder().setSkip(OffTrackSkip.getDefaultInstance()).build();
    assertEquals(skip, Games.choice(skip).getAction().getOfftrack());
    assertEquals(9, Games.choice(LegalAction.newBuilder().setIndex(9).build()).getIndex());
    assertEquals("e3e4", Games.choice("e3e4").getNotation());
    ActionChoice choice = Games.choice(3);
    assertEquals(choice, Games.choice(choice));
    assertThrows(InvalidArgumentException.class, () -> Games.choice(Match.getDefaultInstance()));
  }

  @Test
  void credentialsAndIntentsAreReadAsTheyWereSaved() {
    SeatCredential seat = new SeatCredential("m", 2, Secrets.newToken(), Secrets.newToken());
    assertEquals(seat, SeatCredential.load(seat.save()));
    HostCredential host = new HostCredential("m", Secrets.newToken());
    assertEquals(host, HostCredential.load(host.save()));
    Intent intent = new Intent();
    assertEquals(intent.save(), Intent.load(intent.save()).save());
  }

  @Test
  void whatAnyClientHasSavedIsReadAndSavedAlike() throws IOException {
    String text = new String(Files.readAllBytes(Paths.get("../../tests/data/saved.json")), UTF_8);
    JsonObject all = JsonParser.parseString(text).getAsJsonObject();
    Gson gson = new Gson();
    Map<String, Function<Map<String, ?>, Map<String, ?>>> kinds = new HashMap<>();
    kinds.put("host", saved -> HostCredential.load(saved).save());
    kinds.put("seat", saved -> SeatCredential.load(saved).save());
    kinds.put("promised", saved -> SeatCredential.load(saved).save());
    kinds.put("intent", saved -> Intent.load(saved).save());
    assertEquals(all.keySet(), kinds.keySet());
    for (String kind : kinds.keySet()) {
      Map<String, ?> saved =
          gson.fromJson(all.get(kind), new TypeToken<Map<String, ?>>() {}.getType());
      assertEquals(all.get(kind), gson.toJsonTree(kinds.get(kind).apply(saved)), kind);
    }
  }

  @Test
  void numbersOfASavedSeatMayComeFromJsonWithAFraction() {
    SeatCredential seat = new SeatCredential("m", 2, Secrets.newToken());
    Map<String, Object> saved = new HashMap<>(seat.save());
    saved.put("seat", 2.0);
    assertEquals(seat, SeatCredential.load(saved));
  }

  @Test
  void damagedCredentialsAreRefusedWithoutShowingThem() {
    HostCredential host = new HostCredential("m", Secrets.newToken());
    for (String damaged : Arrays.asList("", "zz", Secrets.hex(host.getToken()).substring(2))) {
      Map<String, Object> saved = new HashMap<>(host.save());
      saved.put("host_token", damaged);
      InvalidArgumentException error =
          assertThrows(InvalidArgumentException.class, () -> HostCredential.load(saved));
      assertTrue(damaged.isEmpty() || !error.getMessage().contains(damaged));
    }
    assertFalse(host.toString().contains(Secrets.hex(host.getToken())));
  }
}

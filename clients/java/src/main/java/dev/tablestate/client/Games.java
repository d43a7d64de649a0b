package dev.tablestate.client;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.tablestate.client.errors.ErrorDetails;
import dev.tablestate.client.errors.InvalidArgumentException;
import dev.tablestate.client.errors.NotFoundException;
import dev.tablestate.v1.ActionChoice;
import dev.tablestate.v1.ErrorReason;
import dev.tablestate.v1.GameAction;
import dev.tablestate.v1.GameOptions;
import dev.tablestate.v1.LegalAction;
import io.grpc.Status;

/** Content of a game, from a message of that game or from its name. */
public final class Games {
  private Games() {}

  /** The default options of a game, as "offboard"; throws NotFoundException. */
  public static GameOptions options(String game) {
    Arguments.given("game", game);
    FieldDescriptor field = GameOptions.getDescriptor().findFieldByName(game);
    if (field == null) {
      throw new NotFoundException(
          ErrorDetails.of(
                  Status.Code.NOT_FOUND, "this client knows no game " + Arguments.shown(game))
              .withReason(ErrorReason.ERROR_REASON_GAME_NOT_FOUND));
    }
    GameOptions.Builder options = GameOptions.newBuilder();
    return options.setField(field, options.newBuilderForField(field).build()).build();
  }

  /** The same from the options message of a game, as an OffboardOptions. */
  public static GameOptions options(Message options) {
    Arguments.given("options", options);
    return options instanceof GameOptions
        ? (GameOptions) options
        : (GameOptions) holding(GameOptions.newBuilder(), options);
  }

  /** An action from the action message of a game, as an OffboardAction. */
  public static GameAction action(Message action) {
    Arguments.given("action", action);
    return action instanceof GameAction
        ? (GameAction) action
        : (GameAction) holding(GameAction.newBuilder(), action);
  }

  /** A decision by its notation, as "e3e4". */
  public static ActionChoice choice(String notation) {
    return ActionChoice.newBuilder().setNotation(Arguments.given("notation", notation)).build();
  }

  /** A decision by its index. */
  public static ActionChoice choice(int index) {
    return ActionChoice.newBuilder().setIndex(index).build();
  }

  /** A decision by one of the listed legal actions, a GameAction, or a game's action message. */
  public static ActionChoice choice(Message action) {
    if (action instanceof ActionChoice) {
      return (ActionChoice) action;
    }
    if (action instanceof LegalAction) {
      return choice(((LegalAction) action).getIndex());
    }
    return ActionChoice.newBuilder().setAction(action(action)).build();
  }

  private static Message holding(Message.Builder whole, Message part) {
    for (FieldDescriptor field : whole.getDescriptorForType().getFields()) {
      if (field.getMessageType().equals(part.getDescriptorForType())) {
        return whole.setField(field, part).build();
      }
    }
    String expected =
        "must be a " + whole.getDescriptorForType().getName() + ", or a message of a game";
    throw new InvalidArgumentException(part.getDescriptorForType().getName(), expected);
  }
}

/** Game content from what is handy in TypeScript. */
import { create, isMessage, type MessageInitShape } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { requireMessage, shown } from "./arguments.js";
import { InvalidArgumentError, NotFoundError } from "./errors.js";
import type { EternitiumOptionsSchema } from "./gen/tablestate/v1/eternitium_pb.js";
import {
  type ActionChoice,
  ActionChoiceSchema,
  type GameAction,
  GameActionSchema,
  type GameOptions,
  GameOptionsSchema,
  type LegalAction,
  LegalActionSchema,
} from "./gen/tablestate/v1/game_pb.js";
import type { OffTheRailsOptionsSchema } from "./gen/tablestate/v1/off_the_rails_pb.js";
import type { OffboardOptionsSchema } from "./gen/tablestate/v1/offboard_pb.js";
import type { OffTrackOptionsSchema } from "./gen/tablestate/v1/offtrack_pb.js";

/** The options that each game takes, by the game's name; what is left out takes its default. */
export interface OptionsOf {
  offboard: MessageInitShape<typeof OffboardOptionsSchema>;
  offtrack: MessageInitShape<typeof OffTrackOptionsSchema>;
  eternitium: MessageInitShape<typeof EternitiumOptionsSchema>;
  off_the_rails: MessageInitShape<typeof OffTheRailsOptionsSchema>;
}

/** The name of a game. */
export type Game = keyof OptionsOf;

/** A decision: its notation, its index, one of the listed legal actions, or its message. */
export type Action = string | number | LegalAction | GameAction | ActionChoice;

/** The games that this client knows, by name. */
export const GAMES: readonly Game[] = ["eternitium", "off_the_rails", "offboard", "offtrack"];

/** Whether this client knows a game of the name. */
export function isGame(name: string): name is Game {
  return (GAMES as readonly string[]).includes(name);
}

/**
 * The options message of a game; throws NotFoundError for an unknown game, and InvalidArgumentError
 * for what are no options of it.
 */
export function gameOptions<G extends Game>(game: G, options: OptionsOf[G] = {}): GameOptions {
  const known = GameOptionsSchema.fields.find((field) => field.name === game);
  if (known?.message === undefined) {
    const message = `no game ${shown(game)}; this client knows ${GAMES.join(", ")}`;
    throw new NotFoundError(message, { code: Code.NotFound, reason: "GAME_NOT_FOUND" });
  }
  requireMessage(known.message, options, `options.${game}`);
  type Chosen = MessageInitShape<typeof GameOptionsSchema>["game"];
  const chosen = { case: known.localName, value: options } as Chosen;
  return create(GameOptionsSchema, { game: chosen });
}

/** The name of the game that options, a view or an action belong to; "": of none. */
export function gameOf(content: { game: { case?: string | undefined } }): Game | "" {
  const localName = content.game.case;
  const field = GameOptionsSchema.fields.find((each) => each.localName === localName);
  return field && isGame(field.name) ? field.name : "";
}

/** Names an action in the way it was given; throws InvalidArgumentError for anything else. */
export function actionChoice(action: Action): ActionChoice {
  if (typeof action === "string") return choice({ case: "notation", value: action });
  if (typeof action === "number") return choice({ case: "index", value: index(action) });
  if (isMessage(action, LegalActionSchema)) return choice({ case: "index", value: action.index });
  if (isMessage(action, GameActionSchema)) return choice({ case: "action", value: action });
  if (isMessage(action, ActionChoiceSchema)) return action;
  const expected = "must be a notation, an index or a message";
  throw new InvalidArgumentError("action", `${shown(action)}: ${expected}`);
}

function choice(named: ActionChoice["choice"]): ActionChoice {
  return create(ActionChoiceSchema, { choice: named });
}

function index(value: number): number {
  if (Number.isInteger(value) && value >= 0 && value < 2 ** 32) return value;
  const expected = "must be a whole number from 0 to 4294967295";
  throw new InvalidArgumentError("action", `${shown(value)}: ${expected}`);
}

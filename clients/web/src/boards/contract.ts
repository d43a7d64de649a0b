/** What every board is given, whatever its game. */
import type { GameEvent, GameOptions, GameView, LegalAction } from "@tablestate/client";

export interface BoardProps {
  /** What the viewer sees. */
  view: GameView;
  /** The options of the match, with every default filled in. */
  options: GameOptions;
  /** The seat that looks on, whose side is near; undefined: a spectator. */
  viewer?: number | undefined;
  /** The names of the seats, by rising number. */
  names: readonly string[];
  /** The seats that must decide. */
  actors: readonly number[];
  /** What the viewer may do now; empty when it is not its turn. */
  actions: readonly LegalAction[];
  /** What the last entry brought about, to be pointed out. */
  events: readonly GameEvent[];
  /** Is called with the action that was chosen. */
  onAction: (action: LegalAction) => void;
}

/** A match as it stood at a version. */
import type {
  Clocks,
  GameEvent,
  GameView,
  GetViewResponse,
  LegalAction,
  MatchChange,
  MatchPhase,
  MatchUpdate,
  Outcome,
  Proposal,
} from "@tablestate/client";

export interface Frame {
  readonly version: number;
  readonly ply: number;
  readonly phase: MatchPhase;
  readonly actors: readonly number[];
  /** What led here; left out where only the view was asked for. */
  readonly change?: MatchChange | undefined;
  readonly seat?: number | undefined;
  readonly events: readonly GameEvent[];
  /** Left out before the start. */
  readonly view?: GameView | undefined;
  readonly actions: readonly LegalAction[];
  readonly outcome?: Outcome | undefined;
  readonly proposal?: Proposal | undefined;
  readonly clocks?: Clocks | undefined;
  readonly paused: boolean;
  /** When it was heard of, by `performance.now()`. */
  readonly heard: number;
}

/** What an entry led to. */
export function frameOf(update: MatchUpdate): Frame {
  return {
    version: Number(update.version),
    ply: update.ply,
    phase: update.phase,
    actors: update.actors,
    change: update.change,
    seat: update.seat,
    events: update.events,
    view: update.view,
    actions: update.legalActions?.actions ?? [],
    outcome: update.outcome,
    proposal: update.proposal,
    clocks: update.clocks,
    paused: update.paused,
    heard: performance.now(),
  };
}

/** What a view shows. */
export function frameOfView(answer: GetViewResponse): Frame {
  return {
    version: Number(answer.version),
    ply: answer.ply,
    phase: answer.phase,
    actors: answer.actors,
    events: [],
    view: answer.view,
    actions: answer.legalActions?.actions ?? [],
    outcome: answer.outcome,
    proposal: answer.proposal,
    clocks: answer.clocks,
    paused: answer.paused,
    heard: performance.now(),
  };
}

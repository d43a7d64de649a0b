/** What the page says of matches, in words. */
import {
  EternitiumEventKind,
  type GameEvent,
  type GameInfo,
  type Match,
  MatchChange,
  MatchPhase,
  OffTheRailsEventKind,
  OffTrackEventKind,
  type Outcome,
  OutcomeReason,
  ProposalKind,
  type Seat,
  SeatOccupant,
  TablestateError,
} from "@tablestate/client";

/** The name of a constant as people write it: "LAST_TOKEN" is "last token". */
export function plain(constant: string): string {
  return constant.toLowerCase().replaceAll("_", " ");
}

/** With a capital letter. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const PHASES: Record<MatchPhase, string> = {
  [MatchPhase.UNSPECIFIED]: "",
  [MatchPhase.WAITING]: "waiting",
  [MatchPhase.RUNNING]: "playing",
  [MatchPhase.OVER]: "over",
  [MatchPhase.ABORTED]: "aborted",
};

/** Where a match stands, in a word. */
export function phaseWord(phase: MatchPhase): string {
  return PHASES[phase];
}

/** Who sits on a seat. */
export function seatName(seat: Seat | undefined, number = seat?.seat ?? 0): string {
  if (!seat || seat.occupant === SeatOccupant.UNSPECIFIED) return "open seat";
  if (seat.displayName !== "") return seat.displayName;
  return `Seat ${number + 1}`;
}

/** The names of all seats. Two of one name are told apart by their numbers. */
export function seatNames(match: Match): string[] {
  const names = match.seats.map((seat) => seatName(seat));
  return names.map((name, at) => {
    const isAlone = names.indexOf(name) === names.lastIndexOf(name);
    return isAlone || name === "open seat" ? name : `${name} ${at + 1}`;
  });
}

/** What sort of player sits there; "" for one of flesh and blood. */
export function occupantWord(seat: Seat): string {
  const words: Partial<Record<SeatOccupant, string>> = {
    [SeatOccupant.BOT]: "bot",
    [SeatOccupant.ABSENT]: "away",
    [SeatOccupant.FORFEITED]: "resigned",
  };
  return words[seat.occupant] ?? "";
}

const GAME_OF_REASON = /^(OFFBOARD|OFFTRACK|ETERNITIUM|OFF_THE_RAILS)_/;

/** How a match ended. */
export function outcomeWords(outcome: Outcome, names: readonly string[]): string {
  const reason = plain(OutcomeReason[outcome.reason].replace(GAME_OF_REASON, ""));
  const winners = outcome.winners.map((seat) => names[seat] ?? `Seat ${seat + 1}`);
  if (winners.length === 0) return `A draw: ${reason}`;
  return `${winners.join(" and ")} won: ${reason}`;
}

const CHANGES: Partial<Record<MatchChange, string>> = {
  [MatchChange.CREATED]: "Match created",
  [MatchChange.JOINED]: "joined",
  [MatchChange.BOT_ADDED]: "was put on a seat",
  [MatchChange.SEAT_FREED]: "gave the seat back",
  [MatchChange.STARTED]: "The game begins",
  [MatchChange.LEFT]: "left",
  [MatchChange.FORFEITED]: "resigned",
  [MatchChange.ABORTED]: "Match aborted",
  [MatchChange.TIMED_OUT]: "ran out of time",
  [MatchChange.DRAWN]: "A draw is agreed",
  [MatchChange.UNDONE]: "Actions are taken back",
  [MatchChange.PAUSED]: "Paused",
  [MatchChange.RESUMED]: "Resumed",
};

/** What happened, where it was no action of the game; the seat's name comes before it. */
export function changeWords(change: MatchChange | undefined): string {
  if (change === undefined) return "";
  return CHANGES[change] ?? plain(MatchChange[change]);
}

/** The kinds of events of an action, each once, as "Track placed, cart moved". */
export function eventWords(events: readonly GameEvent[]): string {
  const kinds = new Set(events.map(kindOf).filter((kind) => kind !== ""));
  return capital([...kinds].join(", "));
}

function kindOf({ game }: GameEvent): string {
  if (game.case === "offboard") return game.value.event.case ?? "";
  if (game.case === undefined) return "";
  const names = KINDS[game.case];
  return plain(names[game.value.kind] ?? "");
}

const KINDS: Record<"offtrack" | "eternitium" | "offTheRails", Record<number, string>> = {
  offtrack: OffTrackEventKind,
  eternitium: EternitiumEventKind,
  offTheRails: OffTheRailsEventKind,
};

/** What is proposed. */
export function proposalWords(kind: ProposalKind): string {
  const words: Partial<Record<ProposalKind, string>> = {
    [ProposalKind.DRAW]: "a draw",
    [ProposalKind.UNDO]: "to take the last action back",
    [ProposalKind.PAUSE]: "a pause",
  };
  return words[kind] ?? "something";
}

/** An error for people: what the service says, each wrong field on its own. */
export function errorWords(error: unknown): string {
  if (!(error instanceof TablestateError)) return String(error);
  if (error.violations.length === 0) return error.message;
  return error.violations.map(({ field, description }) => `${field}: ${description}`).join("; ");
}

/** How long ago something was, roughly. */
export function ago(then: Date, now: Date): string {
  const seconds = Math.max(0, (now.getTime() - then.getTime()) / 1000);
  const steps: [number, string][] = [
    [86_400, "d"],
    [3600, "h"],
    [60, "min"],
  ];
  const step = steps.find(([size]) => seconds >= size);
  return step ? `${Math.floor(seconds / step[0])} ${step[1]} ago` : "just now";
}

/** How many may play. */
export function seatsWord({ minSeats, maxSeats }: GameInfo): string {
  return minSeats === maxSeats ? `${minSeats} players` : `${minSeats}–${maxSeats} players`;
}

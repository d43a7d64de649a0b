/** What the page says of matches, in words. */
import type { Duration } from "@bufbuild/protobuf/wkt";
import {
  type GameInfo,
  type Match,
  MatchChange,
  MatchPhase,
  type Outcome,
  OutcomeReason,
  ProposalKind,
  type Seat,
  SeatOccupant,
  TablestateError,
  type TimeControl,
} from "@tablestate/client";
import { botName } from "./bots.js";

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

/** Who sits on a seat; a bot's name is that of its kind. */
export function seatName(seat: Seat | undefined, number = seat?.seat ?? 0): string {
  if (!seat || seat.occupant === SeatOccupant.UNSPECIFIED) return "open seat";
  if (seat.occupant === SeatOccupant.BOT) return botName(seat.displayName);
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

/** What has become of a player; "" for one who is there. */
export function occupantWord(seat: Seat): string {
  const words: Partial<Record<SeatOccupant, string>> = {
    [SeatOccupant.ABSENT]: "away",
    [SeatOccupant.FORFEITED]: "resigned",
  };
  return words[seat.occupant] ?? "";
}

const REASONS: Readonly<Record<OutcomeReason, string>> = {
  [OutcomeReason.UNSPECIFIED]: "",
  [OutcomeReason.FORFEIT]: "nobody else was left",
  [OutcomeReason.OFFBOARD_POINTS]: "enough points to win",
  [OutcomeReason.OFFBOARD_REPETITION]: "the same position for the third time",
  [OutcomeReason.OFFBOARD_QUIET_LIMIT]: "too many turns without a score",
  [OutcomeReason.OFFBOARD_OUT_OF_REACH]: "nobody can reach the points to win",
  [OutcomeReason.OFFBOARD_NO_MOVE]: "the other has no move",
  [OutcomeReason.OFFTRACK_ROUNDS_PLAYED]: "all rounds are played",
  [OutcomeReason.ETERNITIUM_ERAS_GONE]: "no Eras left",
  [OutcomeReason.ETERNITIUM_MAX_ROUNDS]: "the last round is over",
  [OutcomeReason.OFF_THE_RAILS_NO_CART_ON_BOARD]: "no cart is on the board",
  [OutcomeReason.OFF_THE_RAILS_LAST_TOKEN]: "the last Chasm token is drawn",
  [OutcomeReason.AGREEMENT]: "all agreed",
};

/** Where scores do not tell who won: nobody played to the end, or they only part ties. */
const UNSCORED: readonly OutcomeReason[] = [
  OutcomeReason.FORFEIT,
  OutcomeReason.AGREEMENT,
  OutcomeReason.ETERNITIUM_ERAS_GONE,
  OutcomeReason.ETERNITIUM_MAX_ROUNDS,
];

/** Why nobody else was left, where it is known what happened last. */
const LAST_LEFT: Partial<Record<MatchChange, string>> = {
  [MatchChange.TIMED_OUT]: "on time",
  [MatchChange.FORFEITED]: "by resignation",
};

/** How a match ended, by the change that ended it if it is known. */
export function outcomeWords(
  outcome: Outcome,
  names: readonly string[],
  change?: MatchChange,
): string {
  const winners = outcome.winners.map((seat) => names[seat] ?? `Seat ${seat + 1}`);
  const who = winners.length === 0 ? "A draw" : `${winners.join(" and ")} won`;
  const isLeft = outcome.reason === OutcomeReason.FORFEIT && change !== undefined;
  const reason = (isLeft && LAST_LEFT[change]) || REASONS[outcome.reason];
  return who + scoreWords(outcome, names) + (reason && `: ${reason}`);
}

/** The scores, each with its name. */
function scoreWords({ reason, scores }: Outcome, names: readonly string[]): string {
  if (UNSCORED.includes(reason) || scores.length === 0) return "";
  const words = scores.map((score) => (score < 0 ? `−${-score}` : `${score}`));
  return ` (${words.map((word, at) => `${names[at]} ${word}`).join(", ")})`;
}

/** How much time players have; "" for all that they like. */
export function timeWords({ turnLimit, bank, increment }: TimeControl): string {
  const words = [
    ...spans(turnLimit).map((time) => `${time} a move`),
    ...spans(bank).map((time) => `${time} each`),
    ...spans(increment).map((time) => `+ ${time} a move`),
  ];
  return words.join(" ");
}

/** A time in the largest unit that leaves no rest; none for no time. */
function spans(time: Duration | undefined): string[] {
  const seconds = Number(time?.seconds ?? 0n);
  if (seconds === 0) return [];
  const [size, unit] = UNITS.find(([size]) => seconds % size === 0) ?? [1, "s"];
  const count = seconds / size;
  return [unit === "d" ? `${count} day${count === 1 ? "" : "s"}` : `${count} ${unit}`];
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
  [MatchChange.DRAW_AGREED]: "A draw is agreed",
  [MatchChange.UNDONE]: "Actions are taken back",
  [MatchChange.PAUSED]: "Paused",
  [MatchChange.RESUMED]: "Resumed",
};

/** What happened, where it was no action of the game; the seat's name comes before it. */
export function changeWords(change: MatchChange | undefined): string {
  if (change === undefined) return "";
  return CHANGES[change] ?? plain(MatchChange[change]);
}

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
  if (error.reason === "CANNOT_UNDO") return "Nothing can be taken back now.";
  if (error.violations.length === 0) return error.message;
  return error.violations.map(({ field, description }) => `${field}: ${description}`).join("; ");
}

const UNITS: readonly (readonly [number, string])[] = [
  [86_400, "d"],
  [3600, "h"],
  [60, "min"],
];

/** How long ago something was, roughly. */
export function ago(then: Date, now: Date): string {
  const seconds = Math.max(0, (now.getTime() - then.getTime()) / 1000);
  const step = UNITS.find(([size]) => seconds >= size);
  return step ? `${Math.floor(seconds / step[0])} ${step[1]} ago` : "just now";
}

/** How many may play. */
export function seatsWord({ minSeats, maxSeats }: GameInfo): string {
  return minSeats === maxSeats ? `${minSeats} players` : `${minSeats}–${maxSeats} players`;
}

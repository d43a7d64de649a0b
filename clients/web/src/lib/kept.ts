/** What this browser keeps: tokens of seats and matches, the player's name, the choice of light. */
import { HostCredential, type SavedHost, type SavedSeat, SeatCredential } from "@tablestate/client";

const PREFIX = "tablestate.";

/** Where to keep things: asking for a storage throws where none is allowed. */
export type Place = () => Storage;

const local: Place = () => localStorage;

/** What is kept under a key, whatever it is: others than this page may have written there. */
export function read(key: string, place = local): unknown {
  try {
    return JSON.parse(place().getItem(PREFIX + key) ?? "null");
  } catch {
    return undefined; // damaged, or no storage is allowed here
  }
}

/** Keeps a value; undefined: nothing any more. */
export function write(key: string, value: unknown, place = local): void {
  try {
    if (value === undefined) place().removeItem(PREFIX + key);
    else place().setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // No room, or none allowed: the page works, and forgets.
  }
}

/** What is kept by the ids of matches. */
function readByMatch(key: string): Record<string, unknown> {
  const kept = read(key);
  return typeof kept === "object" && kept !== null ? { ...kept } : {};
}

/** Reads credentials; those that are damaged are passed over. */
function intact<S, T>(saved: unknown, load: (each: S) => T): T[] {
  if (!Array.isArray(saved)) return [];
  return saved.flatMap((each) => {
    try {
      return [load(each)];
    } catch {
      return [];
    }
  });
}

function loadSeats(saved: unknown): SeatCredential[] {
  return intact<SavedSeat, SeatCredential>(saved, SeatCredential.load);
}

/** The seats that are played from this browser in a match, by rising number. */
export function seatsOf(matchId: string): SeatCredential[] {
  return loadSeats(readByMatch("seats")[matchId]).sort((a, b) => a.seat - b.seat);
}

/** Keeps the key to a seat. A key stays the same when seats are drawn and its seat is another. */
export function keepSeat(credential: SeatCredential): void {
  writeSeats(credential.matchId, [...othersThan(credential), credential]);
}

/** Forgets the key to a seat that was given back. */
export function dropSeat(credential: SeatCredential): void {
  writeSeats(credential.matchId, othersThan(credential));
}

function othersThan(credential: SeatCredential): SeatCredential[] {
  return seatsOf(credential.matchId).filter((each) => !isSame(each, credential));
}

/** Whether two keys are one, whichever seats they are thought to be of. */
export function isSame(one: SeatCredential, other: SeatCredential): boolean {
  return one.token.every((byte, at) => byte === other.token[at]);
}

function writeSeats(matchId: string, seats: readonly SeatCredential[]): void {
  const saved = seats.map((seat) => seat.save());
  write("seats", { ...readByMatch("seats"), [matchId]: saved });
}

/** The matches in which this browser has seats. */
export function ownMatches(): string[] {
  const all = Object.entries(readByMatch("seats"));
  return all.filter(([, seats]) => loadSeats(seats).length > 0).map(([matchId]) => matchId);
}

/** The key to a match that was created here. */
export function hostOf(matchId: string): HostCredential | undefined {
  return intact<SavedHost, HostCredential>([readByMatch("hosts")[matchId]], HostCredential.load)[0];
}

/** Keeps the key to a match. */
export function keepHost(credential: HostCredential): void {
  write("hosts", { ...readByMatch("hosts"), [credential.matchId]: credential.save() });
}

/** The name that the player shows to others. */
export function playerName(): string {
  const name = read("name");
  return typeof name === "string" ? name : "";
}

export function keepPlayerName(name: string): void {
  write("name", name);
}

export const THEMES = ["", "light", "dark"] as const;

/** Light, dark, or what the machine says. */
export type Theme = (typeof THEMES)[number];

export function theme(): Theme {
  const chosen = read("theme");
  return THEMES.find((each) => each === chosen) ?? "";
}

export function keepTheme(chosen: Theme): void {
  write("theme", chosen);
}

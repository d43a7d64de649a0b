/** What this browser keeps: tokens of seats and matches, the player's name, the choice of light. */
import { HostCredential, type SavedHost, type SavedSeat, SeatCredential } from "@tablestate/client";

const PREFIX = "tablestate.";

function read<T>(key: string): T | undefined {
  try {
    const text = localStorage.getItem(PREFIX + key);
    return text === null ? undefined : (JSON.parse(text) as T);
  } catch {
    return undefined; // damaged, or no storage is allowed here
  }
}

function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // No room, or none allowed: the page works, and forgets.
  }
}

type Kept<T> = Record<string, T>;

/** The seats that are played from this browser in a match, by rising number. */
export function seatsOf(matchId: string): SeatCredential[] {
  const seats = read<Kept<SavedSeat[]>>("seats")?.[matchId] ?? [];
  return seats.map((saved) => SeatCredential.load(saved)).sort((a, b) => a.seat - b.seat);
}

/** Keeps the key to a seat. */
export function keepSeat(credential: SeatCredential): void {
  const all = read<Kept<SavedSeat[]>>("seats") ?? {};
  const others = (all[credential.matchId] ?? []).filter(({ seat }) => seat !== credential.seat);
  write("seats", { ...all, [credential.matchId]: [...others, credential.save()] });
}

/** Forgets the key to a seat that was given back. */
export function dropSeat(credential: SeatCredential): void {
  const all = read<Kept<SavedSeat[]>>("seats") ?? {};
  const others = (all[credential.matchId] ?? []).filter(({ seat }) => seat !== credential.seat);
  write("seats", { ...all, [credential.matchId]: others });
}

/** The matches in which this browser has seats. */
export function ownMatches(): string[] {
  const all = Object.entries(read<Kept<SavedSeat[]>>("seats") ?? {});
  return all.filter(([, seats]) => seats.length > 0).map(([matchId]) => matchId);
}

/** The key to a match that was created here. */
export function hostOf(matchId: string): HostCredential | undefined {
  const saved = read<Kept<SavedHost>>("hosts")?.[matchId];
  return saved && HostCredential.load(saved);
}

/** Keeps the key to a match. */
export function keepHost(credential: HostCredential): void {
  write("hosts", { ...read<Kept<SavedHost>>("hosts"), [credential.matchId]: credential.save() });
}

/** The name that the player shows to others. */
export function playerName(): string {
  return read<string>("name") ?? "";
}

export function keepPlayerName(name: string): void {
  write("name", name);
}

/** Light, dark, or what the machine says. */
export type Theme = "light" | "dark" | "";

export function theme(): Theme {
  return read<Theme>("theme") ?? "";
}

export function keepTheme(chosen: Theme): void {
  write("theme", chosen);
}

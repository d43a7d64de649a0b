/**
 * The keys to matches and seats, to be kept over a restart or a reload.
 *
 * Saved they have the names of fields that the clients of all languages read and write.
 */
import { given, shown } from "./arguments.js";
import { InvalidArgumentError } from "./errors.js";

const TOKEN_BYTES = 32;

/** A `HostCredential` as plain data, fit for JSON. It holds the secret. */
export interface SavedHost {
  match_id: string;
  host_token: string;
}

/** A `SeatCredential` as plain data, fit for JSON. It holds the secret. */
export interface SavedSeat {
  match_id: string;
  seat: number;
  seat_token: string;
  entropy?: string;
}

/** An `Intent` as plain data, fit for JSON. It holds the secret. */
export interface SavedIntent {
  request_id: string;
  token: string;
  entropy: string;
}

/** The key to a match: start it, add bots, abort it. Keep it secret. */
export class HostCredential {
  readonly #token: Uint8Array<ArrayBuffer>;

  /** `token` are the 32 bytes that the match was created with. */
  constructor(
    readonly matchId: string,
    token: Uint8Array<ArrayBuffer>,
  ) {
    this.#token = bytes("hostToken", token);
  }

  /** The secret itself. */
  get token(): Uint8Array<ArrayBuffer> {
    return this.#token;
  }

  /** The same as plain data. */
  save(): SavedHost {
    return { match_id: this.matchId, host_token: toHex(this.#token) };
  }

  /** Reads what `save` returned; throws InvalidArgumentError if it is damaged. */
  static load(saved: SavedHost): HostCredential {
    requireSaved(saved);
    const matchId = text(saved.match_id, "match_id");
    return new HostCredential(matchId, token(saved.host_token, "host_token"));
  }
}

/** The key to a seat of a match. Keep it secret. */
export class SeatCredential {
  readonly #token: Uint8Array<ArrayBuffer>;
  readonly #entropy: Uint8Array<ArrayBuffer>;

  /** `entropy` is what the seat has promised to add to the chance of the match; empty: nothing. */
  constructor(
    readonly matchId: string,
    readonly seat: number,
    token: Uint8Array<ArrayBuffer>,
    entropy: Uint8Array<ArrayBuffer> = new Uint8Array(),
  ) {
    // Without a token the server would answer as to a spectator.
    this.#token = bytes("seatToken", token);
    this.#entropy = entropy;
  }

  /** The secret itself. */
  get token(): Uint8Array<ArrayBuffer> {
    return this.#token;
  }

  /** What the seat has promised to add to the chance of the match; empty: nothing. */
  get entropy(): Uint8Array<ArrayBuffer> {
    return this.#entropy;
  }

  /** The same key at another place of the table: seats may be drawn, and keys go with players. */
  at(seat: number): SeatCredential {
    return new SeatCredential(this.matchId, seat, this.#token, this.#entropy);
  }

  /** The same as plain data. */
  save(): SavedSeat {
    const key = { match_id: this.matchId, seat: this.seat, seat_token: toHex(this.#token) };
    return this.#entropy.length ? { ...key, entropy: toHex(this.#entropy) } : key;
  }

  /** Reads what `save` returned; throws InvalidArgumentError if it is damaged. */
  static load(saved: SavedSeat): SeatCredential {
    requireSaved(saved);
    if (!Number.isInteger(saved.seat) || saved.seat < 0) {
      throw new InvalidArgumentError("seat", "must be a whole number from 0 on");
    }
    const entropy = saved.entropy === undefined ? undefined : token(saved.entropy, "entropy");
    const matchId = text(saved.match_id, "match_id");
    return new SeatCredential(matchId, saved.seat, token(saved.seat_token, "seat_token"), entropy);
  }
}

/**
 * Something that is to happen once, however often it is asked for.
 *
 * A call that is repeated with the same intent and the same arguments is the same call. Make a new
 * one for everything that is to happen, and keep it secret: `token` becomes the host's token in
 * `createMatch` and the seat's in `join`, and is not used elsewhere.
 */
export class Intent {
  readonly #token: Uint8Array<ArrayBuffer>;
  readonly #entropy: Uint8Array<ArrayBuffer>;

  /** A new intent, unless it is made of the parts of an older one. */
  constructor(
    readonly requestId: string = newRequestId(),
    token: Uint8Array<ArrayBuffer> = newToken(),
    entropy: Uint8Array<ArrayBuffer> = newToken(),
  ) {
    this.#token = token;
    this.#entropy = entropy;
  }

  /** The token that `createMatch` or `join` gives to what it makes. */
  get token(): Uint8Array<ArrayBuffer> {
    return this.#token;
  }

  /** What a seat that joins with entropy adds to the chance of the match. */
  get entropy(): Uint8Array<ArrayBuffer> {
    return this.#entropy;
  }

  /** The same as plain data. */
  save(): SavedIntent {
    const [secret, entropy] = [toHex(this.#token), toHex(this.#entropy)];
    return { request_id: this.requestId, token: secret, entropy };
  }

  /** Reads what `save` returned; throws InvalidArgumentError if it is damaged. */
  static load(saved: SavedIntent): Intent {
    requireSaved(saved);
    const requestId = text(saved.request_id, "request_id");
    return new Intent(requestId, token(saved.token, "token"), token(saved.entropy, "entropy"));
  }
}

/** The intent of a call, a new one if none was given. */
export function intentOf(options: { readonly intent?: Intent | undefined }): Intent {
  const { intent = new Intent() } = given(options);
  if (intent instanceof Intent) return intent;
  throw new InvalidArgumentError("intent", `${shown(intent)}: must be an Intent`);
}

/** A credential as it was given; throws InvalidArgumentError if it is none of its kind. */
export function credentialOf<T extends object>(kind: new (...parts: never[]) => T, value: T): T {
  if (value instanceof kind) return value;
  throw new InvalidArgumentError("credential", `must be a ${kind.name}`);
}

/** A host or seat token: 32 random bytes, made by the client and by nobody else. */
export function newToken(): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(TOKEN_BYTES));
}

/** The id of one intent: 32 hex digits, the same for all its retries. */
export function newRequestId(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(16)));
}

/** The code of a match by invitation: 32 hex digits. */
export function newInvitationCode(): string {
  return newRequestId();
}

/** A token that is not empty, whose value no error shows. */
function bytes(name: string, token: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (token instanceof Uint8Array && token.length === TOKEN_BYTES) return token;
  throw new InvalidArgumentError(name, `must be a Uint8Array of ${TOKEN_BYTES} bytes`);
}

function requireSaved(saved: unknown): void {
  if (typeof saved === "object" && saved !== null) return;
  throw new InvalidArgumentError("saved", "must be an object, as `save` returned it");
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Reads a token, whose value no error shows. */
function token(value: unknown, name: string): Uint8Array<ArrayBuffer> {
  const digits = 2 * TOKEN_BYTES;
  if (typeof value !== "string" || value.length !== digits || !/^[0-9a-f]*$/i.test(value)) {
    throw new InvalidArgumentError(name, `must be ${digits} hex digits`);
  }
  return Uint8Array.from(value.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function text(value: unknown, name: string): string {
  if (typeof value !== "string" || value === "") {
    throw new InvalidArgumentError(name, "must be text that is not empty");
  }
  return value;
}

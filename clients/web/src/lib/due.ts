/** Calls that make a key: kept from before they are made until it is known what came of them. */
import {
  CancelledError,
  DeadlineExceededError,
  InternalError,
  UnavailableError,
} from "@tablestate/client";
import { type Place, read, write } from "./kept.js";

/** After these the call may have been carried out, or not. */
const OPEN_ENDS = [UnavailableError, DeadlineExceededError, CancelledError, InternalError];

/**
 * A call that is to have one effect even if the page is loaded anew in the middle of it. Its
 * arguments, with the intent, are plain data: repeated with them it is the same call.
 */
export class Due<A extends object> {
  readonly #key: string;

  constructor(
    name: string,
    private readonly place: Place = () => localStorage,
  ) {
    this.#key = `due.${name}`;
  }

  /** The arguments of the call if nobody knows what came of it. */
  get pending(): A | undefined {
    const kept = read(this.#key, this.place);
    return typeof kept === "object" && kept !== null ? (kept as A) : undefined;
  }

  /** Makes the call. Whatever key it makes has to be kept when `call` returns. */
  async attempt<T>(args: A, call: (args: A) => Promise<T>): Promise<T> {
    write(this.#key, args, this.place);
    try {
      const made = await call(args);
      write(this.#key, undefined, this.place);
      return made;
    } catch (error) {
      const isOpen = OPEN_ENDS.some((kind) => error instanceof kind);
      if (!isOpen) write(this.#key, undefined, this.place);
      throw error;
    }
  }
}

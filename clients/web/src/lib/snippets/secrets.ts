/** The secrets of a request, which lines name by variables of the shell. */
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";

const NAMES: Readonly<Record<string, string>> = {
  seatToken: "SEAT_TOKEN",
  hostToken: "HOST_TOKEN",
  newSeatToken: "NEW_SEAT_TOKEN",
  newHostToken: "NEW_HOST_TOKEN",
  entropy: "ENTROPY",
  invitationCode: "INVITATION_CODE",
};

/** The variables of a request by what they hold, as in JSON. */
export class Secrets {
  readonly #names = new Map<string, string>();

  constructor(request: JsonObject) {
    this.#collect(request);
  }

  /** The variable that stands for a field's value; undefined if that is no secret. */
  variable(field: string, value: JsonValue | undefined): string | undefined {
    return Object.hasOwn(NAMES, field) ? this.#names.get(String(value)) : undefined;
  }

  /** The line of a shell that sets each of the variables that a text names. */
  lines(text: string): string {
    const named = [...this.#names].filter(([, name]) => new RegExp(`\\b${name}\\b`).test(text));
    return named.map(([value, name]) => `export ${name}=${quoted(value)}`).join("\n");
  }

  #collect(value: JsonValue): void {
    if (value === null || typeof value !== "object") return;
    for (const [field, inner] of Object.entries(value)) {
      const name = Object.hasOwn(NAMES, field) ? NAMES[field] : undefined;
      if (name !== undefined) this.#add(name, String(inner));
      else this.#collect(inner);
    }
  }

  /** A second token of a kind has a number. */
  #add(name: string, value: string): void {
    if (this.#names.has(value)) return;
    const taken = [...this.#names.values()].filter((each) => each.replace(/_\d+$/, "") === name);
    this.#names.set(value, taken.length === 0 ? name : `${name}_${taken.length + 1}`);
  }
}

/** A text within single quotes of a shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

import type { LegalAction } from "@tablestate/client";

import type { Player } from "./controls.js";
import { completed, type Key, matching, nextKeys, type Route, tapped } from "./selection.js";

interface Steps {
  /** The routes that the steps belong to: with new routes they are void. */
  of: readonly Route<LegalAction>[];
  keys: readonly Key[];
}

/** What a player has tapped so far, and what can be tapped next. */
export class Chooser implements Player {
  readonly #routes: () => readonly Route<LegalAction>[];
  readonly #send: (action: LegalAction) => void;
  #steps = $state.raw<Steps>({ of: [], keys: [] });
  #pointed = $state.raw<readonly Key[]>([]);

  /** What was tapped. */
  readonly chosen: readonly Key[] = $derived.by(() =>
    this.#steps.of === this.#routes() ? this.#steps.keys : [],
  );
  /** The routes that are still open. */
  readonly open = $derived.by(() => matching(this.#routes(), this.chosen));
  /** What can be tapped next. */
  readonly next = $derived.by(() => nextKeys(this.#routes(), this.chosen));
  /** What is offered: what can be tapped next, and what can stand in place of the last step. */
  readonly offered = $derived.by(() => {
    if (this.ready === undefined) return this.next;
    return new Set([...nextKeys(this.#routes(), this.chosen.slice(0, -1)), ...this.next]);
  });
  /** What is pointed at and can be tapped next. */
  readonly pointed = $derived.by(() => this.lit(...this.#pointed));
  /** The action that waits for its confirmation. */
  readonly ready = $derived.by(() => completed(this.#routes(), this.chosen)?.action);

  /** `routes` are read anew when what they are made of changes; `send` takes what was chosen. */
  constructor(routes: () => readonly Route<LegalAction>[], send: (action: LegalAction) => void) {
    this.#routes = routes;
    this.#send = send;
  }

  /** Whether there is anything to choose. */
  get isActive(): boolean {
    return this.#routes().length > 0;
  }

  /** The first of these names that can be tapped next. */
  lit(...keys: readonly Key[]): Key | undefined {
    return keys.find((key) => this.next.has(key));
  }

  /** How often one of these names was tapped. */
  count(...keys: readonly Key[]): number {
    return this.chosen.filter((key) => keys.includes(key)).length;
  }

  /** Something with these names was tapped: the first that means anything counts. */
  tap(...keys: readonly Key[]): void {
    const last = this.chosen.at(-1);
    if (this.ready !== undefined && last !== undefined && keys.includes(last)) {
      if (this.open.length === 1) this.confirm();
      else this.#choose(tapped(this.#routes(), this.chosen, last));
      return;
    }
    const key = this.lit(...keys) ?? keys.find((name) => this.#means(name));
    if (key !== undefined) this.#choose(tapped(this.#routes(), this.chosen, key));
  }

  /** Take the action that waits. */
  confirm(): void {
    const action = this.ready;
    this.reset();
    if (action !== undefined) this.#send(action);
  }

  /** Something with these names is pointed at; without names: nothing. */
  point(...keys: readonly Key[]): void {
    this.#pointed = keys;
  }

  /** Take the last step back; says whether there was one. */
  back(): boolean {
    const had = this.chosen.length > 0;
    if (had) this.#choose(this.chosen.slice(0, -1));
    return had;
  }

  /** Take all steps back. */
  reset(): void {
    this.#choose([]);
  }

  #means(key: Key): boolean {
    return tapped(this.#routes(), this.chosen, key) !== this.chosen;
  }

  #choose(keys: readonly Key[]): void {
    const routes = this.#routes();
    this.#steps = { of: routes, keys };
    const [only, ...others] = matching(routes, keys);
    const done = completed(routes, keys);
    if (done !== undefined && only === done && others.length === 0 && !done.confirm) this.confirm();
  }
}

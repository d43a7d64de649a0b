/** A match that the page shows: what has happened, what the viewer sees, and what it may do. */
import {
  hasEnded,
  type LegalAction,
  type Match,
  MatchChange,
  MatchPhase,
  type MatchUpdate,
  type SeatCredential,
  type SeatedPlayer,
  Seating,
  StaleVersionError,
} from "@tablestate/client";
import { joining, takeSeat } from "./entry.js";
import { type Frame, frameOf, frameOfView } from "./frame.js";
import { isSame, keepSeat, seatsOf } from "./kept.js";
import { client } from "./service.svelte.js";
import { watcher } from "./watcher.js";

export class MatchStore {
  /** The match as it was last read; undefined until then. */
  match = $state.raw<Match>();
  /** The last entry heard of. */
  latest = $state.raw<Frame>();
  /** How many entries there are, and how many of them are here to be looked at. */
  loaded = $state(0);
  /** The notations of actions, by version, where they are known. */
  notations = $state.raw<ReadonlyMap<number, string>>(new Map());
  /** The seats that are played from here, and the one whose eyes are used. */
  seats = $state.raw<readonly SeatCredential[]>([]);
  viewer = $state.raw<SeatCredential>();
  /** Whether an action is under way, and the version that the last one has led to. */
  isBusy = $state(false);
  reached = $state(0);
  error = $state.raw<unknown>();

  readonly #frames = new Map<number, Frame>();
  #end = new AbortController();

  constructor(readonly matchId: string) {}

  /** The frame at a version, or the last one before it that is here. */
  frameAt(version: number): Frame | undefined {
    // An address may name any number, and there is nothing after the last entry heard of.
    for (let at = Math.min(version, this.latest?.version ?? 0); at > 0; at -= 1) {
      const frame = this.#frames.get(at);
      if (frame) return frame;
    }
    return undefined;
  }

  /** All frames that are here, by rising version. */
  frames(): Frame[] {
    return [...this.#frames.values()].sort((a, b) => a.version - b.version);
  }

  /** Begins to follow the match; with a seat's eyes if one is played from here. */
  async open(): Promise<void> {
    const cutOff = joining(this.matchId).pending;
    if (cutOff) {
      await this.run(async () => {
        this.viewer = await takeSeat(this.matchId, cutOff);
      });
    }
    this.seats = seatsOf(this.matchId);
    await this.look(this.viewer ?? this.seats[0]);
  }

  /** Looks on with other eyes: what was seen before is forgotten. */
  async look(viewer: SeatCredential | undefined): Promise<void> {
    this.close();
    this.#end = new AbortController();
    this.viewer = viewer;
    this.#frames.clear();
    this.loaded = 0;
    try {
      await this.#begin(this.#end.signal);
    } catch (error) {
      this.error = error;
    }
  }

  /** Stops following. */
  close(): void {
    this.#end.abort();
  }

  /** Takes an action; the watch tells what came of it. */
  async act(action: LegalAction): Promise<void> {
    const { latest, player } = this;
    if (!latest || !player || this.isBusy) return;
    await this.run(async () => {
      const expectedVersion = BigInt(latest.version);
      const update = await player.submit(action, { expectedVersion });
      this.reached = Number(update.version);
      this.#learn(this.reached, action.notation);
    });
  }

  /** Does something for the player, and keeps what went wrong. */
  async run(task: () => Promise<unknown>): Promise<void> {
    this.isBusy = true;
    this.error = undefined;
    try {
      await task();
    } catch (error) {
      // The match has moved on meanwhile, and the page has been told or will be.
      if (!(error instanceof StaleVersionError)) this.error = error;
    } finally {
      this.isBusy = false;
    }
  }

  /** Takes a seat: any, if none is named, as none can be where seats are drawn. */
  async join(displayName: string, seat?: number): Promise<void> {
    await this.run(async () => {
      const where = seat === undefined ? {} : { seat };
      const credential = await takeSeat(this.matchId, { displayName, ...where });
      this.seats = seatsOf(this.matchId);
      await this.look(credential);
    });
  }

  /** The seat whose eyes are used, to act with. */
  get player(): SeatedPlayer | undefined {
    return this.viewer && client.player(this.viewer);
  }

  async #begin(signal: AbortSignal): Promise<void> {
    const [match, answer] = await Promise.all([
      this.player ? this.player.get({ signal }) : client.getMatch(this.matchId, { signal }),
      this.player
        ? this.player.view({ includeLegalActions: true, signal })
        : client.view(this.matchId, { signal }),
    ]);
    if (signal.aborted) return;
    this.match = match;
    this.#sit(answer.seat);
    this.#show(frameOfView(answer));
    if (!hasEnded(answer.phase)) this.#follow(answer.version, signal);
    await this.#recall(answer.version, signal);
  }

  #follow(afterVersion: bigint, signal: AbortSignal): void {
    const stop = watcher.follow({
      matchId: this.matchId,
      credential: this.viewer,
      afterVersion,
      onUpdate: (update) => this.#hear(update),
      onError: (error) => {
        this.error = error;
      },
    });
    signal.addEventListener("abort", stop);
  }

  /** Takes note of the seats that are played from here when they are others, as they were drawn. */
  #sit(seat: number | undefined): void {
    const { viewer } = this;
    if (!viewer || seat === undefined) return;
    const others = this.seats.filter((each) => !isSame(each, viewer));
    if (seat !== viewer.seat) this.viewer = this.#move(viewer, seat);
    if (this.match?.seating === Seating.RANDOM) for (const each of others) void this.#find(each);
  }

  #move(credential: SeatCredential, seat: number): SeatCredential {
    const moved = credential.at(seat);
    keepSeat(moved);
    this.seats = seatsOf(this.matchId);
    return moved;
  }

  /** Asks which seat a key is of. */
  async #find(credential: SeatCredential): Promise<void> {
    const { seat } = await client
      .player(credential)
      .view()
      .catch(() => credential);
    if (seat !== undefined && seat !== credential.seat) this.#move(credential, seat);
  }

  #hear(update: MatchUpdate): void {
    if (update.change === MatchChange.STARTED) this.#sit(update.yourSeat);
    this.#show(frameOf(update));
    const isPlay = update.change === MatchChange.ACTION && !hasEnded(update.phase);
    if (!isPlay) void this.#read(update);
    if (update.entropyAwaited.length > 0) void this.player?.revealEntropy();
  }

  /** Reads the match again: who sits where, and how it ended. */
  async #read({ version: minVersion, phase }: MatchUpdate): Promise<void> {
    const read = this.player
      ? this.player.get({ minVersion })
      : client.getMatch(this.matchId, { minVersion });
    this.match = await read.catch(() => this.match);
    if (hasEnded(phase)) await this.#learnAll(this.#end.signal).catch(() => undefined);
  }

  #show(frame: Frame): void {
    this.#frames.set(frame.version, frame);
    if (frame.version >= (this.latest?.version ?? 0) || this.loaded === 0) this.latest = frame;
    this.loaded = this.#frames.size;
  }

  /** Reads all that has happened up to a version, by a stream that ends there. */
  async #recall(upTo: bigint, signal: AbortSignal): Promise<void> {
    const { matchId } = this;
    const watched = this.viewer ?? matchId;
    for await (const update of client.watch(watched, { includeView: true, signal })) {
      const known = this.#frames.get(Number(update.version));
      const frame = frameOf(update);
      // Legal actions came with the view that was asked for first.
      this.#frames.set(frame.version, known ? { ...frame, actions: known.actions } : frame);
      if (update.version >= upTo) break;
    }
    const { latest } = this;
    this.loaded = this.#frames.size;
    if (latest) this.latest = this.#frames.get(latest.version) ?? latest;
    if (latest && hasEnded(latest.phase)) await this.#learnAll(signal);
  }

  /** Asks for the record of a match that has ended, which tells the notations. */
  async #learnAll(signal: AbortSignal): Promise<void> {
    const { entries } = await client.replay(this.matchId, { signal });
    const known = new Map(this.notations);
    for (const { version, notation } of entries) if (notation) known.set(Number(version), notation);
    this.notations = known;
  }

  #learn(version: number, notation: string): void {
    this.notations = new Map(this.notations).set(version, notation);
  }
}

/** Whether a seat may be taken in a match. */
export function isOpen(match: Match): boolean {
  return match.phase === MatchPhase.WAITING;
}

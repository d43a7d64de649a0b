/** One watch for the whole page, whatever it follows. */
import { hasEnded, type MatchUpdate, type SeatCredential } from "@tablestate/client";
import { client, connection } from "./service.svelte.js";

/** What somebody wants to be told of. */
interface Subscription {
  readonly matchId: string;
  readonly credential: SeatCredential | undefined;
  afterVersion: bigint;
  readonly onUpdate: (update: MatchUpdate) => void;
  readonly onError: (error: unknown) => void;
}

class Watcher {
  readonly #subscriptions = new Map<string, Subscription>();
  #stream = new AbortController();
  #isDue = false;

  /**
   * Follows a match, from a seat or as a spectator; returns how to stop. A match has one follower:
   * a second takes the place of the first.
   */
  follow(subscription: Subscription): () => void {
    this.#subscriptions.set(subscription.matchId, subscription);
    this.#reopen();
    return () => {
      if (this.#subscriptions.get(subscription.matchId) !== subscription) return;
      this.#subscriptions.delete(subscription.matchId);
      this.#reopen();
    };
  }

  /** Opens the stream anew; changes that come together cost one stream. */
  #reopen(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      this.#stream.abort();
      this.#stream = new AbortController();
      if (this.#subscriptions.size > 0) void this.#run(this.#stream.signal);
    });
  }

  async #run(signal: AbortSignal): Promise<void> {
    const wanted = [...this.#subscriptions.values()].map((each) => ({
      matchId: each.matchId,
      seatToken: each.credential?.token,
      afterVersion: each.afterVersion,
      includeView: true,
      includeLegalActions: each.credential !== undefined,
    }));
    try {
      const onBreak = () => void connection.broke();
      for await (const update of client.watch(wanted, { signal, onBreak })) this.#tell(update);
    } catch (error) {
      if (signal.aborted) return;
      for (const each of this.#subscriptions.values()) each.onError(error);
    }
  }

  #tell(update: MatchUpdate): void {
    const subscription = this.#subscriptions.get(update.matchId);
    if (!subscription) return;
    subscription.afterVersion = update.version;
    if (hasEnded(update.phase)) this.#subscriptions.delete(update.matchId);
    subscription.onUpdate(update);
  }
}

export const watcher = new Watcher();

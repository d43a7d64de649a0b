/** The service that serves this page, and whether it can be reached. */
import { Client, type GameInfo } from "@tablestate/client";
import { recorder } from "./calls.svelte.js";

const HOUR_MS = 3_600_000;
const PROBE_MS = 1000;

/** One client for the whole page. */
export const client = new Client(location.origin, {
  interceptors: [recorder.interceptor],
  timeoutMs: 15_000,
  retry: { watchPatienceMs: HOUR_MS },
});

class Connection {
  /** Whether the service has not been heard of since a stream broke. */
  away = $state(false);

  /** Is told that a stream broke; asks until the service answers. */
  broke = async (): Promise<void> => {
    if (this.away) return;
    this.away = true;
    while (this.away) {
      this.away = !(await this.#answers());
      if (this.away) await new Promise((resolve) => setTimeout(resolve, PROBE_MS));
    }
  };

  #answers(): Promise<boolean> {
    const asked = client.serverInfo({ timeoutMs: 2000 });
    return asked.then(
      () => true,
      () => false,
    );
  }
}

export const connection = new Connection();

let asked: Promise<GameInfo[]> | undefined;

/** The games of the service; asked for once. */
export function games(): Promise<GameInfo[]> {
  asked ??= client.games().catch((error) => {
    asked = undefined;
    throw error;
  });
  return asked;
}

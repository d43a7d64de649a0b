/** The calls with a stream of requests, which browsers cannot make: by the generated stubs. */
import { create, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
import { createClient, type Transport } from "@connectrpc/connect";
import {
  ActionForm,
  EngineService,
  EvaluateRequestSchema,
  gameOptions,
  MatchPhase,
  MatchService,
  PlayRequestSchema,
  SimulateRequestSchema,
} from "@tablestate/client";
import { firstView, type Scene } from "./calls.ts";
import { expect, require } from "./checks.ts";
import { bits } from "./replay.ts";

const SIZE = 8;
const SIMULATIONS = 16;

/** What is sent next, as soon as it is known. */
class Requests<T> {
  #sent: T[] = [];
  #wake: () => void = () => undefined;
  #ended = false;

  send(request: T): void {
    this.#sent.push(request);
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    while (true) {
      yield* this.#sent.splice(0);
      if (this.#ended && this.#sent.length === 0) return;
      if (this.#sent.length === 0) await new Promise<void>((wake) => (this.#wake = wake));
    }
  }
}

/** The scenes over a transport whose calls bring a key. */
export function bidirectional(transport: Transport, headers: HeadersInit): readonly Scene[] {
  const matches = createClient(MatchService, transport);
  const engine = createClient(EngineService, transport);

  async function play({ player: client }: Parameters<Scene["play"]>[0]) {
    const match = await client.createMatch("offboard", { pointsToWin: 1 });
    const player = await match.join();
    await match.addBot("greedy");
    const requests = new Requests<ReturnType<typeof playRequest>>();
    const { matchId, token: seatToken } = player.credential;
    requests.send(
      playRequest({ case: "begin", value: { matchId, seatToken, includeLegalActions: true } }),
    );
    let turns = 0;
    for await (const { message } of matches.play(requests, { headers })) {
      const action = message.case === "update" && message.value.legalActions?.actions[0];
      if (!action) continue;
      turns += 1;
      const requestId = `conformance-action-${turns}`;
      const choice = { choice: { case: "index" as const, value: action.index } };
      requests.send(playRequest({ case: "action", value: { requestId, choice } }));
    }
    require("no turn was played", turns);
    expect("phase", (await match.get()).phase, MatchPhase.OVER);
  }

  async function simulate() {
    const requests = new Requests<ReturnType<typeof simulateRequest>>();
    const open = { options: gameOptions("offboard"), size: SIZE, seed: 1n };
    requests.send(simulateRequest({ case: "open", value: open }));
    const masks: Uint8Array[] = [];
    for await (const { shape, parts } of engine.simulate(requests, { headers })) {
      masks.push(parts?.masks ?? new Uint8Array());
      if (shape) expect("size", shape.size, SIZE);
      if (masks.length > 1) break;
      const ranks = new Uint8Array(2 * SIZE);
      const value = { form: ActionForm.RANK, actions: ranks };
      requests.send(simulateRequest({ case: "step", value }));
    }
    require("nothing has changed", masks[0]?.length && String(masks[0]) !== String(masks[1]));
  }

  async function evaluate({ player: client }: Parameters<Scene["play"]>[0]) {
    const roots = [{ root: { case: "view" as const, value: await firstView(client) }, seat: 0 }];
    const requests = new Requests<ReturnType<typeof evaluateRequest>>();
    const open = { options: gameOptions("offboard"), roots, simulations: SIMULATIONS, leaves: 4 };
    requests.send(evaluateRequest({ case: "open", value: { ...open, exploration: 1 } }));
    for await (const { step } of engine.evaluate(requests, { headers })) {
      if (step.case === "leaves") {
        // A number for each legal action, and one for each leaf.
        const priors = floats(bits(step.value.masks).length, 1);
        const values = floats(step.value.actors.length, 0);
        requests.send(evaluateRequest({ case: "answers", value: { priors, values } }));
      } else if (step.case === "report") {
        const { buffer, byteOffset, byteLength } = Uint8Array.from(step.value.visits);
        const visits = new Uint32Array(buffer, byteOffset, byteLength / 4);
        expect(
          "simulations",
          visits.reduce((sum, each) => sum + each, 0),
          SIMULATIONS,
        );
        requests.end();
      }
    }
  }

  return [
    { play, methods: "MatchService/Play" },
    { play: simulate, methods: "EngineService/Simulate" },
    { play: evaluate, methods: "EngineService/Evaluate" },
  ];
}

function floats(count: number, value: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new Float32Array(count).fill(value).buffer);
}

type Message<T extends DescMessage> = MessageInitShape<T>;

function playRequest(message: Message<typeof PlayRequestSchema>["message"]) {
  return create(PlayRequestSchema, { message });
}

function simulateRequest(operation: Message<typeof SimulateRequestSchema>["operation"]) {
  return create(SimulateRequestSchema, { batch: 1, wanted: { masks: true }, operation });
}

function evaluateRequest(step: Message<typeof EvaluateRequestSchema>["step"]) {
  return create(EvaluateRequestSchema, { step });
}

/** The bidirectional calls, which Node reaches over gRPC. */
import { create } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import {
  Client,
  MatchPhase,
  MatchService,
  type PlayRequest,
  PlayRequestSchema,
  type SeatedPlayer,
} from "@tablestate/client";
import { grpcTransport } from "@tablestate/client/node";
import { expect, test } from "vitest";

const address = process.env.TABLESTATE_GRPC ?? "";

test("a match is played over one stream", async () => {
  const transport = grpcTransport(address);
  const match = await new Client(transport).createMatch("offboard", { pointsToWin: 1 });
  const player = await match.join();
  await match.addBot("greedy");

  const requests = new Requests(player);
  let phase = MatchPhase.RUNNING;
  let taken = 0;
  for await (const { message } of createClient(MatchService, transport).play(requests.sent())) {
    if (message.case === "answer") {
      expect(message.value.result.case).toBe("version");
      taken += 1;
    } else if (message.case === "update") {
      phase = message.value.phase;
      const actions = message.value.legalActions?.actions ?? [];
      const action = actions[message.value.ply % actions.length];
      if (action) requests.act(action.index);
    }
  }
  expect(phase).toBe(MatchPhase.OVER);
  expect(taken).toBe(requests.count);
});

/** What a player sends, as it comes to its mind. */
class Requests {
  count = 0;
  #wake: (request: PlayRequest) => void = () => undefined;

  constructor(private readonly player: SeatedPlayer) {}

  async *sent(): AsyncGenerator<PlayRequest> {
    const { matchId, token: seatToken } = this.player.credential;
    const value = { matchId, seatToken, includeLegalActions: true };
    let next = this.#next();
    yield create(PlayRequestSchema, { message: { case: "begin", value } });
    while (true) {
      const request = await next;
      next = this.#next();
      yield request;
    }
  }

  act(index: number): void {
    this.count += 1;
    const requestId = `play-action-${String(this.count).padStart(8, "0")}`;
    const value = { requestId, choice: { choice: { case: "index" as const, value: index } } };
    this.#wake(create(PlayRequestSchema, { message: { case: "action", value } }));
  }

  #next(): Promise<PlayRequest> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

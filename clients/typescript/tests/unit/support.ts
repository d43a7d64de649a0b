/** A client of a server that lives in the test. */
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError, type ConnectRouter, createRouterTransport } from "@connectrpc/connect";
import { Client, MatchPhase, type MatchUpdate, MatchUpdateSchema } from "@tablestate/client";
import { ErrorInfoSchema, RetryInfoSchema } from "../../src/gen/google/rpc/error_details_pb.js";

export const MATCH = "0123456789abcdef0123456789abcdef";

/** A client whose pauses are short. */
export function clientOf(routes: (router: ConnectRouter) => void): Client {
  const retry = { initialDelayMs: 1, maxDelayMs: 2, watchPatienceMs: 5000 };
  return new Client(createRouterTransport(routes), { timeoutMs: 5000, retry });
}

/** An error as the service sends it. */
export function refusal(code: Code, reason: string, metadata: Record<string, string> = {}) {
  const value = { domain: "tablestate", reason, metadata };
  return new ConnectError(reason, code, undefined, [{ desc: ErrorInfoSchema, value }]);
}

/** An error that says when to come back. */
export function comeBackIn(nanos: number): ConnectError {
  const value = { retryDelay: { seconds: 0n, nanos } };
  const details = [{ desc: RetryInfoSchema, value }];
  return new ConnectError("later", Code.ResourceExhausted, undefined, details);
}

export function update(version: number, phase = MatchPhase.RUNNING): MatchUpdate {
  return create(MatchUpdateSchema, { matchId: MATCH, version: BigInt(version), phase });
}

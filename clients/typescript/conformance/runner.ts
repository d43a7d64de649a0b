/**
 * What a runner of the conformance pack does, by this client: `node conformance/runner.ts grpc` or
 * `gateway`. It needs `npm run build` before; `python -m tools.parity typescript` does all.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createConnectTransport } from "@connectrpc/connect-web";
import { Client, EngineService, MatchService } from "@tablestate/client";
import { grpcTransport } from "@tablestate/client/node";
import { bidirectional } from "./bidirectional.ts";
import { makeCalls, SCENES } from "./calls.ts";
import { replayAll } from "./replay.ts";
import { readVectors, writeEdges, writeLines } from "./vectors.ts";

const isGrpc = process.argv[2] === "grpc";
const transport = grpcTransport(`http://${told("TARGET")}`);
const target = isGrpc ? transport : told("GATEWAY");
const out = told("OUT");

const headers = { authorization: `Bearer ${told("KEY")}` };
const operatorHeaders = { authorization: `Bearer ${told("OPERATOR_KEY")}` };
const clients = {
  player: new Client(target, { headers }),
  operator: new Client(target, { headers: operatorHeaders }),
};

const all = await readVectors(told("VECTORS"));
// Over the gateway half of the games are played in JSON, as programs without a client do.
const baseUrl = told("GATEWAY");
const json = new Client(createConnectTransport({ baseUrl, useBinaryFormat: false }), { headers });
const vectors = await replayAll(isGrpc ? [clients.player] : [clients.player, json], all);
const scenes = isGrpc ? [...SCENES, ...bidirectional(transport, headers)] : SCENES;
const calls = { ...missing(), ...(await makeCalls(clients, scenes)) };
await writeLines(join(out, "json"), all);
await writeEdges(join(out, "json"), join(told("VECTORS"), "edges.jsonl"));

const { version } = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8"));
const report = { sdk: "typescript", version, vectors, calls };
await writeFile(join(out, "report.json"), JSON.stringify(report, undefined, 1));
const expected = isGrpc ? ["passed"] : ["passed", "missing"];
const results = [...Object.values(vectors), ...Object.values(calls)];
process.exit(results.every((how) => expected.includes(how)) ? 0 : 1);

/** A variable of the environment. */
function told(name: string): string {
  const value = process.env[`TABLESTATE_${name}`];
  if (value === undefined) throw new Error(`TABLESTATE_${name} is not set`);
  return value;
}

/** The calls that have a stream of requests, which no browser can make. */
function missing(): Record<string, string> {
  const methods = [...MatchService.methods, ...EngineService.methods];
  const streams = methods.filter(({ methodKind }) => methodKind === "bidi_streaming");
  return Object.fromEntries(
    streams.map((each) => [`${each.parent.typeName}/${each.name}`, "missing"]),
  );
}

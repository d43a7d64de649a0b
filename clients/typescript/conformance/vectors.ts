/** The recorded games, read from their files, and written as this language prints their messages. */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import {
  createRegistry,
  type DescMessage,
  fromBinary,
  fromJson,
  type JsonValue,
  toBinary,
  toJsonString,
} from "@bufbuild/protobuf";
import {
  file_tablestate_v1_engine_service,
  file_tablestate_v1_game,
  file_tablestate_v1_match,
  file_tablestate_v1_match_service,
  file_tablestate_v1_search,
  type Game,
  GameEventSchema,
  GameOptionsSchema,
  GameViewSchema,
  LegalActionSchema,
  OutcomeSchema,
} from "@tablestate/client";

const registry = createRegistry(
  file_tablestate_v1_engine_service,
  file_tablestate_v1_game,
  file_tablestate_v1_match,
  file_tablestate_v1_match_service,
  file_tablestate_v1_search,
);

/** A seat, or the viewer that has none. */
export type Viewer = number | "spectator";

/** The set-up, or an action, and what follows. */
export interface Step {
  readonly ply: number;
  readonly seat?: number;
  readonly action?: JsonValue;
  readonly actors: number[];
  readonly legal_mask: string;
  readonly events: { readonly viewers: Viewer[]; readonly events: JsonValue[] }[];
  readonly views: { readonly viewers: Viewer[]; readonly view: JsonValue }[];
}

/** A recorded game, as `tests/data/vectors/README.md` describes it. */
export interface Vector {
  readonly game: Game;
  readonly seats: number;
  readonly match_id: string;
  readonly options: JsonValue;
  readonly complete_options: JsonValue;
  readonly outcome: JsonValue;
  readonly steps: Step[];
}

/** The vectors of a folder by their names, in byte order. */
export async function readVectors(folder: string): Promise<Map<string, Vector>> {
  const files = (await readdir(folder)).filter((name) => name.endsWith(".json"));
  const vectors = new Map<string, Vector>();
  for (const file of files.sort((one, other) =>
    Buffer.compare(Buffer.from(one), Buffer.from(other)),
  )) {
    vectors.set(basename(file, ".json"), JSON.parse(await readFile(join(folder, file), "utf8")));
  }
  return vectors;
}

/** Writes the messages of every vector: read, encoded, decoded, printed. */
export async function writeLines(folder: string, vectors: Map<string, Vector>): Promise<void> {
  await mkdir(folder);
  for (const [name, vector] of vectors) {
    const lines = [...contents(vector)].map(([schema, content]) => `${printed(schema, content)}\n`);
    await writeFile(join(folder, `${name}.jsonl`), lines.join(""));
  }
}

/** Writes the messages made by hand, of which each line names its type. */
export async function writeEdges(folder: string, file: string): Promise<void> {
  const edges = (await readFile(file, "utf8")).trimEnd().split("\n");
  const lines = edges.map((edge) => {
    const { type, json } = JSON.parse(edge);
    const schema = registry.getMessage(type);
    if (schema === undefined) throw new Error(`no message ${type}`);
    return `${printed(schema, json)}\n`;
  });
  await writeFile(join(folder, "edges.jsonl"), lines.join(""));
}

function printed(schema: DescMessage, content: JsonValue): string {
  const data = toBinary(schema, fromJson(schema, content));
  return toJsonString(schema, fromBinary(schema, data));
}

function* contents(vector: Vector): Generator<[DescMessage, JsonValue]> {
  yield [GameOptionsSchema, vector.options];
  yield [GameOptionsSchema, vector.complete_options];
  yield [OutcomeSchema, vector.outcome];
  for (const step of vector.steps) {
    if (step.action !== undefined) yield [LegalActionSchema, step.action];
    for (const event of step.events.flatMap((item) => item.events)) yield [GameEventSchema, event];
    for (const { view } of step.views) yield [GameViewSchema, view];
  }
}

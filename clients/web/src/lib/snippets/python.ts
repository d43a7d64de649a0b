/** A call by the client for Python. */
import { type Asked, type Call, callOf } from "./calls.js";
import type { Dialect } from "./literals.js";

/** Python; `imports` is added to. */
export function pythonDialect(imports: Set<string>): Dialect {
  return {
    language: "Python",
    truth: (value) => (value ? "True" : "False"),
    big: String,
    bytes: (value) => `bytes.fromhex("${hex(value)}")`,
    constant: (desc, value) => JSON.stringify(desc.value[value]?.name ?? value),
    object: (entries) => `{${entries.map(([key, value]) => `${key}: ${value}`).join(", ")}}`,
    entry: ({ name }, value) => [`"${name}"`, value],
    message: ({ name }, fields) => `tablestate.${name}(**${fields})`,
    keyword: (name, value) => `${name}=${value}`,
    variable: (name) => {
      imports.add("import os");
      return `os.environ["${name}"]`;
    },
    credential: ({ matchId, variable, seat }) => {
      imports.add("import os").add("from base64 import b64decode");
      const token = `b64decode(os.environ["${variable}"])`;
      const id = JSON.stringify(matchId);
      if (seat === undefined) return `tablestate.HostCredential(${id}, ${token})`;
      return `tablestate.SeatCredential(${id}, ${seat}, ${token})`;
    },
  };
}

/** The lines of a program. */
export function pythonLines(method: string, asked: Asked, imports: ReadonlySet<string>): string {
  const call = callOf(method, asked);
  if (!call) return `# ${method} is called by the client itself`;
  const lines = [...handleOf(call, asked), ...callLines(call)];
  const start = imports.size > 0 ? `${[...imports].join("\n")}\n\n` : "";
  const client = `client = tablestate.Client("${location.hostname}:50051")  # the port of gRPC`;
  return `${start}import tablestate\n\n${client}\n${lines.join("\n")}`;
}

function handleOf({ on, sender }: Call, { dialect, keyOf, request }: Asked): string[] {
  if (on === "client") return [];
  const make = on === "match" ? "host" : "player";
  return [`${on} = client.${make}(${dialect.credential(keyOf(sender ?? request))})`];
}

function callLines({ on, name, positional = [], named = [], isStream, handle }: Call): string[] {
  const args = [...positional, ...named.map(([key, value]) => `${snake(key)}=${value}`)];
  const call = `${on}.${snake(name)}(${args.join(", ")})`;
  if (isStream) return [`for item in ${call}:`, "    print(item)"];
  if (handle) return [`${handle.name} = ${call}`, `print(${handle.name}.${snake(handle.shown)})`];
  return [`print(${call})`];
}

function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

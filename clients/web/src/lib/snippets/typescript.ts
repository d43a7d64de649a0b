/** A call by the client for TypeScript, on Node. */
import { type Asked, type Call, callOf } from "./calls.js";
import type { Dialect, Entry } from "./literals.js";

/** TypeScript; the names that it takes from the client are added to `imports`. */
export function typescriptDialect(imports: Set<string>): Dialect {
  const use = (name: string) => {
    imports.add(name);
    return name;
  };
  return {
    language: "TypeScript",
    truth: String,
    big: (value) => `${value}n`,
    bytes: (value) => `Uint8Array.from([${value.join(", ")}])`,
    constant: (desc, value) => {
      const local = desc.value[value]?.localName;
      return local === undefined ? `${value}` : `${use(desc.name)}.${local}`;
    },
    object,
    entry: ({ localName, oneof }, value) => {
      if (oneof === undefined) return [localName, value];
      return [oneof.localName, `{ case: "${localName}", value: ${value} }`];
    },
    message: ({ name }, fields) => `create(${use(`${name}Schema`)}, ${fields})`,
    keyword: (_, value) => value,
    variable: (name) => `process.env.${name} ?? ""`,
    credential: ({ matchId, variable, seat }) => {
      const token = `Buffer.from(process.env.${variable} ?? "", "base64")`;
      const id = JSON.stringify(matchId);
      if (seat === undefined) return `new ${use("HostCredential")}(${id}, ${token})`;
      return `new ${use("SeatCredential")}(${id}, ${seat}, ${token})`;
    },
  };
}

/** The lines of a module. */
export function typescriptLines(method: string, asked: Asked, imports: Set<string>): string {
  const call = callOf(method, asked);
  if (!call) return `// ${method} is called by the client itself`;
  const lines = [...handleOf(call, asked), ...callLines(call)];
  const names = [...imports.add("Client")].sort().join(", ");
  const start = [`import { ${names} } from "@tablestate/client";`];
  if (names.includes("Schema")) start.unshift('import { create } from "@bufbuild/protobuf";');
  const client = `const client = new Client("${location.origin}");`;
  return `${start.join("\n")}\n\n${client}\n${lines.join("\n")}`;
}

function handleOf({ on, sender }: Call, { dialect, keyOf, request }: Asked): string[] {
  if (on === "client") return [];
  const make = on === "match" ? "host" : "player";
  return [`const ${on} = client.${make}(${dialect.credential(keyOf(sender ?? request))});`];
}

function callLines({ on, name, positional = [], named = [], isStream, handle }: Call): string[] {
  const args = named.length > 0 ? [...positional, object(named)] : positional;
  const call = `${on}.${name}(${args.join(", ")})`;
  if (isStream) return [`for await (const item of ${call}) console.log(item);`];
  if (!handle) return [`console.log(await ${call});`];
  return [`const ${handle.name} = await ${call};`, `console.log(${handle.name}.${handle.shown});`];
}

function object(entries: readonly Entry[]): string {
  if (entries.length === 0) return "{}";
  return `{ ${entries.map(([key, value]) => `${key}: ${value}`).join(", ")} }`;
}

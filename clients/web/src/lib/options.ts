/** The options of a game as fields of a form, made from their description in the contract. */
import type { DescEnum, DescField, DescMessage, JsonObject } from "@bufbuild/protobuf";
import { type GameInfo, GameOptionsSchema } from "@tablestate/client";
import { plain } from "./words.js";

/** A field of the form. */
export interface OptionField {
  /** The option's name in the contract, as `points_to_win`. */
  readonly name: string;
  /** The same for people. */
  readonly label: string;
  readonly meaning: string;
  readonly kind: "number" | "check" | "choice" | "text";
  /** For "choice": what may be chosen. */
  readonly choices: readonly { value: string; label: string }[];
  readonly placeholder: string;
}

/** The fields of a game's options; lists have none, and take their defaults. */
export function optionFields(info: GameInfo): OptionField[] {
  const fields = optionsOf(info.game)?.fields ?? [];
  return fields.flatMap((field) => {
    const about = info.options.find(({ name }) => name === field.name);
    const kind = kindOf(field);
    if (!kind || !about) return [];
    const choices = field.fieldKind === "enum" ? choicesOf(field.enum, about.defaultValue) : [];
    const label = LABELS[field.name] ?? plain(field.name);
    const meaning = about.meaning.replace(RULING, "");
    const placeholder = `${about.defaultValue} (${about.values})`;
    return [{ name: field.name, label, meaning, kind, choices, placeholder }];
  });
}

/** The number of the ruling that an option comes from, which is for those who read the rules. */
const RULING = /^R\d+: /;

/** The names of options that say too little by themselves. */
const LABELS: Readonly<Record<string, string>> = {
  action_copies: "copies of each action",
  chasm_die: "Chasm die",
  every_turn: "an action every turn",
  max_branches: "most branches at once",
  max_rounds: "most rounds",
  position: "start position",
  quiet_limit: "turns without a score",
};

/** What the form says, as the options' JSON; what was left alone takes its default. */
export function optionsJson(fields: readonly OptionField[], values: Values): JsonObject {
  const json: JsonObject = {};
  for (const { name, kind } of fields) {
    const value = values[name];
    if (value === undefined || value === "" || value === false) continue;
    json[name] = kind === "number" ? Number(value) : value;
  }
  return json;
}

/** What was put into the form, by the option's name. */
export type Values = Record<string, string | boolean | number | undefined>;

function optionsOf(game: string): DescMessage | undefined {
  return GameOptionsSchema.fields.find(({ name }) => name === game)?.message;
}

function kindOf(field: DescField): OptionField["kind"] | undefined {
  if (field.fieldKind === "enum") return "choice";
  if (field.fieldKind !== "scalar") return undefined;
  const byType: Partial<Record<number, OptionField["kind"]>> = {
    8: "check",
    9: "text",
    13: "number",
  };
  return byType[field.scalar];
}

/** The default first, as the choice to leave the option alone. */
function choicesOf(desc: DescEnum, byDefault: string): OptionField["choices"] {
  const prefix = desc.sharedPrefix?.length ?? 0;
  const names = desc.values.filter(({ number }) => number > 0).map(({ name }) => name);
  const others = names.filter((name) => name.slice(prefix) !== byDefault);
  return [
    { value: "", label: `${plain(byDefault)} (default)` },
    ...others.map((name) => ({ value: name, label: plain(name.slice(prefix)) })),
  ];
}

/**
 * Draw the pictures of the rules: `node main.js VECTORS OUT` writes an SVG for each.
 *
 * A picture is a board as the page shows it, without what is for tapping and for screen readers.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { GameEventSchema, GameOptionsSchema, GameViewSchema } from "@tablestate/client";
import { JSDOM } from "jsdom";
import { render } from "svelte/server";

import tokens from "../../styles/tokens.css?inline";
import type { BoardProps } from "../contract.js";
import { loadBoard } from "../index.js";
import { at } from "../shared/looks.js";
import { PICTURES, type Picture } from "./positions.js";
import style from "./style.css?inline";

const WIDTH = 640;
/** What is of no use where nothing can be tapped. */
const IDLE = /^(aria-|data-|role$|tabindex$|title$|type$)/;

interface Told {
  viewers: (number | "spectator")[];
}
interface Vector {
  game: string;
  complete_options: JsonValue;
  steps: {
    actors: number[];
    events: (Told & { events: JsonValue[] })[];
    views: (Told & { view: JsonValue })[];
  }[];
}

/** What a viewer is told, of all that is. */
function toldTo<T extends Told>(items: readonly T[], viewer: number | undefined): T {
  const found = items.find(({ viewers }) => viewers.includes(viewer ?? "spectator"));
  if (found === undefined) throw new RangeError(`nothing is told to ${viewer}`);
  return found;
}

function propsOf(vector: Vector, { ply, viewer }: Picture): BoardProps {
  const step = vector.steps[ply];
  if (step === undefined) throw new RangeError(`no ply ${ply}`);
  return {
    view: fromJson(GameViewSchema, toldTo(step.views, viewer).view),
    options: fromJson(GameOptionsSchema, vector.complete_options),
    viewer,
    names: ["Ada", "Bela", "Chen", "Dora", "Emil"],
    actors: step.actors,
    actions: [],
    events: toldTo(step.events, viewer).events.map((event) => fromJson(GameEventSchema, event)),
    onAction: () => {},
  };
}

/** Leave out what is to be tapped, read aloud or told in words; the bar only has a hand then. */
function clean(document: Document): void {
  for (const each of document.querySelectorAll(".unseen, .aside, .touch, .words")) each.remove();
  for (const bar of document.querySelectorAll(".bar:not(:has(*))")) bar.remove();
  for (const element of document.body.querySelectorAll("*")) {
    for (const { name } of [...element.attributes]) {
      if (IDLE.test(name)) element.removeAttribute(name);
    }
    for (const node of [...element.childNodes]) {
      if (node.nodeType === node.COMMENT_NODE) element.removeChild(node);
    }
  }
}

function compact(css: string): string {
  return css
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([{};,]) ?/g, "$1");
}

async function draw(vectors: string, picture: Picture): Promise<string> {
  const text = readFileSync(join(vectors, `${picture.vector}.json`), "utf-8");
  const vector: Vector = JSON.parse(text);
  const Board = await loadBoard(vector.game);
  if (Board === undefined) throw new RangeError(`no board of ${vector.game}`);
  const { head, body } = render(Board, { props: propsOf(vector, picture) });
  const { window } = new JSDOM(`<head>${head}</head><body>${body}</body>`);
  const { document } = window;
  clean(document);
  const styles = [...document.querySelectorAll("style")].map(({ textContent }) => textContent);
  const board = new window.XMLSerializer().serializeToString(at([...document.body.children], 0));
  const size = `width="${WIDTH}" height="${picture.height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${picture.height}" ${size}>
<style>${compact([tokens, style, ...styles].join(""))}</style>
<foreignObject id="picture" ${size}>${board}</foreignObject>
</svg>
`;
}

const [vectors = "", out = ""] = process.argv.slice(2);
for (const picture of PICTURES) {
  writeFileSync(join(out, `${picture.name}.svg`), await draw(vectors, picture));
}

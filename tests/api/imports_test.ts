/** Examples import Tilewise by its name, as users do: they can be copied as they stand. */

import { assert, assertEquals } from "@std/assert";
import { entryModules, type Symbol } from "./entries.ts";

const ROOT = decodeURIComponent(new URL("../../", import.meta.url).pathname);

/** What comes from a file of the repository, and not from a package. */
const RELATIVE = /(?:\bfrom|\bimport)\s*\(?\s*["'](?:\.{1,2}\/|file:)[^"']*["']/g;

/** The page of Tilewise as `deno task web` has built it beside a page of others. */
const BUILT = '"./tilewise/elements.js"';

/** The blocks of TypeScript in a text. */
function blocksOf(text: string): string[] {
  return [...text.matchAll(/^\s*```(?:ts|js|typescript)\b[^\n]*\n([\s\S]*?)^\s*```/gm)].map(([, code]) =>
    code!
  );
}

function* filesOf(path: string): Generator<string> {
  if (!Deno.statSync(path).isDirectory) return yield path;
  for (const { name } of Deno.readDirSync(path)) yield* filesOf(`${path}/${name}`);
}

/** The code of a page: that of its blocks, or all of it. */
function codeOf(path: string): string {
  const text = Deno.readTextFileSync(path);
  return path.endsWith(".md") ? blocksOf(text).join("\n") : text;
}

/** The comments of documentation of an export and its members. */
function* commentsOf(part: unknown): Generator<string> {
  if (typeof part !== "object" || part === null) return;
  for (const [key, value] of Object.entries(part)) {
    if (key === "doc" && typeof value === "string") yield value;
    else yield* commentsOf(value);
  }
}

Deno.test("pages and examples import no file", () => {
  const pages = ["README.md", "docs", "examples"].flatMap((name) => [...filesOf(`${ROOT}${name}`)]);
  const found = pages.flatMap((path) =>
    [...codeOf(path).matchAll(RELATIVE)].map(([text]) => `${path.slice(ROOT.length)}: ${text}`)
  );
  const others = found.filter((line) => !line.startsWith("docs/decisions/") && !line.includes(BUILT));
  assertEquals(others, []);
});

Deno.test("examples of what is exported import no file", async () => {
  const found: string[] = [];
  let examples = 0;
  for (const [entry, { module_doc: doc, symbols }] of await entryModules()) {
    const module: Symbol = {
      name: "the module",
      declarations: [{ jsDoc: doc } as Symbol["declarations"][0]],
    };
    for (const symbol of [module, ...symbols]) {
      const blocks = [...commentsOf(symbol.declarations)].flatMap(blocksOf);
      examples += blocks.length;
      const odd = blocks.flatMap((code) => [...code.matchAll(RELATIVE)]);
      found.push(...odd.map(([text]) => `${entry}: ${symbol.name}: ${text}`));
    }
  }
  assert(examples > 100, `${examples} examples were looked at`);
  assertEquals(found, []);
});

Deno.test("examples of functions and classes import what they show", async () => {
  const found: string[] = [];
  for (const [entry, { symbols }] of await entryModules()) {
    for (const { name, declarations } of symbols) {
      if (!declarations.some(({ kind }) => ["function", "class"].includes(kind))) continue;
      const blocks = [...commentsOf(declarations)].flatMap(blocksOf);
      const used = blocks.filter((code) => new RegExp(`(?<![.\\w])${name}\\b`).test(code));
      const known = used.filter((code) => /from "@tilewise\/tilewise/.test(code));
      if (known.length < used.length) found.push(`${entry}: ${name}`);
    }
  }
  assertEquals(found, []);
});

/**
 * The reference: a page for each entry of the package and for each of its names, of what its modules say.
 *
 * @module
 */

import { fromFileUrl } from "@std/path";
import config from "../../deno.json" with { type: "json" };
import {
  type Declaration,
  entryModules,
  type JsDoc,
  type ModuleDoc,
  promiseOf,
  type Symbol,
} from "../../tests/api/entries.ts";
import { categoryOf } from "../../tests/api/walk.ts";
import { signatureAt } from "./signature.ts";

/** A page of the site. */
export interface Page {
  /** Its place, such as `reference/views.md`. */
  readonly place: string;
  /** Its title in the side bar. */
  readonly title: string;
  /** Its text. */
  readonly text: string;
}

/** A member of a class or of an interface. */
interface Member extends Placed {
  readonly jsDoc?: JsDoc;
  readonly accessibility?: string;
}

/** What has a place in a file. */
interface Placed {
  readonly location: Declaration["location"] & { readonly byteIndex?: number };
}

/** An entry of the package: what people import from, and its pages. */
export interface Entry {
  /** Whether its names stay, or may change. */
  readonly promise: ReturnType<typeof promiseOf>;
  /** The page that says what it is for, and lists its names. */
  readonly page: Page;
  /** A page for each of its names. */
  readonly names: readonly Page[];
}

/** The entries that people import from. */
export async function referenceEntries(): Promise<Entry[]> {
  const modules = [...await entryModules()].filter(([entry]) => promiseOf(entry) !== "programs");
  const home = new Map(
    modules.toReversed().flatMap(([entry, { symbols }]) =>
      symbols.map(({ name }) => [name, `${folderOf(entry)}/${fileOf(name)}`] as const)
    ),
  );
  return modules.map(([entry, module]) => ({
    promise: promiseOf(entry),
    page: { place: `reference/${folderOf(entry)}.md`, title: titleOf(entry), text: entryText(entry, module) },
    names: module.symbols.map((symbol) => ({
      place: `reference/${folderOf(entry)}/${fileOf(symbol.name)}.md`,
      title: symbol.name,
      text: nameText(entry, symbol, home),
    })),
  }));
}

function titleOf(entry: string): string {
  return entry === "." ? "tilewise" : entry.slice(2);
}

function folderOf(entry: string): string {
  return titleOf(entry).replace("/", "-");
}

/** What programs write to import from an entry. */
function importOf(entry: string): string {
  return `${config.name}${entry.slice(1)}`;
}

/** What an entry is for, and its names by category, each with its first sentence. */
function entryText(entry: string, module: ModuleDoc): string {
  const groups = Map.groupBy(
    module.symbols.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    (symbol) => categoryOf(symbol) ?? "Other",
  );
  const lists = [...groups].toSorted().map(([category, symbols]) =>
    `## ${category}\n\n${symbols.map((symbol) => itemOf(symbol, folderOf(entry))).join("\n")}`
  );
  return [`# ${importOf(entry)}`, prose(module.module_doc), ...lists].join("\n\n") + "\n";
}

function itemOf(symbol: Symbol, folder: string): string {
  const [sentence = ""] = /^[\s\S]*?(\.(?=\s|$)|(?=\n\n)|$)/.exec(inline(docOf(symbol)?.doc).trim()) ?? [];
  return `- [\`${symbol.name}\`](./${folder}/${fileOf(symbol.name)}) ${oneLine(sentence)}`;
}

/** The file of a name; letters of both cases, as two names may differ in nothing else. */
function fileOf(name: string): string {
  return /^[A-Z]/.test(name) ? `type-${name}` : name;
}

/** All that is said of a name: how it is imported and declared, its text, its members, what it is made of. */
function nameText(entry: string, symbol: Symbol, home: ReadonlyMap<string, string>): string {
  const open = symbol.declarations.filter(({ kind, def }) =>
    kind !== "function" || def?.["hasBody"] !== true
  );
  const declarations = open.length > 0 ? open : symbol.declarations;
  const isType = declarations.every(({ kind }) => kind === "interface" || kind === "typeAlias");
  const imported = `import ${isType ? "type " : ""}{ ${symbol.name} } from "${importOf(entry)}";`;
  const signatures = declarations.map(signatureOf).join("\n\n");
  const members = declarations.map(membersOf).filter((lines) => lines !== "").join("\n");
  const words = new Set(`${signatures} ${members}`.match(/\w+/g));
  const used = [...words].filter((name) => name !== symbol.name && home.has(name)).toSorted().map((name) =>
    `[\`${name}\`](../${home.get(name)})`
  );
  return [
    `---\naside: false\n---\n\n# ${symbol.name}`,
    `\`\`\`ts\n${imported}\n\n${signatures}\n\`\`\``,
    prose(docOf(symbol)),
    members === "" ? "" : `## Members\n\n${members}`,
    `See also ${[...used, `all of [${importOf(entry)}](../${folderOf(entry)})`].join(", ")}.`,
  ].filter((part) => part !== "").join("\n\n") + "\n";
}

/** What is said of a name: by the first of its declarations that says something. */
function docOf({ declarations }: Symbol): JsDoc | undefined {
  return declarations.map(({ jsDoc }) => jsDoc).find((doc) => doc?.doc) ?? declarations[0]?.jsDoc;
}

const texts = new Map<string, Uint8Array>();

/** A declaration as it is written in its file. */
function signatureOf({ location: { filename, byteIndex } }: Placed): string {
  const bytes = texts.get(filename) ?? Deno.readFileSync(fromFileUrl(filename));
  texts.set(filename, bytes);
  const text = new TextDecoder().decode(bytes.subarray(byteIndex));
  return signatureAt(text, 0).replace(/^export (?:async )?/, "").replaceAll(/\s*\/\*\*[\s\S]*?\*\//g, "");
}

/** Members, one line each: what is written in the file, and its comment. */
function membersOf({ def, kind }: Declaration): string {
  if (kind !== "class" && kind !== "interface") return "";
  const parts = def as Readonly<Record<string, readonly Member[] | undefined>> | undefined;
  const members = ["constructors", "properties", "methods"].flatMap((part) => parts?.[part] ?? []);
  return members.filter(({ accessibility }) => accessibility !== "private").map((
    member,
  ) => `- \`${oneLine(signatureOf(member))}\`${after(inline(member.jsDoc?.doc))}`).join("\n");
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}

function after(text: string): string {
  return text === "" ? "" : `  \n  ${oneLine(text)}`;
}

/** What a comment says: text, parameters, result, examples. */
function prose(jsDoc: JsDoc | undefined): string {
  const tags = jsDoc?.tags ?? [];
  const of = (kind: string) => tags.filter((tag) => tag.kind === kind);
  const params = of("param").map(({ name, doc }) => `- \`${name}\`${after(inline(doc))}`);
  const results = of("return").map(({ doc }) => `Returns ${inline(doc).trim()}.`);
  const examples = of("example").map(({ doc = "" }) => exampleOf(doc));
  return [inline(jsDoc?.doc).trim(), params.join("\n"), ...results, ...examples].filter((part) => part !== "")
    .join("\n\n");
}

/** An example: its title, and its code without words for tests. */
function exampleOf(text: string): string {
  const [, title = "", code = ""] = /^(?:(?!```)([^\n]*)\n)?([\s\S]*)$/.exec(text.trim()) ?? [];
  return `${title === "" ? "Example" : `Example: ${inline(title)}`}\n\n${
    code.replace(/^```(\w+)[^\n]*/gm, "```$1")
  }`;
}

/** Text with links as code, and nothing that could be read as an element. */
function inline(text = ""): string {
  const linked = text.replaceAll(/\{@link(?:code|plain)? ([^}|]+?)(?:\s*\|\s*[^}]*)?\}/g, "`$1`");
  return linked.split(/(```[\s\S]*?```|`[^`]*`)/).map((part, i) =>
    i % 2 === 1 ? part : part.replaceAll("<", "&lt;").replaceAll("{{", "&#123;&#123;")
  ).join("");
}

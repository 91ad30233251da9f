/**
 * The reference: a page for each entry of the package, of what its modules say.
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

/** The pages of all entries that people import from; those that stay, or those that may change. */
export async function referencePages(promise: "stable" | "unstable"): Promise<Page[]> {
  const found = [...await entryModules()].filter(([entry]) => promiseOf(entry) === promise);
  return found.map(([entry, module]) => {
    const title = entry === "." ? config.name : `${config.name}${entry.slice(1)}`;
    const place = `reference/${entry === "." ? "tilewise" : entry.slice(2).replace("/", "-")}.md`;
    return { place, title: entry === "." ? "tilewise" : entry.slice(2), text: pageOf(title, module) };
  });
}

function pageOf(title: string, module: ModuleDoc): string {
  const groups = Map.groupBy(
    module.symbols.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    (symbol) => categoryOf(symbol) ?? "Other",
  );
  const contents = [...groups].toSorted().map(([category, symbols]) =>
    `- ${category}: ${symbols.map(({ name }) => `[\`${name}\`](#${anchorOf(name)})`).join(", ")}`
  );
  const sections = [...groups].toSorted().flatMap(([, symbols]) => symbols.map(sectionOf));
  return [
    `---\noutline: false\n---\n\n# ${title}`,
    prose(module.module_doc),
    contents.join("\n"),
    ...sections,
  ]
    .join("\n\n") + "\n";
}

/** The anchor of a name; letters of both cases, as two names may differ in nothing else. */
function anchorOf(name: string): string {
  return /^[A-Z]/.test(name) ? `type-${name}` : name;
}

function sectionOf(symbol: Symbol): string {
  const open = symbol.declarations.filter(({ kind, def }) =>
    kind !== "function" || def?.["hasBody"] !== true
  );
  const declarations = open.length > 0 ? open : symbol.declarations;
  const signatures = declarations.map(signatureOf).join("\n\n");
  const [first] = declarations;
  return [
    `## \`${symbol.name}\` {#${anchorOf(symbol.name)}}`,
    `\`\`\`ts\n${signatures}\n\`\`\``,
    prose(declarations.map(({ jsDoc }) => jsDoc).find((doc) => doc?.doc) ?? first?.jsDoc),
    declarations.map(membersOf).filter((lines) => lines !== "").join("\n"),
  ].filter((part) => part !== "").join("\n\n");
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

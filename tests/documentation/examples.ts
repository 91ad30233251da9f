/**
 * The examples of the documentation, as `deno test --doc` finds them: fenced blocks of TypeScript or JavaScript in comments of
 * modules and in pages. That command gives each of a thousand examples a thread that loads Tilewise again; here those of some
 * folders share one.
 *
 * @module
 */

import { fromFileUrl, join, toFileUrl } from "@std/path";
import config from "../../deno.json" with { type: "json" };

/** The checkout. */
export const ROOT = fromFileUrl(new URL("../../", import.meta.url));

/** One example. */
export interface Example {
  /** The file and the lines of the block, such as `src/space/box.ts#12-18`. */
  readonly name: string;
  /** The module that it is: its own code, and the import of what it uses from the module that it stands in. */
  readonly code: string;
}

/** The text in a comment of documentation; and in it, or in a page, the blocks of code. */
const COMMENT = /\/\*\*[\s\S]*?\*\//g;
const BLOCK =
  /^([ \t]*(?:\*[ \t]?)?)```(ts|typescript|js|javascript)[ \t]*\n([\s\S]*?)^[ \t]*(?:\*[ \t]?)?```/gm;
const EXPORTED = /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|const|let|class|enum) (\w+)/gm;
const EXPORT_LIST = /^export \{([^}]*)\}/gm;

/** The examples of a file, in their order. */
export function examplesIn(path: string, text: string): Example[] {
  const isPage = path.endsWith(".md");
  const areas = isPage ? [{ at: 0, area: text }] : [...text.matchAll(COMMENT)]
    .filter(({ index }) => /(^|\n)[ \t]*$/.test(text.slice(Math.max(0, index - 80), index)))
    .map(({ 0: area, index }) => ({ at: index, area }));
  return areas.flatMap(({ at, area }) =>
    [...area.matchAll(BLOCK)].map(({ 0: whole, 3: body, index }) => {
      const line = lineAt(text, at + index);
      const code = isPage ? body! : body!.replace(/^[ \t]*\* ?/gm, "");
      const name = `${path}#${line}-${line + whole.split("\n").length - 1}`;
      return { name, code: isPage ? code : withImports(path, text, code) };
    })
  );
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split("\n").length;
}

/** The code after an import of what its module exports, of which it uses the names and has none of its own. */
function withImports(path: string, text: string, code: string): string {
  const names = exportsOf(text).filter((name) => new RegExp(`\\b${name}\\b`).test(code) && !has(code, name));
  const from = toFileUrl(join(ROOT, path)).href;
  return names.length === 0 ? code : `import { ${names.join(", ")} } from ${JSON.stringify(from)};\n${code}`;
}

function exportsOf(text: string): string[] {
  const lists = [...text.matchAll(EXPORT_LIST)].flatMap(([, list]) => list!.split(","))
    .map((name) => name.trim()).filter((name) => name !== "" && !name.startsWith("type "));
  return [
    ...[...text.matchAll(EXPORTED)].map(([, name]) => name!),
    ...lists.map((name) => name.replace(/^.* as /, "")),
  ];
}

/** Whether the code imports or declares a name itself. */
function has(code: string, name: string): boolean {
  const imports = [...code.matchAll(/^import [\s\S]*?\bfrom\b/gm)].join(" ");
  const declared = new RegExp(
    `\\b(const|let|var|function\\*?|class)\\s+(${name}\\b|[{[][^=]*\\b${name}\\b[^=]*=)`,
  );
  return new RegExp(`\\b${name}\\b`).test(imports) || declared.test(code);
}

/** Folders that have nothing of ours, or what `deno.json` excludes. */
const LEFT_OUT = [
  "node_modules",
  ...config.exclude.filter((path) => !path.includes("*")),
  "tests/browser",
];

/** All modules and pages of the checkout, as paths in it. */
export function* files(folder = ""): Generator<string> {
  const entries = [...Deno.readDirSync(join(ROOT, folder))].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  for (const { name, isDirectory } of entries) {
    const path = folder === "" ? name : `${folder}/${name}`;
    if (name.startsWith(".") || LEFT_OUT.includes(path)) continue;
    if (isDirectory) yield* files(path);
    else if (/\.(ts|md)$/.test(name) && !name.endsWith(".as.ts")) yield path;
  }
}

/** Runs an example as if it were a module of its own, beside the file that it stands in. */
export async function runExample({ code, name }: Example): Promise<void> {
  const beside = JSON.stringify(toFileUrl(join(ROOT, name.replace(/#.*$/, ""))).href);
  const placed = code
    .replaceAll(
      /\b(from |import |import\()"(\.[^"]*)"/g,
      (_, start: string, to: string) => `${start}${JSON.stringify(new URL(to, JSON.parse(beside)).href)}`,
    )
    .replaceAll("import.meta.url", beside)
    .replaceAll(/\bimport\.meta\.resolve\(("\.[^"]*")\)/g, `new URL($1, ${beside}).href`);
  await import(`data:application/typescript;charset=utf-8,${encodeURIComponent(`// ${name}\n${placed}`)}`);
}

/** Makes a test of each example in the files of some paths. */
export function testExamples(isWanted: (path: string) => boolean): void {
  for (const path of files()) {
    if (!isWanted(path)) continue;
    for (const example of examplesIn(path, Deno.readTextFileSync(join(ROOT, path)))) {
      Deno.test(example.name, () => runExample(example));
    }
  }
}

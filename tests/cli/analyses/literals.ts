/**
 * The texts in the sources: string and template literals with their lines, without comments.
 *
 * @module
 */

import { fromFileUrl, join, relative } from "@std/path";

/** A literal; parts of a template that are code stand as `${…}`. */
export interface Literal {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

const SRC = fromFileUrl(new URL("../../../src/", import.meta.url));

function* sources(folder: string): Generator<string> {
  for (const entry of Deno.readDirSync(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory) yield* sources(path);
    else if (path.endsWith(".ts") && !/kernels_/.test(entry.name)) yield path;
  }
}

/** What may stand in code: a comment, a string, a template without templates inside, or a regular expression. */
const TOKEN = new RegExp(
  [
    String.raw`\/\*[\s\S]*?\*\/`,
    String.raw`\/\/[^\n]*`,
    String.raw`"(?:[^"\\\n]|\\.)*"`,
    String.raw`'(?:[^'\\\n]|\\.)*'`,
    String.raw`` + "`(?:[^`\\\\$]|\\\\.|\\$(?!\\{)|\\$\\{(?:[^{}`]|\\{[^{}]*\\}|`[^`]*`)*\\})*`",
    String.raw`(?<=[(,=:[!&|?{};]\s*)\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*`,
  ].join("|"),
  "g",
);

/** All literals of some rooms. */
export function* literals(rooms: readonly string[]): Generator<Literal> {
  for (const room of rooms) {
    for (const path of sources(join(SRC, room))) {
      const code = Deno.readTextFileSync(path);
      for (const { 0: token, index } of code.matchAll(TOKEN)) {
        if (!/^["'`]/.test(token)) continue;
        const text = token.slice(1, -1).replace(/\$\{[^}]*\}+/g, "…").replaceAll('\\"', '"');
        yield { file: relative(SRC, path), line: code.slice(0, index).split("\n").length, text };
      }
    }
  }
}

/**
 * What the interfaces of options say of those that flags set: the first sentence of the comment, the limit, and the default
 * become `src/cli/flags/option_help.ts`.
 *
 * `optionFlag("OpenOptions.level", …)` in a table of flags asks for the comment of `level` in `interface OpenOptions`, and
 * `<!-- options of MapPlanOptions -->` in a page of documentation for a table of all of them; `<!-- flags of predict -->` for
 * one of the flags that a verb has alone, `<!-- files of save -->` for one of the files that are written.
 *
 * @module
 */

import { type FileTarget, TARGETS } from "../src/sinks/registry.ts";

const SOURCE = new URL("../src/", import.meta.url);

/** The pages of documentation, which may have tables of options. */
const DOCS = new URL("../docs/", import.meta.url);

/** An option of the library as a flag takes it: its interface and name, and whether the flag is in seconds. */
interface Asked {
  readonly interface: string;
  readonly option: string;
  readonly isSeconds: boolean;
}

/** The text of the file with the help of flags. */
export function optionHelpSource(note: string): string {
  const texts = [...textsBelow()].map(([, text]) => text);
  const asked = new Map<string, Asked>();
  for (const text of texts) for (const one of askedIn(text)) asked.set(`${one.interface}.${one.option}`, one);
  const rows = [...asked].toSorted(([a], [b]) => a < b ? -1 : 1).map(([key, one]) => {
    const { says, usual } = meaningOf(commentOf(texts, one), one.isSeconds);
    return `  ${JSON.stringify(key)}: ${JSON.stringify(usual === undefined ? [says] : [says, usual])},`;
  });
  return [
    "/**",
    " * What flags say of the options that they set: what it is, and its default.",
    " *",
    ` * ${note}`,
    " *",
    " * @module",
    " */",
    "",
    "/** By interface and option. */",
    "export const OPTION_HELP = {",
    ...rows,
    "} as const satisfies Readonly<Record<string, readonly [says: string, usual?: string]>>;",
    "",
  ].join("\n");
}

/** The files of the source, by their names below `src/`, and their texts. */
export function* textsBelow(folder: URL = SOURCE): Generator<[name: string, text: string]> {
  for (
    const { name, isDirectory } of [...Deno.readDirSync(folder)].toSorted((a, b) => a.name < b.name ? -1 : 1)
  ) {
    if (isDirectory) yield* textsBelow(new URL(`${name}/`, folder));
    else if (name.endsWith(".ts")) {
      const url = new URL(name, folder);
      yield [url.href.slice(SOURCE.href.length), Deno.readTextFileSync(url)];
    }
  }
}

function* askedIn(text: string): Generator<Asked> {
  for (const [, name, option, more] of text.matchAll(/optionFlag\(\s*"(\w+)\.(\w+)"([^)]*)/g)) {
    yield { interface: name!, option: option!, isSeconds: more!.includes('"SECONDS"') };
  }
}

function commentOf(texts: readonly string[], { interface: name, option }: Asked): string {
  const found = commentsOf(texts, name).get(option);
  if (found === undefined) throw new Error(`no comment of ${option} in interface ${name}`);
  return found;
}

/** The comments of the properties of an interface, in their order. */
function commentsOf(texts: readonly string[], name: string): ReadonlyMap<string, string> {
  const start = new RegExp(`^export interface ${name}\\b.*\\{$`, "m");
  const text = texts.find((text) => start.test(text));
  const body = text?.slice(text.search(start)).split("\n}\n")[0] ?? "";
  const found = body.matchAll(/\/\*\*((?:(?!\*\/).)*)\*\/\s*readonly (\w+)\??:/gs);
  return new Map([...found].map(([, comment, option]) => [
    option!,
    comment!.replace(/^\s*\* ?/gm, " ").replace(/\s+/g, " ").trim(),
  ]));
}

/** A flag as a table shows it. */
interface ShownFlag {
  readonly name: string;
  readonly value?: string;
  readonly group?: string;
  readonly help: string;
}

/**
 * The pages with tables of options, and their text with these tables as they are now. `flagsOf` gives the flags of a verb: a
 * table shows those of its own.
 */
export async function pagesWithTables(
  flagsOf: (verb: string) => Promise<readonly ShownFlag[]>,
): Promise<[name: string, text: string][]> {
  const texts = [...textsBelow()].map(([, text]) => text);
  const pages: [string, string][] = [];
  for (const { name } of [...Deno.readDirSync(DOCS)].filter(({ name }) => name.endsWith(".md"))) {
    const page = Deno.readTextFileSync(new URL(name, DOCS));
    const marks = [...page.matchAll(/<!-- (options|flags|files) of ([\w, ]+) -->\n\n(?:\|.*\n)*/g)];
    let now = page;
    for (const [whole, kind, names] of marks) {
      const rows = kind === "files"
        ? TARGETS.map(fileRow)
        : kind === "options"
        ? names!.split(", ").flatMap((one) => [...commentsOf(texts, one)].map(optionRow))
        : (await flagsOf(names!)).filter(({ group }) => group === undefined).map(flagRow);
      const head = kind === "files"
        ? ["ending", "holds", "written by"]
        : [kind!.slice(0, -1), "says", "default"];
      now = now.replace(whole, () => `<!-- ${kind} of ${names} -->\n\n${tableOf(head, rows)}`);
    }
    if (marks.length > 0) pages.push([name, now]);
  }
  return pages;
}

function optionRow([option, comment]: readonly [option: string, comment: string]): string[] {
  const { says, limit, usual = "–" } = parts(comment);
  return [`\`${option}\``, limit ? `${says}; ${limit}` : says, usual.replace(/^default:? /, "")];
}

function flagRow({ name, value, help }: ShownFlag): string[] {
  const [says, usual = "–"] = help.split(/; default:? /);
  return [`\`--${name}${value === undefined ? "" : ` ${value}`}\``, says!, usual];
}

/** A table as the formatter writes it. */
function fileRow({ endings, holds, frames, results, arrays }: FileTarget): string[] {
  const verbs = [
    ...(frames || results === "chunks" ? ["convert"] : []),
    ...(results ? ["map"] : []),
    ...(arrays ? ["run", "save"] : []),
  ];
  const code = (texts: readonly string[]) => texts.map((text) => `\`${text}\``).join(", ");
  return [code(endings), holds, code(verbs)];
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [
    head,
    ...rows.map((row) => row.map((cell) => cell.replaceAll("|", "\\|"))),
  ];
  const widths = [0, 1, 2].map((k) => Math.max(...cells.map((row) => [...row[k]!].length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, k) => cell + " ".repeat(widths[k]! - [...cell].length)).join(" | ")} |\n`;
  const [first, ...body] = cells;
  return [line(first!), line(widths.map((width) => "-".repeat(width))), ...body.map(line)].join("");
}

/** The first sentence and the default of a comment, as lists of flags have them. */
export function meaningOf(comment: string, isSeconds = false): { says: string; usual?: string } {
  const { says, ...more } = parts(comment.replaceAll("`", ""));
  const usual = more.limit && more.usual ? `${more.limit}; ${more.usual}` : more.limit ?? more.usual;
  const read = isSeconds ? inSeconds : (text: string) => text;
  return { says: read(says), ...(usual === undefined ? {} : { usual: read(usual) }) };
}

/** What numbers may be: the sentence of the comment, and the rule. */
const LIMITS: readonly (readonly [sentence: RegExp, rule: (from: string, to: string) => string])[] = [
  [/^Whole$/, () => "whole(-Infinity)"],
  [/^Whole, at least (\d+)$/, (from) => `whole(${from})`],
  [/^Whole, (\d+) to (\d+)$/, (from, to) => `whole(${from}, ${to})`],
  [/^At least 0$/, () => "atLeast0"],
  [/^Above 0$/, () => "positive"],
  [/^Above 0 or infinite$/, () => "limit"],
  [/^Finite$/, () => "finite"],
  [/^Any number$/, () => "number"],
];

/** The limit that a comment says: as the sentence in it, and as a rule. */
export function limitIn(comment: string): { sentence: string; rule: string } | undefined {
  for (const sentence of comment.split(/\.(?:\s+|$)/)) {
    for (const [form, rule] of LIMITS) {
      const found = form.exec(sentence);
      if (found) return { sentence, rule: rule(found[1]!, found[2]!) };
    }
  }
  return undefined;
}

/** The same with its marks. */
function parts(comment: string): { says: string; limit?: string; usual?: string } {
  const plain = comment.replace(/\{@link (\w+)\}/g, "$1");
  const sentences = plain.split(/(?<=[^.]\.) (?=[A-Z`])/).map((one) => one.replace(/\.$/, ""));
  const says = sentences[0]!.replace(/^Whether to /, "").replace(
    /^[A-Z](?![A-Z])/,
    (letter) => letter.toLowerCase(),
  );
  const limit = limitIn(comment)?.sentence.replace("Any number", "").toLowerCase();
  const usual = sentences.slice(1).find((one) => one.startsWith("Default"))?.replace(/^D/, "d");
  return { says, ...(limit ? { limit } : {}), ...(usual === undefined ? {} : { usual }) };
}

/** Milliseconds as seconds. */
function inSeconds(text: string): string {
  return text.replace(/^milliseconds/, "seconds").replace(
    /\b(\d[\d ]*)000\b/,
    (_, thousands: string) => thousands.trim(),
  );
}

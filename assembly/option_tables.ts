/**
 * Writes the tables of rules of options, `const X: OptionNames<I> = { … }`, from the interfaces `I` and their comments: which
 * options there are, which must be given, and what the type and the limit in the comment say of their values.
 *
 * Limits are sentences of the comment: "Whole.", "Whole, at least 1.", "Whole, 1 to 32.", "At least 0.", "Above 0.",
 * "Above 0 or infinite.", "Finite.", "Any number." A type may have a rule of its own, `const x: OptionRule<T>`, and an interface
 * its table. Other checks are code, named once in the table: such a row stays as it is.
 *
 * @module
 */

import { limitIn, textsBelow } from "./option_help.ts";

/** An option as its interface has it. */
interface Member {
  readonly type: string;
  readonly comment: string;
  readonly isNeeded: boolean;
}

type Members = ReadonlyMap<string, Member>;

/** Where a name is declared. */
interface Place {
  readonly file: string;
  readonly text: string;
  /** Behind the name. */
  readonly end: number;
}

/** Widest line of the formatter. */
const WIDTH = 110;

const IGNORE = "// deno-fmt-ignore: written by `deno task build`\n";

const TABLE = /^(\/\/ deno-fmt-ignore.*\n)?((?:export )?const (\w+): OptionNames<)/gm;

/** Rules that follow from a type and its comment: rows with others stay. */
const FOLLOWS =
  /^(true|text|truth|callable|list|number|finite|positive|limit|atLeast0|whole\([-\d, ]*(?:Infinity)?\)|oneOf\("[^.]*)$/;

/** The words of `options/rules.ts` with which a row begins. */
const WORDS =
  /^\w+: (?:(needed)\()?(text|truth|callable|list|number|finite|positive|limit|atLeast0|whole|oneOf)?\b/;

/** The files with tables, by their names below `src/`, and their texts with the tables as the interfaces are now. */
export function filesWithTables(): Map<string, string> {
  const texts = new Map(textsBelow());
  const sources = new Sources(texts);
  const written = new Map<string, string>();
  for (const [name, text] of texts) {
    if (!text.includes(": OptionNames<")) continue;
    try {
      written.set(name, withTables(text, sources));
    } catch (error) {
      throw new Error(`${name}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return written;
}

/** The same text with its tables as the interfaces are now. */
export function withTables(text: string, sources: Sources): string {
  let now = "";
  let at = 0;
  const used = new Set<string>();
  for (const found of text.matchAll(TABLE)) {
    const [whole, , head, name] = found;
    const type = until(text, found.index + whole.length, ">");
    const start = text.indexOf("{", type.end);
    if (text.slice(type.end, start) !== "> = ") continue;
    const { end } = until(text, start + 1, "}");
    const rows = rowsOf(text.slice(start + 1, end));
    const next = newRows(text, name!, type.text, rows, sources);
    for (const word of next.flatMap((row) => WORDS.exec(row)?.slice(1) ?? [])) if (word) used.add(word);
    now += text.slice(at, found.index) + written(`${head}${type.text}> = `, next);
    at = end + 2;
  }
  return withImports(now + text.slice(at), used);
}

/** The same text with the imports of these words of `options/rules.ts`. */
function withImports(text: string, used: ReadonlySet<string>): string {
  const rules = /^import \{([^}]*)\} from "([^"]*options\/rules.ts)";\n/m.exec(text);
  const there = rules?.[1]?.split(",").map((one) => one.trim()).filter((one) => one !== "") ?? [];
  const isBound = (word: string) =>
    there.some((one) => one.split(" ")[0] === word) ||
    new RegExp(`^(const ${word} =|import .*\\b${word}\\b)`, "m").test(text);
  const missing = [...used].filter((word) => !isBound(word));
  if (missing.length === 0) return text;
  const plain = (word: string) => word.replace(/^type /, "").toLowerCase();
  const names = [...there, ...missing].toSorted((a, b) => plain(a) < plain(b) ? -1 : 1);
  const options = /^import (?:type )?\{[^}]*\} from "([^"]*\/)options.ts";\n/m.exec(text);
  const [old = "", from] = rules ? [rules[0], rules[2]] : [options?.[0], `${options?.[1]}options/rules.ts`];
  const line = `import { ${names.join(", ")} } from "${from}";\n`;
  const now = line.length <= WIDTH + 1
    ? line
    : `import {\n${names.map((one) => `  ${one},\n`).join("")}} from "${from}";\n`;
  return text.replace(old, () => rules ? now : old + now);
}

/** A table: in one line, in lines that are full, or, with functions inside, in a line per row. */
function written(head: string, rows: readonly string[]): string {
  if (rows.some((row) => row.includes("\n") || row.includes("//"))) {
    return `${head}{\n  ${rows.join(",\n  ")},\n};`;
  }
  const line = `${head}{ ${rows.join(", ")} };`;
  if (line.length <= WIDTH && !line.includes("\n")) return line;
  const lines = [""];
  for (const row of rows) {
    const next = `${lines.at(-1)} ${row},`;
    if (next.length < WIDTH - 1) lines[lines.length - 1] = next;
    else lines.push(` ${row},`);
  }
  return `${IGNORE}${head}{\n${lines.map((one) => ` ${one}\n`).join("")}};`;
}

/** The rows of a table for options of `type`. Tables that are spread into it come first, as they do now. */
function newRows(
  text: string,
  table: string,
  type: string,
  rows: ReadonlyMap<string, string>,
  sources: Sources,
): string[] {
  const spreads = [...rows].filter(([key]) => key.startsWith("..."));
  const members = sources.membersOf(type, text);
  const spread = spreads.map(([key]) => sources.coveredBy(key.slice(3), text));
  const covered = spread.includes(undefined) ? [...members.keys()] : spread.flatMap((names) => names!);
  const own = [...members].filter(([name]) => !covered.includes(name) || rows.has(name));
  return [
    ...spreads.map(([key]) => key),
    ...own.map(([name, member]) => {
      const rule = ruleOf(member, rows.get(name), text, sources);
      if (rule === undefined) throw new Error(`${table} says no rule for ${name}: ${member.type}`);
      return rule === name ? name : `${name}: ${rule}`;
    }),
  ];
}

/** The rule of an option: the one that it has, if that is a check of its own, or what its type and comment say. */
function ruleOf(member: Member, row: string | undefined, text: string, sources: Sources): string | undefined {
  const now = row?.match(/^needed\(\s*(.*?),?\s*\)$/s)?.[1] ?? row;
  const isOwn = now !== undefined && !FOLLOWS.test(aliased(now, text, true));
  if (isOwn) return member.isNeeded ? row : now;
  const rule = said(sources.resolved(member.type, text), member.comment) ?? now ??
    sources.ruleOf(member.type);
  if (rule === undefined || rule === "true") return rule;
  const local = aliased(rule, text, false);
  return member.isNeeded ? `needed(${local})` : local;
}

/** A rule under the name that it has in this file, or the other way. */
function aliased(rule: string, text: string, back: boolean): string {
  const name = rule.match(/^\w+/)?.[0] ?? "";
  const form = back ? `(\\w+) as ${name}\\b` : `${name} as (\\w+)`;
  const found = text.match(new RegExp(`^import \\{[^}]*\\b${form}[^}]*\\} from`, "m"));
  return found ? rule.replace(name, found[1]!) : rule;
}

/** What a type says of its values, and the comment of numbers. */
function said(type: string, comment: string): string | undefined {
  if (type === "string") return "text";
  if (type === "boolean") return "truth";
  if (type === "AbortSignal") return "signal";
  if (/^\(.*\) => /.test(type)) return "callable";
  if (/^"[^"]*"( \| "[^"]*")*$/.test(type)) return `oneOf(${type.replaceAll(" | ", ", ")})`;
  if (/^(readonly .*[^)]\]|readonly \[.*\]|ArrayLike<.*>|(Float|Int|Uint)\d+Array)$/.test(type)) {
    return "list";
  }
  return type === "number" ? limitOf(comment) : undefined;
}

function limitOf(comment: string): string {
  const limit = limitIn(comment);
  if (limit === undefined) {
    throw new Error(`no limit in the comment "${comment}": say "Finite." or "Whole, at least 1."`);
  }
  return limit.rule;
}

/** Interfaces, tables and types of all sources, by their names. */
export class Sources {
  readonly #places = new Map<string, Place[]>();
  readonly #rules = new Map<string, string[]>();

  /** @param texts by the names of files */
  constructor(texts: ReadonlyMap<string, string>) {
    const form = /^(?:export )?(?:(interface|type) (\w+)(?:<.*> =|)|(const) (\w+): OptionNames<)/gm;
    const rules = /^(?:export )?const (\w+): Option(Rule|Names)<([\s\S]*?)> =\s/gm;
    for (const [file, text] of texts) {
      for (const found of text.matchAll(form)) {
        const key = `${found[1] ?? found[3]} ${found[2] ?? found[4]}`;
        const place = { file, text, end: found.index + found[0].length };
        this.#places.set(key, [...this.#places.get(key) ?? [], place]);
      }
      for (const [, name, kind, type] of text.matchAll(rules)) {
        const local = type!.replace(/\s+/g, " ");
        const plain = /^\w+$/.test(local) && text.match(new RegExp(`(\\w+) as ${local}\\b`))?.[1] || local;
        const rule = kind === "Rule" ? name! : `inner(${name})`;
        this.#rules.set(plain, [...this.#rules.get(plain) ?? [], rule]);
      }
    }
  }

  /** The options of a type: of an interface, or of what is made of some. */
  membersOf(type: string, text: string): Members {
    const parts = split(type, "&").flatMap((one) => split(one, "|"));
    if (parts.length > 1) return new Map(parts.flatMap((one) => [...this.membersOf(one, text)]));
    if (type.startsWith("{")) return membersIn(type.slice(1, -1));
    const [, name, given] = type.match(/^(\w+)(?:<(.*)>)?$/s) ?? [];
    if (name === undefined) throw new Error(`cannot read the type ${type}`);
    const [first, second] = given === undefined ? [] : split(given, ",");
    if (!/^(Partial|Omit|Pick|Readonly)$/.test(name)) return this.#interface(name, text);
    const members = [...this.membersOf(first!, text)];
    if (name === "Partial") return new Map(members.map(([key, one]) => [key, { ...one, isNeeded: false }]));
    if (second === undefined) return new Map(members);
    const names = new Set(
      split(second, "|").flatMap((one) => {
        const inside = one.match(/^keyof (.*)$/)?.[1];
        return inside ? [...this.membersOf(inside, text).keys()] : [one.replaceAll('"', "")];
      }),
    );
    return new Map(members.filter(([key]) => names.has(key) === (name === "Pick")));
  }

  #interface(name: string, text: string): Members {
    const isOwn = this.#find("type", name, text)?.text === text; // another file may have an interface of that name
    const found = isOwn ? undefined : this.#find("interface", name, text);
    const alias = found ? undefined : this.#meaning(name, text);
    if (alias) return this.membersOf(...alias);
    if (!found) throw new Error(`no interface ${name}`);
    const { text: whole, end } = found;
    const head = until(whole, whole[end] === "<" ? until(whole, end + 1, ">").end + 1 : end, "{");
    const body = until(whole, head.end + 1, "}").text;
    const bases = split(head.text.replace(/^\s*extends\s/, ""), ",");
    return new Map([
      ...bases.flatMap((one) => [...this.membersOf(one, whole)]),
      ...membersIn(body),
    ]);
  }

  /** The options that a table says, by its name. */
  coveredBy(table: string, text: string): readonly string[] | undefined {
    const found = this.#find("const", table, text);
    const isHere = new RegExp(`\\bconst (\\{[^}]*\\b)?${table}\\b`).test(text);
    if (isHere && found?.text !== text) return undefined;
    if (!found) return undefined;
    return [...this.membersOf(until(found.text, found.end, ">").text, found.text).keys()];
  }

  /** The rule that a type has, if it has one alone. */
  ruleOf(type: string): string | undefined {
    const [rule, ...others] = this.#rules.get(type) ?? [];
    return others.length === 0 ? rule : undefined;
  }

  /** A name of a type that is a union of texts, as that union. */
  resolved(type: string, text: string): string {
    if (!/^[A-Z]\w+$/.test(type)) return type;
    const [meaning = type] = this.#meaning(type, text) ?? [];
    return meaning.startsWith('"') ? meaning : type;
  }

  /** What a name of a type stands for, and the text in which it does. */
  #meaning(name: string, text: string): [type: string, text: string] | undefined {
    const found = this.#find("type", name, text);
    if (!found) return undefined;
    const type = until(found.text, found.end, ";").text.replace(/\s+/g, " ").replace(/^( =)? (\| )?/, "");
    return [type, found.text];
  }

  /** Where a name is declared: in this text, in the file that it is imported from, or else in the first. */
  #find(kind: "interface" | "type" | "const", name: string, text: string): Place | undefined {
    const places = this.#places.get(`${kind} ${name}`) ?? [];
    const from = places.length < 2
      ? undefined
      : text.match(new RegExp(`\\b${name}\\b[^;]* from "[./]*([^"]*)"`))?.[1];
    return places.find((one) => one.text === text) ??
      places.find(({ file }) => `/${file}`.endsWith(`/${from}`)) ?? places[0];
  }
}

function membersIn(body: string): Map<string, Member> {
  const members = new Map<string, Member>();
  const form = /(?:\/\*\*((?:(?!\*\/).)*)\*\/\s*)?(?:readonly )?(\w+)(\??)(?=[:(<])/gsy;
  let at = body.search(/\S/);
  while (at >= 0 && at < body.length) {
    form.lastIndex = at;
    const found = form.exec(body);
    if (!found) throw new Error(`cannot read the interface at "${body.slice(at, at + 60)}"`);
    const { text, end } = until(body, form.lastIndex, ";");
    members.set(found[2]!, {
      type: text.startsWith(":") ? text.slice(1).replace(/\s+/g, " ").trim() : "() => unknown",
      comment: (found[1] ?? "").replace(/^\s*\* ?/gm, " ").replace(/\s+/g, " ").trim(),
      isNeeded: found[3] === "",
    });
    const next = body.slice(end + 1).search(/\S/);
    at = next < 0 ? -1 : end + 1 + next;
  }
  return members;
}

/** The rows of a table, by option; those that are spread begin with three dots. */
function rowsOf(body: string): ReadonlyMap<string, string> {
  return new Map(
    split(body, ",").map((row) => {
      const plain = row.replace(/^(\/\/.*\n\s*)+/, "");
      const [, key, rule] = plain.match(/^([\w]+)\s*:\s*(.*)$/s) ?? [, plain, plain];
      return [key!, rule!];
    }),
  );
}

/** The parts of a text between separators that are not inside of brackets or texts. */
function split(text: string, separator: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at <= text.length;) {
    const { text: part, end } = until(text, at, separator);
    if (part.trim() !== "") parts.push(part.trim());
    at = end + 1;
  }
  return parts;
}

/** The text from `at` to a mark that is not inside of brackets, texts or comments. */
function until(text: string, at: number, mark: string): { text: string; end: number } {
  const token =
    /\/\*.*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|\/(?:[^\/\\\n*[]|\\.|\[[^\]]*\])+\/\w*(?=\.)|=>|[<>]=| [<>] |./gs;
  let depth = 0;
  for (token.lastIndex = at;;) {
    const found = token.exec(text);
    if (!found) return { text: text.slice(at), end: text.length };
    const [one] = found;
    if (depth === 0 && one[0] === mark && one !== "=>") {
      return { text: text.slice(at, found.index), end: found.index };
    }
    if (/^[({[<]$/.test(one)) depth++;
    if (/^[)}\]>]$/.test(one) || one === "> ") depth--;
  }
}

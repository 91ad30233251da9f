/**
 * Reads TOML as sidecar files use it: tables, also inline and in arrays, keys with or without dots, strings, numbers,
 * booleans, arrays. Dates and times are kept as texts.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";

/** A value of a TOML file. */
export type TomlValue = string | number | boolean | readonly TomlValue[] | TomlTable;

/** A table of a TOML file. */
export interface TomlTable {
  /** Values and inner tables by name. */
  readonly [key: string]: TomlValue;
}

type Table = { [key: string]: TomlValue };

/**
 * The tables of a TOML text; `malformed` with the line where it is none.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const text = '[params]\nnav_shape = [2, 3] # rows, columns\nname = "a"\n';
 * assertEquals(JSON.stringify(parseToml(text, "x.toml")), '{"params":{"nav_shape":[2,3],"name":"a"}}');
 * ```
 */
export function parseToml(text: string, file: string): TomlTable {
  return new Parser(text, file).parse();
}

const SPACE = /[ \t]*/y;
const BLANK = /(?:[ \t\r\n]|#[^\n]*)*/y;
const END = /[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/y;
const BARE = /[A-Za-z0-9_-]+/y;
const BASIC = /"((?:[^"\\\n]|\\.)*)"/y;
const LITERAL = /'([^'\n]*)'/y;
const NUMBER = /[+-]?(?:0x[\da-f_]+|0o[0-7_]+|0b[01_]+|inf|nan|[\d_]+(?:\.[\d_]+)?(?:e[+-]?[\d_]+)?)/iy;
const WORD = /true\b|false\b/y;
const DATE = /(?:\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d[\d:.]*(?:Z|[+-]\d\d:\d\d)?)?|\d\d:\d\d[\d:.]*)/iy;
const LINES = /"""|\'\'\'/y;
/** Tables and arrays inside of each other. */
const MOST_LEVELS = 64;

class Parser {
  #at = 0;
  #level = 0;

  constructor(private readonly text: string, private readonly file: string) {}

  parse(): TomlTable {
    const root: Table = Object.create(null);
    const named = new Set<string>();
    let table = root;
    this.#match(/\uFEFF?/y);
    while (this.#match(BLANK) !== undefined && this.#at < this.text.length) {
      if (this.#match(/\[\[/y) !== undefined) {
        const path = this.#path();
        this.#expect(/\]\]/y, "]]");
        table = this.#next(root, path);
      } else if (this.#match(/\[/y) !== undefined) {
        const path = this.#path();
        this.#expect(/\]/y, "]");
        if (named.has(path.join("\0"))) this.#fail(`table ${path.join(".")} comes twice`);
        named.add(path.join("\0"));
        table = this.#inner(root, path);
      } else this.#assign(table);
      this.#expect(END, "the end of the line");
    }
    return root;
  }

  #assign(table: Table): void {
    const path = this.#path();
    this.#expect(/=/y, "=");
    this.#match(SPACE);
    const value = this.#value();
    const inner = this.#inner(table, path.slice(0, -1));
    const key = path.at(-1)!;
    if (key in inner) this.#fail(`${path.join(".")} comes twice`);
    inner[key] = value;
  }

  /** A new table in the array at a path. */
  #next(root: Table, path: readonly string[]): Table {
    const outer = this.#inner(root, path.slice(0, -1));
    const list = outer[path.at(-1)!] ??= [];
    if (!Array.isArray(list)) this.#fail(`${path.join(".")} is no array of tables`);
    const table = Object.create(null) as Table;
    (list as TomlValue[]).push(table);
    return table;
  }

  /** Keys with dots between them. */
  #path(): string[] {
    const keys: string[] = [];
    do {
      this.#match(SPACE);
      keys.push(this.#match(BARE) ?? this.#string() ?? this.#fail("expected a key"));
      this.#match(SPACE);
    } while (this.#match(/\./y) !== undefined);
    return keys;
  }

  #inner(table: Table, path: readonly string[]): Table {
    let inner = table;
    for (const key of path) {
      const here = inner[key] ??= Object.create(null) as Table;
      const found = Array.isArray(here) && here.length > 0 ? here.at(-1)! : here; // the last one of an array of tables
      if (typeof found !== "object" || Array.isArray(found)) this.#fail(`${key} is no table`);
      inner = found as Table;
    }
    return inner;
  }

  #value(): TomlValue {
    const quotes = this.#match(LINES);
    if (quotes !== undefined) return this.#lines(quotes);
    if (this.#match(/\{/y) !== undefined) return this.#deeper(() => this.#table());
    const date = this.#match(DATE);
    if (date !== undefined) return date;
    if (this.#match(/\[/y) !== undefined) return this.#deeper(() => this.#array());
    const text = this.#string();
    if (text !== undefined) return text;
    const word = this.#match(WORD);
    if (word !== undefined) return word === "true";
    const number = this.#match(NUMBER);
    return number !== undefined ? this.#number(number) : this.#fail("expected a value");
  }

  #deeper<T>(read: () => T): T {
    if (++this.#level > MOST_LEVELS) {
      this.#fail(`more than ${MOST_LEVELS} tables and arrays inside of each other`);
    }
    const found = read();
    this.#level--;
    return found;
  }

  /** A table in one line. */
  #table(): Table {
    const table = Object.create(null) as Table;
    for (this.#match(BLANK); this.#match(/\}/y) === undefined; this.#match(BLANK)) {
      this.#assign(table);
      this.#match(BLANK);
      if (this.#match(/,/y) === undefined && !this.#sees(/\}/y)) this.#fail("expected , or }");
    }
    return table;
  }

  /** A string of several lines; a line break after the quotes does not count. */
  #lines(quotes: string): string {
    this.#match(/\r?\n/y);
    const end = this.text.indexOf(quotes, this.#at);
    if (end < 0) this.#fail(`${quotes} is missing`);
    const inside = this.text.slice(this.#at, end);
    this.#at = end + 3;
    if (quotes === "'''") return inside;
    const joined = inside.replace(/\\[ \t]*\r?\n\s*/g, "").replace(/\r?\n/g, "\\n");
    return this.#unescaped(joined.replace(/(\\.)|"/g, (_, pair) => pair ?? '\\"'));
  }

  #array(): TomlValue[] {
    const values: TomlValue[] = [];
    for (this.#match(BLANK); this.#match(/\]/y) === undefined; this.#match(BLANK)) {
      values.push(this.#value());
      this.#match(BLANK);
      if (this.#match(/,/y) === undefined && !this.#sees(/\]/y)) this.#fail("expected , or ]");
    }
    return values;
  }

  #string(): string | undefined {
    const literal = this.#match(LITERAL);
    if (literal !== undefined) return literal.slice(1, -1);
    const basic = this.#match(BASIC);
    return basic === undefined ? undefined : this.#unescaped(basic.slice(1, -1));
  }

  #unescaped(inside: string): string {
    const basic = `"${inside}"`;
    try {
      const json = basic.replace(/\\U([\da-f]{8})/gi, (_, hex) => String.fromCodePoint(parseInt(hex, 16)))
        .replace(/\\e/g, "\\u001b").replace(/\t/g, "\\t");
      return JSON.parse(json) as string;
    } catch {
      return this.#fail(`${basic} is no string`);
    }
  }

  #number(text: string): number {
    const plain = text.replaceAll("_", "").toLowerCase();
    if (/inf|nan/.test(plain)) return Number(plain.replace("inf", "Infinity").replace(/[+-]?nan/, "NaN"));
    const value = Number(plain);
    if (Number.isNaN(value) || /^_|_$|__|^[+-]?0\d/.test(text)) this.#fail(`${text} is no number`);
    return value;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text);
    if (!found) return undefined;
    this.#at = pattern.lastIndex;
    return found[0];
  }

  #sees(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    return pattern.test(this.text);
  }

  #expect(pattern: RegExp, what: string): void {
    if (this.#match(pattern) === undefined) this.#fail(`expected ${what}`);
  }

  #fail(what: string, code: "malformed" | "unsupported" = "malformed"): never {
    const line = this.text.slice(0, this.#at).split("\n").length;
    throw new TilewiseError(code, `Cannot read ${this.file}: ${what} in line ${line}`, {
      file: this.file,
      offset: this.#at,
      line,
    });
  }
}

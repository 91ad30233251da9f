/**
 * Lists of components as text: those of WSClean and of other programs that begin with `Format =`, and CSV, whose first line
 * has the names of the columns.
 *
 * ```
 * Format = Name, Type, Ra, Dec, I, SpectralIndex, LogarithmicSI, ReferenceFrequency='150000000', MajorAxis, …
 * s0c0,POINT,08:28:05.152,39.35.08.511,0.00075,[-0.0069,-0.085],false,150000000,,,
 * ```
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { nearest } from "../options.ts";
import { columnNamed, COLUMNS, IMPLIED, type Row } from "./component.ts";

interface Heading {
  readonly names: readonly string[];
  /** Values of empty cells. */
  readonly otherwise: ReadonlyMap<string, string>;
}

/** The rows of a list. */
export function* rowsOf(text: string, file: string): Generator<Row> {
  let heading: Heading | undefined;
  const lines = text.split(/\r?\n/);
  for (let i = 0; i < lines.length; i++) {
    const line = withoutComment(lines[i]!), place = i + 1;
    const format = /^#?\s*\(?\s*format\s*=\s*(.*)$/i.exec(line)?.[1] ??
      /^#\s*\((.*)\)\s*=\s*format$/i.exec(line)?.[1];
    if (format !== undefined) heading = headingOf(format, file, place);
    else if (line === "" || line.startsWith("#")) continue;
    else if (!heading) heading = headingOf(line, file, place);
    else {
      const cells = split(line);
      if (cells.length > heading.names.length) throw tooMany(file, place, cells.length, heading.names.length);
      const values = new Map(heading.otherwise);
      cells.forEach((cell, c) => {
        const value = unquoted(cell);
        if (value !== "") values.set(heading!.names[c]!, value);
      });
      const isPatch = !cells[heading.names.indexOf("type")]?.trim() &&
        !cells[heading.names.indexOf("name")]?.trim();
      if (isPatch && values.has("patch")) continue; // the centre of a group of components
      yield { values, where: `line ${place}`, line: place, file };
    }
  }
  if (!heading) throw new TilewiseError("malformed", `Cannot read ${file}: it has no line`, { file });
}

function headingOf(text: string, file: string, line: number): Heading {
  const otherwise = new Map<string, string>();
  const names = split(text).map((cell) => {
    const [, name = "", value] = /^\s*"?([^="]*?)"?\s*(?:=\s*(.*))?$/.exec(cell) ?? [];
    const known = columnNamed(name);
    if (known === undefined) throw unknown(file, line, name);
    const implied = IMPLIED[name.toLowerCase()];
    if (implied) otherwise.set(...implied);
    if (value !== undefined) otherwise.set(known, unquoted(value));
    return known;
  });
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) {
    const problem = `line ${line} has two columns ${twice}`;
    throw new TilewiseError("malformed", `Cannot read ${file}: ${problem}`, { file, line, column: twice });
  }
  return { names, otherwise };
}

/** A line without a comment behind its values; one that begins with `#` stays, as it may be the heading. */
function withoutComment(line: string): string {
  const text = line.replace(/^[^\S\t]+/, "").trimEnd(); // a tab before the first value is an empty value
  return text.startsWith("#") ? text : text.replace(/\s#(?=[^"']*$).*$/, "").trimEnd();
}

/** Cells between commas, or tabs where there are some, that are in no brackets and no quotes. */
function split(line: string): string[] {
  const separator = line.includes("\t") && !line.includes(",") ? "\t" : ",";
  const cells: string[] = [];
  let depth = 0, quote = "", start = 0;
  for (let i = 0; i < line.length; i++) {
    const letter = line[i]!;
    if (quote) quote = letter === quote ? "" : quote;
    else if (letter === '"' || letter === "'") quote = letter;
    else if (letter === "[") depth++;
    else if (letter === "]") depth--;
    else if (letter === separator && depth <= 0) {
      cells.push(line.slice(start, i));
      start = i + 1;
    }
  }
  return [...cells, line.slice(start)];
}

function unquoted(cell: string): string {
  const text = cell.trim();
  return /^(["']).*\1$/.test(text) ? text.slice(1, -1) : text;
}

function unknown(file: string, line: number, name: string): TilewiseError {
  const near = nearest(name.toLowerCase(), COLUMNS);
  const hint = near === undefined ? `columns are ${COLUMNS.join(", ")}` : `did you mean ${near}?`;
  const text = `Cannot read ${file}: line ${line}, there is no column "${name}"; ${hint}`;
  return new TilewiseError("malformed", text, { file, line, column: name, found: name });
}

function tooMany(file: string, line: number, found: number, expected: number): TilewiseError {
  const text = `Cannot read ${file}: line ${line} has ${found} values, the heading ${expected}`;
  return new TilewiseError("malformed", text, { file, line, expected, found });
}

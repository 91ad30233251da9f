/**
 * Reads models of the sky: lists of components as text and as JSON, and regions.
 *
 * @module
 */

import { cannot, isTilewiseError, TilewiseError } from "../errors.ts";
import { openSource, type SourceInput } from "../io/open.ts";
import { type ByteSource, readUpTo } from "../io/source/source.ts";
import { checkOptionNames, defined, nearest, type OptionNames } from "../options.ts";
import { oneOf, signal } from "../options/rules.ts";
import { columnNamed, COLUMNS, IMPLIED, type Row, type Sky, skyOf } from "./component.ts";
import { isRegions, rowsOfRegions } from "./regions.ts";

// Lists of components as text: those of WSClean and of other programs that begin with `Format =`, and CSV, whose first line
// has the names of the columns.
//
// ```
// Format = Name, Type, Ra, Dec, I, SpectralIndex, LogarithmicSI, ReferenceFrequency='150000000', MajorAxis, …
// s0c0,POINT,08:28:05.152,39.35.08.511,0.00075,[-0.0069,-0.085],false,150000000,,,
// ```

interface Heading {
  readonly names: readonly string[];
  /** Values of empty cells. */
  readonly otherwise: ReadonlyMap<string, string>;
}

/** The rows of a list. */
function* rowsOf(text: string, file: string): Generator<Row> {
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
  if (!heading) throw cannot("read", file, "malformed", "it has no line");
}

function headingOf(text: string, file: string, line: number): Heading {
  const otherwise = new Map<string, string>();
  const names = split(text).map((cell) => {
    const [, name = "", value] = /^\s*"?([^="]*?)"?\s*(?:=\s*(.*))?$/.exec(cell) ?? [];
    const known = columnNamed(name);
    if (known === undefined) throw unknown({ file, line }, `line ${line}`, "column", name);
    const implied = IMPLIED[name.toLowerCase()];
    if (implied) otherwise.set(...implied);
    if (value !== undefined) otherwise.set(known, unquoted(value));
    return known;
  });
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) {
    const problem = `line ${line} has two columns ${twice}`;
    throw cannot("read", file, "malformed", problem, { line, column: twice });
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

/** There is no such column, or no such value of a component; many catalogues call Stokes I a flux. */
function unknown(
  { file, line }: Pick<Row, "file" | "line">,
  where: string,
  what: "column" | "value",
  name: string,
): TilewiseError {
  const near = /flux/i.test(name) ? "i, the flux in Jy" : nearest(name.toLowerCase(), COLUMNS);
  const hint = name.includes(";")
    ? "columns are parted by commas, and decimals have a point"
    : near === undefined
    ? `${what}s are ${COLUMNS.join(", ")}`
    : `did you mean ${near}?`;
  const text = `${where}, there is no ${what} "${name}"; ${hint}`;
  return cannot("read", file, "malformed", text, { line, column: name, found: name });
}

function tooMany(file: string, line: number, found: number, expected: number): TilewiseError {
  const text = `line ${line} has ${found} values, the heading ${expected}`;
  return cannot("read", file, "malformed", text, { line, expected, found });
}

// Components as JSON: a list of objects, or an object with the list `components`.

/** The rows of a list. */
function* rowsOfJson(text: string, file: string): Generator<Row> {
  const list = listOf(text, file);
  for (let i = 0; i < list.length; i++) {
    const where = `component ${i + 1}`, line = i + 1;
    const one = list[i];
    if (typeof one !== "object" || one === null || Array.isArray(one)) {
      throw cannot("read", file, "malformed", `${where} is not an object`, { line });
    }
    const values = new Map<string, string>();
    for (const [name, value] of Object.entries(one)) {
      const known = columnNamed(name);
      if (known === undefined) throw unknown({ file, line }, where, "value", name);
      const implied = IMPLIED[name.toLowerCase()];
      if (implied) values.set(...implied);
      if (value !== null && value !== "") values.set(known, textOf(value));
    }
    yield { values, where, line, file };
  }
}

function listOf(text: string, file: string): unknown[] {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw cannot("read", file, "malformed", message, {}, { cause });
  }
  const list = Array.isArray(found) ? found : (found as { components?: unknown } | null)?.components;
  if (Array.isArray(list)) return list;
  const problem = "it must be a list of components, or an object with the list components";
  throw cannot("read", file, "malformed", problem, { expected: "components" });
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? `[${value.join(", ")}]` : String(value);
}

/**
 * How a model of the sky is read.
 * @category Skies
 */
export interface ReadSkyOptions {
  /** `list`: a component list of WSClean, of BBS, or CSV. `json`: JSON. `ds9`: regions of DS9. Default: by how the text begins. */
  readonly format?: "list" | "json" | "ds9";
  /** Cancels the reading. */
  readonly signal?: AbortSignal;
}

/** Their names. */
const READ_SKY_OPTIONS: OptionNames<ReadSkyOptions> = { format: oneOf("list", "json", "ds9"), signal };

/** Most bytes of a list. */
const MOST_BYTES = 2 ** 28;

/**
 * Reads a model of the sky: a component list as WSClean writes it, CSV with the same names of columns in its first line, or
 * JSON with the same names: `Name`, `Type` (POINT, GAUSSIAN, SERSIC), `Ra`, `Dec` (sexagesimal or degrees) or `l`, `m`, `I`,
 * `Q`, `U`, `V` in Jy, `SpectralIndex` (a list), `LogarithmicSI`, `ReferenceFrequency` in Hz, `MajorAxis`, `MinorAxis` in
 * arcseconds, `Orientation` in degrees from the m axis of the image, or from north at the component where
 * `OrientationIsAbsolute` is true, `PolarizedFraction`, `PolarizationAngle` in degrees, `e1`, `e2`, `scale` in arcseconds;
 * `RaD`, `DecD` and `PositionAngle` (from north) are names of OSKAR. Case does not matter. Regions of DS9 in `fk5` or `icrs` are
 * read as well: points, and circles and ellipses as Gaussians with that half maximum; flux and spectrum follow their `#`, as in
 * `point(187.7,12.4) # text={A} I=1.5`.
 *
 * @param source a path, URL, `File`, `Blob` or bytes
 * @param options its format
 * @returns the components of the model
 *
 * @example
 * ```ts
 * import { readSky } from "@tilewise/tilewise/observations";
 * import { assertEquals } from "@std/assert";
 * const list = "Name,Type,Ra,Dec,I,ReferenceFrequency,SpectralIndex\na,POINT,06:00:00,-30.00.00,1.5,150e6,[-0.7]\n";
 * const { points } = await readSky(new TextEncoder().encode(list));
 * assertEquals(points[0]?.position, { ra: Math.PI / 2, dec: -Math.PI / 6 });
 * assertEquals(points[0]?.spectrum, { terms: [-0.7], isLogarithmic: true, reference: 150e6 });
 * ```
 * @category Skies
 */
export async function readSky(source: SourceInput, options: ReadSkyOptions = {}): Promise<Sky> {
  checkOptionNames("readSky()", options, READ_SKY_OPTIONS);
  await using opened = await openList(source, options.signal);
  if (opened.size > MOST_BYTES) {
    const text = `Cannot read ${opened.name} as a sky: ${opened.size} bytes are more than ${MOST_BYTES}`;
    throw new TilewiseError("unsupported", text, {
      file: opened.name,
      expected: MOST_BYTES,
      found: opened.size,
    });
  }
  const text = new TextDecoder().decode(await readUpTo(opened, 0, opened.size, options.signal));
  mustBeText(text, opened.name);
  return skyOf(READERS[options.format ?? formatOf(text)](text, opened.name));
}

/** How each format is read. */
const READERS = { list: rowsOf, json: rowsOfJson, ds9: rowsOfRegions } as const;

/** The format of a text. */
function formatOf(text: string): keyof typeof READERS {
  if (/^\s*[[{]/.test(text)) return "json";
  return isRegions(text) ? "ds9" : "list";
}

/** What a sky is, for messages about what is not a sky. */
const EXPECTED = "a sky is a list of components: CSV, a list of WSClean or BBS, JSON, or regions of DS9";

async function openList(source: SourceInput, signal: AbortSignal | undefined): Promise<ByteSource> {
  try {
    return await openSource(source, defined({ signal }));
  } catch (error) {
    if (!isTilewiseError(error, "not-a-file")) throw error;
    const text = `Cannot read ${source} as a sky: it is a folder; ${EXPECTED}`;
    throw new TilewiseError("unknown-format", text, { ...error.details, expected: EXPECTED }, {
      cause: error,
    });
  }
}

/** Refuses images and other binary files. */
function mustBeText(text: string, file: string): void {
  const isFits = text.startsWith("SIMPLE  =");
  if (!isFits && !text.includes("\0")) return;
  const found = isFits ? "a FITS file" : "a binary file";
  const details = { file, expected: EXPECTED, found };
  throw new TilewiseError(
    "unknown-format",
    `Cannot read ${file} as a sky: it is ${found}; ${EXPECTED}`,
    details,
  );
}

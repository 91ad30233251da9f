/**
 * Regions of DS9 as components: points, and ellipses and circles as Gaussians whose half maximum they draw.
 *
 * ```
 * # Region file format: DS9 version 4.1
 * global color=green ReferenceFrequency=150e6
 * fk5
 * point(08:28:05.15,+39:35:08.5) # point=cross text={A} I=1.5 SpectralIndex=[-0.7]
 * ellipse(187.7,12.39,12",6",120) # text={B} I=0.3
 * ```
 *
 * What a component needs beside its shape follows its `#`, with the names that lists have. Angles of ellipses are those of DS9,
 * from the west to the north; radii are half of the full widths.
 *
 * @module
 */

import { cannot, type TilewiseError } from "../errors.ts";
import { ARCSECOND } from "./angles.ts";
import { columnNamed, type Row } from "./component.ts";

/** Frames whose directions count as those of lists. */
const FRAMES = /^(fk5|j2000|icrs)$/i;

/** All words of DS9 for frames. */
const OTHERS = /^(fk4|b1950|galactic|ecliptic|image|physical|detector|amplifier|linear|wcs[a-z]?)$/i;

/** What begins a file of regions. */
const BEGINNING =
  /^(?:\s*#[^\n]*\n|\s)*(?:global\s|(?:fk5|j2000|icrs|fk4|b1950|galactic|ecliptic|image|physical)\s*(?:[;\n]|$))/i;

/** Whether a text is a file of regions. */
export function isRegions(text: string): boolean {
  return /^\s*# Region file format: DS9/i.test(text) || BEGINNING.test(text);
}

/** Where a line is. */
interface Line {
  readonly file: string;
  readonly line: number;
}

/** The rows of a file of regions. Errors: `unsupported` for what is not a source, by name, and for other frames. */
export function* rowsOfRegions(text: string, file: string): Generator<Row> {
  let frame: string | undefined;
  const usual = new Map<string, string>();
  const lines = text.split(/\r?\n/);
  for (let i = 0; i < lines.length; i++) {
    const at = { file, line: i + 1 };
    for (const command of commandsIn(lines[i]!, at)) {
      const [, word = ""] = /^[+-]?([a-z][a-z0-9]*)/i.exec(command) ?? [];
      if (/^global$/i.test(word)) {
        for (const [name, value] of valuesIn(command.slice(6))) usual.set(name, value);
      } else if (FRAMES.test(word) || OTHERS.test(word)) frame = frameNamed(word, frame, at);
      else yield regionOf(command, word.toLowerCase(), frame, usual, at);
    }
  }
}

/** The commands of a line; a comment behind a region belongs to it. */
function commandsIn(line: string, at: Line): string[] {
  const text = line.trim();
  const [, drawn] = /^#\s*(text|vector|ruler|compass|projection|segment|composite)\s*\(/i.exec(text) ?? [];
  if (drawn !== undefined) throw noSource(drawn.toLowerCase(), at);
  if (text === "" || text.startsWith("#")) return [];
  const [, commands = "", comment = ""] = /^([^#]*)(#.*)?$/.exec(text) ?? [];
  const all = commands.split(";").map((one) => one.trim()).filter((one) => one !== "");
  return all.map((one, i) => i === all.length - 1 ? `${one} ${comment}`.trim() : one);
}

function frameNamed(word: string, before: string | undefined, at: Line): string {
  const name = word.toLowerCase().replace("j2000", "fk5");
  if (!FRAMES.test(word)) {
    throw wrong(at, "unsupported", `its regions are in the frame ${word}; fk5 and icrs are read`, word);
  }
  if (before === undefined || before === name) return name;
  throw wrong(at, "unsupported", `its regions are in several frames: ${before}, ${name}`, name);
}

/** Names of properties of a region that have a meaning for components. */
function valuesIn(text: string): Map<string, string> {
  const found = new Map<string, string>();
  const properties = /([a-z_][a-z0-9_]*)\s*=\s*(\{[^}]*\}|\[[^\]]*\]|"[^"]*"|'[^']*'|[^\s]+)/gi;
  for (const [, name = "", value = ""] of text.matchAll(properties)) {
    const plain = value.replace(/^(["'{])(.*)["'}]$/, "$2");
    const known = /^text$/i.test(name) ? "name" : MEANT.test(name) ? columnNamed(name) : undefined;
    if (known !== undefined) found.set(known, plain);
  }
  return found;
}

/** Columns that a region has no form for. */
const MEANT =
  /^(I|Q|U|V|Patch|SpectralIndex|LogarithmicSI|ReferenceFrequency|RotationMeasure|SpectralCurvature|PolarizedFraction|PolarizationAngle)$/i;

/** The row of a region. */
function regionOf(
  command: string,
  shape: string,
  frame: string | undefined,
  usual: ReadonlyMap<string, string>,
  at: Line,
): Row {
  if (!/^(point|circle|ellipse)$/.test(shape) || command.startsWith("-")) {
    throw noSource(command.startsWith("-") ? `-${shape}` : shape || command.slice(0, 20), at);
  }
  if (frame === undefined) {
    throw wrong(at, "malformed", "there is no frame, such as fk5, before the first region", shape);
  }
  const [, inner = "", comment = ""] = /^[^(\s]*\s*\(?([^)#]*)\)?\s*(?:#(.*))?$/.exec(command) ?? [];
  const [ra = "", dec = "", ...sizes] = inner.trim().split(/\s*,\s*|\s+/);
  const count = { point: 0, circle: 1, ellipse: 3 }[shape] ?? 0;
  if (sizes.length !== count) {
    throw wrong(
      at,
      "malformed",
      `one ${shape} has ${2 + count} numbers, this one has ${2 + sizes.length}`,
      inner,
    );
  }
  const values = new Map([...usual, ...valuesIn(comment)]);
  values.set("ra", withUnit(ra)).set("dec", withUnit(dec)).set("type", count === 0 ? "POINT" : "GAUSSIAN");
  if (count > 0) setWidths(values, sizes, at);
  return { values, where: `line ${at.line}`, line: at.line, file: at.file };
}

/** Angles of DS9 with the units that lists have. */
function withUnit(text: string): string {
  return text.replace(/([\d.])d$/i, "$1deg").replace(/([\d.])r$/i, "$1rad");
}

/** The full widths at half maximum of a circle or an ellipse, and the position angle of the longer one. */
function setWidths(
  values: Map<string, string>,
  [first = "", second = first, angle = "0"]: readonly string[],
  at: Line,
): void {
  const [a, b] = [2 * arcseconds(first, at), 2 * arcseconds(second, at)];
  const turned = Number(angle.replace(/d$/i, "")) + (a >= b ? -90 : 0); // from the north to the east
  if (!Number.isFinite(turned)) {
    throw wrong(at, "malformed", `the angle ${angle} is not a number of degrees`, angle);
  }
  values.set("majoraxis", String(Math.max(a, b))).set("minoraxis", String(Math.min(a, b)));
  values.set("orientation", String(turned)).set("orientationisabsolute", "true");
}

/** Seconds of arc of units of DS9; without one, sizes are degrees. */
const SIZES: Readonly<Record<string, number>> = { '"': 1, "'": 60, d: 3600, "": 3600, r: 1 / ARCSECOND };

function arcseconds(text: string, at: Line): number {
  const [, value, unit = ""] = /^((?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(["'drpi]?)$/i.exec(text) ?? [];
  const scale = SIZES[unit.toLowerCase()];
  if (value !== undefined && scale !== undefined) return Number(value) * scale;
  throw wrong(at, "malformed", `the size ${text} must be a number with ", ', d or r, not of pixels`, text);
}

function noSource(name: string, at: Line): TilewiseError {
  return wrong(at, "unsupported", `${name} is not a source; point, circle and ellipse are read`, name);
}

function wrong(
  { file, line }: Line,
  code: "unsupported" | "malformed",
  problem: string,
  found: string,
): TilewiseError {
  return cannot("read", file, code, `line ${line}, ${problem}`, { line, found });
}

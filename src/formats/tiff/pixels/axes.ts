/**
 * What tags say of the pixels of an image, and the axes that follow.
 *
 * @module
 */

import { defined } from "../../../options.ts";
import type { Instrument } from "../../../dataset/facts.ts";
import type { AxisFacts } from "../../../space/axes.ts";
import { kindOfUnit } from "../../../space/meaning/said_kinds.ts";
import { type Directory, TAG } from "../container/directory.ts";
import type { ImageFacts } from "../image/facts.ts";
import type { Scaling } from "../../common/kinds.ts";

/** An image with its tags. */
export interface Described {
  /** Its directory. */
  readonly directory: Directory;
  /** What its directory says. */
  readonly facts: ImageFacts;
}

/** What tags say of the pixels of an image. */
export interface Pixels {
  /** Rows, columns, and images of a stack; absent where tags say nothing of them. */
  readonly axes: Readonly<Partial<Record<"z" | "y" | "x", AxisFacts>>>;
  /** Microscope. */
  readonly instrument?: Instrument;
  /** Further facts. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** An axis of an image: one of space, unless its unit says that the image is a pattern, or that its pages are something else. */
export function pixelAxis(
  name: "z" | "y" | "x",
  scale: number | undefined,
  unit: string,
  offset: number = 0,
): AxisFacts | undefined {
  if (scale === undefined || Number.isNaN(scale) || unit === "") return undefined;
  const found = kindOfUnit(unit);
  const step = { scale, unit, ...(Number.isFinite(offset) && offset !== 0 ? { offset } : {}) };
  if (found === undefined || found === "length") return { name, kind: "space", ...step };
  return { kind: found, ...step };
}

/** Rows and columns of the same unit. */
export function squareAxes(y: number | undefined, x: number | undefined, unit: string): Pixels["axes"] {
  const [rows, columns] = [pixelAxis("y", y, unit), pixelAxis("x", x, unit)];
  return rows && columns ? { y: rows, x: columns } : {};
}

// The resolution that TIFF itself has tags for: pixels per inch or centimetre. Many programs fill in what a screen or a print
// has, whatever the image shows; such numbers are no size of pixels.

/** Units of the tag: centimetres in each. */
const CENTIMETRES: Readonly<Record<number, number>> = { 2: 2.54, 3: 1 };
/** What a unit is called. */
const CALLED: Readonly<Record<number, string>> = { 2: "inch", 3: "cm" };
/** Micrometres in a centimetre, and centimetres in a metre. */
const MICRO = 1e4, PER_METRE = 100;
/** Pixels per inch that screens and prints have, and the 1 of programs that know nothing. */
const OF_SCREENS = [1, 72, 75, 90, 96, 100, 120, 144, 150, 180, 200, 240, 300, 360, 400, 600];
/** What rounding of pixels per centimetre to two digits may change. */
const ROUNDING = 0.02;

/** Pixels per metre along y and x; NaN where the tags do not say it. Without the tag of the unit, inches are meant. */
export async function perMetre(directory: Directory): Promise<readonly [y: number, x: number]> {
  const unit = await directory.number(TAG.resolutionUnit) ?? 2;
  const each = PER_METRE / (CENTIMETRES[unit] ?? NaN);
  const along = async (tag: number) => {
    const value = await directory.number(tag) ?? NaN;
    return value > 0 && Number.isFinite(value) ? value * each : NaN;
  };
  return [await along(TAG.yResolution), await along(TAG.xResolution)];
}

/** The pixels of an image by its resolution. */
export async function resolutionPixels({ directory }: Described): Promise<Pixels> {
  const [y, x] = await perMetre(directory);
  if (Number.isNaN(y + x)) return { axes: {}, metadata: {} };
  const unit = await directory.number(TAG.resolutionUnit) ?? 2;
  const factor = CENTIMETRES[unit]! / PER_METRE;
  const text = `${plain(x * factor)} x ${plain(y * factor)} pixels per ${CALLED[unit]}`;
  if (isOfScreens(y, unit) && isOfScreens(x, unit)) {
    return { axes: {}, metadata: { resolution: `${text}, as screens and prints have: no size of pixels` } };
  }
  const step = (perM: number): number => plain(PER_METRE * MICRO / perM);
  return { axes: squareAxes(step(y), step(x), "µm"), metadata: { resolution: text } };
}

/** Whether a resolution is one of screens: in inches, or in what these are in centimetres. */
function isOfScreens(perM: number, unit: number): boolean {
  const perCm = plain(perM / PER_METRE);
  if (unit === 3 && Number.isInteger(perCm)) return false;
  return OF_SCREENS.some((one) => Math.abs(one - perCm * 2.54) < ROUNDING);
}

/** A number without the last digits that a division leaves. */
function plain(value: number): number {
  return Number(value.toPrecision(12));
}

// Images of ImageJ: the description has the unit, in which the resolution counts.

/** Bytes of the description that are read: its words come first. */
const MOST_TEXT = 2 ** 12;

/** The pixels of an image of ImageJ; `undefined` where it has no unit. */
export async function imageJPixels({ directory }: Described): Promise<Pixels | undefined> {
  const description = await directory.text(TAG.description, MOST_TEXT);
  if (!isImageJ(description)) return undefined;
  const words = imageJWords(description);
  const step = async (tag: number) => 1 / (await directory.number(tag) ?? NaN);
  const axis = (name: "z" | "y" | "x", scale: number) => {
    const origin = Number(words.get(`${name}origin`) ?? 0); // counted in samples
    return pixelAxis(name, scale, imageJUnit(words, name), -origin * scale);
  };
  const [y, x] = [axis("y", await step(TAG.yResolution)), axis("x", await step(TAG.xResolution))];
  const z = axis("z", Number(words.get("spacing") || NaN));
  return y || x || z ? { axes: defined({ z, y, x }), metadata: {} } : undefined;
}

/** Whether a description is one of ImageJ. */
export function isImageJ(description: string): boolean {
  return description.startsWith("ImageJ=");
}

/** The words of such a description. */
export function imageJWords(description: string): ReadonlyMap<string, string> {
  return new Map(
    description.split(/\r?\n/).map((line) => {
      const at = line.indexOf("=");
      return at < 0 ? [line, ""] as const : [line.slice(0, at).trim(), line.slice(at + 1).trim()] as const;
    }),
  );
}

/** What samples mean by the straight line of a calibration, which images of int16 have, too: these are stored as uint16. */
export function imageJScaling(description: string): Scaling {
  const words = isImageJ(description) ? imageJWords(description) : new Map<string, string>();
  if (words.get("cf") !== "0") return {};
  const [offset, scale] = ["c0", "c1"].map((name) => Number(words.get(name) || NaN));
  return { scale, offset, unit: words.get("vunit") };
}

/** The unit of an axis in the spelling of other formats, that of x where it has no own; an empty text where there is none. */
function imageJUnit(words: ReadonlyMap<string, string>, axis: string): string {
  const plain = (words.get(`${axis}unit`) ?? words.get("unit") ?? "")
    .replace(/\\u([\da-f]{4})/gi, (_, code) => String.fromCharCode(parseInt(code, 16))).trim();
  return /^(micron|microns|um)$/i.test(plain) ? "µm" : /^(pixel|pixels)$/i.test(plain) ? "" : plain;
}

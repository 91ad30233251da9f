/**
 * Reads the values of an address, one kind at a time, and remembers those that were wrong.
 *
 * @module
 */

import {
  type CardView,
  type ChannelLook,
  type ChannelLooks,
  type Display,
  LENS_RADII,
  type ObjectChoice,
  type Overlay,
  type Position,
  type Region,
  type SecondImage,
  type ShownPart,
  START,
} from "./state.ts";

/** Bounds of a number. */
interface Bounds {
  readonly least?: number;
  readonly most?: number;
  readonly whole?: boolean;
}

/** Names of parameters: nothing that objects have by themselves. */
const NAME = /^[A-Za-z][A-Za-z0-9_]{0,40}$/;
/** Words such as those of analyses and samples. */
const WORD = /^[A-Za-z][A-Za-z0-9_-]{0,60}$/;
/** Longest value of a parameter. */
const LONGEST = 2000;
/** Most parameters of one kind. */
const MOST = 64;
/** No place of an image is farther away. */
const FAR = 1e9;

/** The pairs of a fragment. */
export class Reader {
  readonly #pairs: readonly (readonly [string, string])[];
  readonly #used = new Set<string>(["v"]);
  readonly #wrong = new Set<string>();

  /** Splits `key=value&…`. */
  constructor(text: string) {
    this.#pairs = text.split("&").filter((part) => part !== "").map(pairOf);
  }

  /** The first value of a key. */
  one(key: string): string | undefined {
    return this.all(key)[0];
  }

  /** All values of a key. */
  all(key: string): string[] {
    this.#used.add(key);
    return this.#pairs.filter(([name]) => name === key).map(([, value]) => value).slice(0, MOST);
  }

  /** Remembers a key as wrong unless `ok`; gives `ok`. */
  check(key: string, ok: boolean): boolean {
    if (!ok) this.#wrong.add(key);
    return ok;
  }

  /** A finite number within bounds. */
  number(key: string, bounds: Bounds = {}): number | undefined {
    const text = this.one(key);
    if (text === undefined) return undefined;
    const value = asNumber(text, bounds);
    this.check(key, value !== undefined);
    return value;
  }

  /** A list of numbers, `count` of them. */
  numbers(key: string, count: number, bounds: Bounds = {}): number[] | undefined {
    const text = this.one(key);
    if (text === undefined) return undefined;
    const values = text.split(",").map((part) => asNumber(part, bounds)).filter((value) =>
      value !== undefined
    );
    return this.check(key, values.length === count && text.split(",").length === count) ? values : undefined;
  }

  /** One of some words. */
  oneOf<T extends string>(key: string, words: readonly T[]): T | undefined {
    const text = this.one(key);
    const found = words.find((word) => word === text);
    this.check(key, text === undefined || found !== undefined);
    return found;
  }

  /** The values whose keys begin with `prefix.`. */
  record(prefix: string): Record<string, string> {
    const found = this.#pairs.filter(([key]) => key.startsWith(`${prefix}.`)).slice(0, MOST);
    for (const [key] of found) this.#used.add(key);
    return Object.fromEntries(
      found.map(([key, value]) => [key.slice(prefix.length + 1), value] as const)
        .filter(([name, value]) =>
          this.check(
            `${prefix}.${name}`,
            NAME.test(name) && name !== "constructor" && value.length <= LONGEST,
          )
        ),
    );
  }

  /** What could not be used, one sentence each. */
  problems(): string[] {
    const unknown = this.#pairs.map(([key]) => key).filter((key) => !this.#used.has(key));
    const name = (key: string) => key.length > 40 ? `${key.slice(0, 40)}…` : key;
    return [
      ...[...this.#wrong].slice(0, 5).map((key) =>
        `The address has a value of “${name(key)}” that cannot be right.`
      ),
      ...[...new Set(unknown)].slice(0, 5).map((key) =>
        `The address has “${name(key)}”, which this page does not know.`
      ),
    ];
  }
}

/** A word such as the name of an analysis. */
export function readWord(reader: Reader, key: string): string | undefined {
  const word = reader.one(key);
  return word !== undefined && reader.check(key, WORD.test(word)) ? word : undefined;
}

/** A position of the scan. */
export function readPosition(reader: Reader, key: string): Position | undefined {
  const values = reader.numbers(key, 2, { least: 0, most: FAR, whole: true });
  return values && [values[0] ?? 0, values[1] ?? 0];
}

/** A region with the numbers that its kind has. */
export function readRegion(reader: Reader, key: string): Region | undefined {
  const kind = reader.oneOf(key, ["point", "disk", "ring", "rectangle"]);
  const place = (name: string) => reader.number(`${key}.${name}`, { least: -FAR, most: FAR }) ?? NaN;
  const size = (name: string) => reader.number(`${key}.${name}`, { least: 0, most: FAR }) ?? NaN;
  const region = kind && regionOf(kind, place, size);
  if (!region) return undefined;
  const isWhole = Object.values(region).every((value) => typeof value === "string" || Number.isFinite(value));
  return reader.check(key, isWhole) ? region : undefined;
}

function regionOf(
  kind: Region["kind"],
  place: (name: string) => number,
  size: (name: string) => number,
): Region {
  switch (kind) {
    case "point":
      return { kind, y: place("y"), x: place("x") };
    case "disk":
      return { kind, cy: place("cy"), cx: place("cx"), r: size("r") };
    case "ring":
      return { kind, cy: place("cy"), cx: place("cx"), ri: size("ri"), ro: size("ro") };
    case "rectangle":
      return { kind, y: place("y"), x: place("x"), height: size("height"), width: size("width") };
  }
}

/** How values become colours; what is not said is as in `start`. */
export function readDisplay(reader: Reader, key: string, start: Display): Display {
  const range = reader.numbers(`${key}.range`, 2);
  const percentile = reader.numbers(`${key}.percentile`, 2, { least: 0, most: 100 });
  const ordered = (pair: number[] | undefined, name: string): [number, number] | undefined => {
    const [low, high] = pair ?? [];
    if (low === undefined || high === undefined) return undefined;
    return reader.check(`${key}.${name}`, low < high) ? [low, high] : undefined;
  };
  const shown = ordered(range, "range");
  return {
    colormap: readWord(reader, `${key}.map`) ?? start.colormap,
    scale: reader.oneOf(`${key}.scale`, ["linear", "log"]) ?? start.scale,
    gamma: reader.number(`${key}.gamma`, { least: 0.05, most: 20 }) ?? start.gamma,
    ...(shown ? { range: shown } : {}),
    percentile: ordered(percentile, "percentile") ?? start.percentile,
  };
}

/** Positions along the dimensions of a stack. */
export function readStack(reader: Reader, key: string): Readonly<Record<string, number>> {
  const read = Object.entries(reader.record(key)).map(([label, text]) =>
    [label, asNumber(text, { least: 0, most: FAR, whole: true })] as const
  );
  return Object.fromEntries(
    read.filter(([label, position]) => reader.check(`${key}.${label}`, position !== undefined)),
  ) as Record<string, number>;
}

/** An order: each number once. */
export function readOrder(reader: Reader, key: string): readonly number[] | undefined {
  const text = reader.one(key);
  if (text === undefined) return undefined;
  const order = text.split(",").map((part) => asNumber(part, { least: 0, most: FAR, whole: true }) ?? NaN);
  const isRight = new Set(order).size === order.length && order.every(Number.isFinite);
  return reader.check(key, isRight) ? order : undefined;
}

/** Labels over an image. */
export function readOverlay(reader: Reader, key: string): Overlay | undefined {
  const name = reader.one(key);
  const opacity = reader.number(`${key}.opacity`, { least: 0, most: 1 });
  const outline = reader.oneOf(`${key}.outline`, ["true", "false"]) === "true";
  if (name === undefined || !reader.check(key, isArrayName(name))) return undefined;
  return { name, opacity: opacity ?? 0.5, outline };
}

/** A name that an array can have, or a path of at most that many characters. */
function isArrayName(name: string, most = 200): boolean {
  // deno-lint-ignore no-control-regex -- these are what is looked for
  return name.length <= most && /^[^\u0000-\u001f\u007f]+$/.test(name);
}

/** Objects in an image. */
export function readObjects(reader: Reader, key: string): ObjectChoice | undefined {
  const threshold = reader.one(key) === "otsu" ? "otsu" : reader.number(key);
  const number = (name: string, least: number) =>
    reader.number(`${key}.${name}`, { least, most: FAR, whole: true });
  const [channel, chosen] = [number("channel", 0), number("chosen", 1)];
  return threshold === undefined ? undefined : {
    threshold,
    ...(channel === undefined ? {} : { channel }),
    ...(chosen === undefined ? {} : { chosen }),
  };
}

/** A folder of `tilewise view`: a number, and names below it. */
export function readFolder(reader: Reader, key: string): string | undefined {
  const folder = reader.one(key);
  if (folder === undefined) return undefined;
  const [number = "", ...names] = folder.split("/");
  const isRight = isArrayName(folder, LONGEST) && /^\d{1,9}$/.test(number) &&
    names.every((name) => name !== "" && name !== "." && name !== "..");
  return reader.check(key, isRight) ? folder : undefined;
}

/** A second image: an array of the source, or the main one of another source. */
export function readSecond(reader: Reader, key: string): SecondImage | undefined {
  const [path, url] = [reader.one(`${key}.file`), reader.one(`${key}.url`)];
  const name = reader.one(key);
  const wipe = reader.number(`${key}.wipe`, { least: 0, most: 1 });
  const lens = readLens(reader, `${key}.lens`);
  const [channels, order] = [readChannels(reader, `${key}.channels`), readOrder(reader, `${key}.order`)];
  const scan = readDisplay(reader, key, START.scan);
  if (!reader.check(`${key}.file`, path === undefined || isArrayName(path, LONGEST))) return undefined;
  if (!reader.check(`${key}.url`, url === undefined || isArrayName(url, LONGEST))) return undefined;
  const of = path !== undefined
    ? { kind: "file" as const, path }
    : url !== undefined
    ? { kind: "url" as const, url }
    : undefined;
  if (name === undefined ? !of : !reader.check(key, isArrayName(name))) return undefined;
  return {
    name: name ?? "",
    ...(of ? { of } : {}),
    ...(wipe === undefined ? {} : { wipe }),
    ...(lens && wipe === undefined ? { lens } : {}),
    ...(channels ? { channels } : {}),
    ...(order ? { order } : {}),
    ...(JSON.stringify(scan) === JSON.stringify(START.scan) ? {} : { scan }),
  };
}

function readLens(reader: Reader, key: string): SecondImage["lens"] {
  const [y, x, radius] = reader.numbers(key, 3, { least: 0, most: LENS_RADII[1] }) ?? [];
  if (y === undefined || x === undefined || radius === undefined) return undefined;
  return reader.check(key, y <= 1 && x <= 1 && radius >= LENS_RADII[0]) ? [y, x, radius] : undefined;
}

/** How the channels of an image are shown. */
export function readChannels(reader: Reader, key: string): ChannelLooks | undefined {
  const text = reader.one(key);
  if (text === undefined || text === "one") return text;
  const channels = text.split(";").slice(0, MOST).map(channelOf);
  const isRight = text.length <= LONGEST && channels.every((channel) => channel !== undefined);
  return reader.check(key, isRight) ? channels as ChannelLook[] : undefined;
}

function channelOf(text: string): ChannelLook | undefined {
  const [, hidden, colour, ...limits] = /^(-?)([0-9a-f]{6})(?:,([^,]+),([^,]+))?$/i.exec(text) ?? [];
  if (colour === undefined) return undefined;
  const shown = { shown: hidden === "", colour: colour.toLowerCase() };
  if (limits[0] === undefined) return shown;
  const [low, high] = limits.map((limit) => asNumber(limit ?? "", {}));
  return low !== undefined && high !== undefined && low < high ? { ...shown, range: [low, high] } : undefined;
}

/** How an image of Explore is looked at. */
export function readView(reader: Reader, key: string): CardView | undefined {
  const view = readLook(reader, `${key}.view`);
  const [y, x, toY, toX] = reader.numbers(`${key}.line`, 4, { least: -FAR, most: FAR }) ?? [];
  const isLine = y !== undefined && x !== undefined && toY !== undefined && toX !== undefined;
  if (!view && !isLine) return undefined;
  return { ...(view ? { view } : {}), ...(isLine ? { line: [[y, x], [toY, toX]] } : {}) };
}

/** Which part of an image is seen. */
export function readLook(reader: Reader, key: string): ShownPart | undefined {
  const [y, x, zoom] = reader.numbers(key, 3, { least: -FAR, most: FAR }) ?? [];
  if (y === undefined || x === undefined || zoom === undefined) return undefined;
  return reader.check(key, zoom > 0) ? { y, x, zoom } : undefined;
}

function asNumber(
  text: string,
  { least = -Number.MAX_VALUE, most = Number.MAX_VALUE, whole = false }: Bounds,
) {
  if (!/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)) return undefined;
  const value = Number(text);
  const isWithin = value >= least && value <= most && (!whole || Number.isSafeInteger(value));
  return isWithin ? value : undefined;
}

/** A pair, its percent signs read; what is not valid stays as it was typed. */
function pairOf(part: string): readonly [string, string] {
  const at = part.indexOf("=");
  const [key, value] = at < 0 ? [part, ""] : [part.slice(0, at), part.slice(at + 1)];
  return [decoded(key), decoded(value)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replace(/\+/g, " "));
  } catch {
    return text;
  }
}

/**
 * The header of a unit of a FITS file: cards of 80 characters, a keyword and a value each, in blocks of 2880 bytes.
 *
 * Source: FITS standard 4.0, sections 3.3 and 4.
 *
 * @module
 */

import { cannot, type TilewiseError } from "../../errors.ts";
import { type ByteSource, readUpTo } from "../../io/source/source.ts";
import { BLOCK_BYTES, CARD_BYTES, type CardValue } from "../../sinks/fits/head.ts";
import type { DType } from "../../space/dtype.ts";
import { checkedProduct, type Shape } from "../../space/shape.ts";

/** Headers longer than this are refused: 100 000 cards. */
const MOST_HEADER_BYTES = 100_000 * CARD_BYTES;

/** The cards of a header by keyword, and where the samples of the unit begin. */
export class Cards {
  /**
   * @param file name for messages
   * @param offset first byte of the header
   * @param end first byte after its last block
   * @param values values by keyword; of a keyword that is there twice the first one
   */
  constructor(
    readonly file: string,
    readonly offset: number,
    readonly end: number,
    readonly values: ReadonlyMap<string, CardValue>,
  ) {}

  /** A whole number from `least` to `most`; `malformed` where the card is missing or has another value. */
  count(keyword: string, least: number, most: number): number {
    const value = this.values.get(keyword);
    if (typeof value === "number" && Number.isSafeInteger(value) && value >= least && value <= most) {
      return value;
    }
    throw this.error(keyword, `a whole number from ${least} to ${most}`);
  }

  /** A finite number, or `otherwise` where the card is missing. */
  number(keyword: string, otherwise: number): number {
    const value = this.values.get(keyword) ?? otherwise;
    if (typeof value === "number" && Number.isFinite(value)) return value;
    throw this.error(keyword, "a finite number");
  }

  /** A text, trimmed at its end; empty where the card is missing or has no text. */
  text(keyword: string): string {
    const value = this.values.get(keyword);
    return typeof value === "string" ? value : "";
  }

  /** An error about a card. */
  error(keyword: string, expected: string): TilewiseError {
    const found = this.values.has(keyword) ? String(this.values.get(keyword)) : "no such card";
    const text = `in the header at byte ${this.offset}, ${keyword} must be ${expected}; found ${found}`;
    return cannot("read", this.file, "malformed", text, { offset: this.offset, expected, found });
  }
}

/** Reads the header at `offset`. Errors: `truncated` where the file ends inside, `malformed` where there is no `END`. */
async function readCards(source: ByteSource, offset: number, signal?: AbortSignal): Promise<Cards> {
  const values = new Map<string, CardValue>();
  let last: string | undefined; // the keyword of a text that may go on
  for (let at = offset; at - offset < MOST_HEADER_BYTES; at += BLOCK_BYTES) {
    const block = await readUpTo(source, at, BLOCK_BYTES, signal);
    if (block.length < BLOCK_BYTES) throw endsInside(source, offset, at + BLOCK_BYTES);
    const text = new TextDecoder("latin1").decode(block);
    for (let c = 0; c < BLOCK_BYTES; c += CARD_BYTES) {
      const card = text.slice(c, c + CARD_BYTES);
      const keyword = card.slice(0, 8).trimEnd();
      if (keyword === "END") return new Cards(source.name, offset, at + BLOCK_BYTES, values);
      last = put(values, keyword, card, last);
    }
  }
  const message = `the header at byte ${offset} has no END in its first ${MOST_HEADER_BYTES} bytes`;
  throw cannot("read", source.name, "malformed", message, { offset, expected: "END" });
}

/** Keeps the value of a card; returns its keyword if the next card may continue its text. */
function put(
  values: Map<string, CardValue>,
  keyword: string,
  card: string,
  last: string | undefined,
): string | undefined {
  if (keyword === "CONTINUE" && last !== undefined) {
    const before = values.get(last);
    const more = valueOf(card.slice(8));
    if (typeof before !== "string" || typeof more !== "string") return undefined;
    values.set(last, before.replace(/&$/, "") + more);
    return more.endsWith("&") ? last : undefined;
  }
  if (card.slice(8, 10) !== "= " || values.has(keyword)) return undefined; // a comment, or there twice
  const value = valueOf(card.slice(10));
  values.set(keyword, value);
  return typeof value === "string" && value.endsWith("&") ? keyword : undefined;
}

/** The value of a card, without its comment: a text in quotes, `T` or `F`, or a number. */
export function valueOf(field: string): CardValue {
  const text = /^\s*'((?:[^']|'')*)'/.exec(field);
  if (text) return text[1]!.replaceAll("''", "'").trimEnd();
  const plain = field.split("/")[0]!.trim();
  if (plain === "T" || plain === "F") return plain === "T";
  if (/^[+-]?(\d+\.?\d*|\.\d+)([EDed][+-]?\d+)?$/.test(plain)) return Number(plain.replace(/[Dd]/, "e"));
  return plain === "" ? null : plain;
}

function endsInside(source: ByteSource, offset: number, expected: number): TilewiseError {
  const text = `it ends at byte ${source.size}, inside the header at byte ${offset}, whose next ` +
    `block goes to byte ${expected}`;
  return cannot("read", source.name, "truncated", text, { offset, expected, found: source.size });
}

// The units of a FITS file: a header each, and samples in whole blocks behind it.
//
// Source: FITS standard 4.0, sections 3 and 4.4.1.

/** A unit of the file. */
export interface Unit {
  /** Its number, from 0. */
  readonly number: number;
  /** Its header. */
  readonly cards: Cards;
  /** What it holds: an image (or nothing, where it has no axes), random groups, or something else. */
  readonly kind: "image" | "groups" | "other";
  /** Name of the kind for people. */
  readonly title: string;
  /** Stored type of its samples, big endian. */
  readonly stored: DType;
  /** Its axes, slowest first: the last ones of the header first. Those of groups are of one group. */
  readonly shape: Shape;
  /** Number of groups; 1 for all else. */
  readonly groups: number;
  /** Parameters before the samples of each group. */
  readonly parameters: number;
  /** First byte of its samples. */
  readonly start: number;
  /** First byte after its samples, without padding. */
  readonly end: number;
}

/** Sample types by BITPIX. */
const STORED: Readonly<Record<number, DType>> = {
  8: "uint8",
  16: "int16",
  32: "int32",
  64: "int64",
  [-32]: "float32",
  [-64]: "float64",
};

/** Title of images that lie in tables, tile by tile. */
export const PACKED = "a compressed image";

/** More units than this are refused. */
const MOST_UNITS = 10_000;

/**
 * All units of a file; bytes behind the last one that are no header are left out (the standard allows them).
 *
 * Errors: `malformed`, `truncated`.
 */
export async function readUnits(source: ByteSource, signal?: AbortSignal): Promise<Unit[]> {
  const units: Unit[] = [];
  let at = 0;
  while (at + BLOCK_BYTES <= source.size && units.length < MOST_UNITS) {
    if (units.length > 0 && !await isExtension(source, at, signal)) break;
    const cards = await readCards(source, at, signal);
    const unit = unitOf(cards, units.length);
    units.push(unit);
    at = unit.start + Math.ceil((unit.end - unit.start) / BLOCK_BYTES) * BLOCK_BYTES;
  }
  return units;
}

/** Whether a unit begins there, and no special records, whose bytes may be of any kind (section 3.5). */
async function isExtension(source: ByteSource, at: number, signal?: AbortSignal): Promise<boolean> {
  return new TextDecoder("latin1").decode(await readUpTo(source, at, 8, signal)) === "XTENSION";
}

function unitOf(cards: Cards, number: number): Unit {
  const bits = cards.values.get("BITPIX");
  const stored = typeof bits === "number" ? STORED[bits] : undefined;
  if (!stored) throw cards.error("BITPIX", `one of ${Object.keys(STORED).join(", ")}`);
  const axes = cards.count("NAXIS", 0, 999);
  const shape = Array.from({ length: axes }, (_, i) => cards.count(`NAXIS${axes - i}`, 0, 2 ** 53 - 1));
  const extension = number === 0 ? "IMAGE" : cards.text("XTENSION").trim();
  const hasGroups = number === 0 && cards.values.get("GROUPS") === true && shape.at(-1) === 0;
  const groups = number === 0 && !hasGroups ? 1 : counted(cards, "GCOUNT", 1);
  const extra = number === 0 && !hasGroups ? 0 : counted(cards, "PCOUNT", 0);
  const sides = hasGroups ? shape.slice(0, -1) : shape;
  const samples = axes === 0 ? 0 : checkedProduct(sides, "a unit") + extra;
  const bytes = checkedProduct([samples, groups, Math.abs(bits as number) / 8], "a unit");
  const packed = cards.values.get("ZIMAGE") === true;
  const isImage = extension === "IMAGE" && !hasGroups;
  return {
    number,
    cards,
    kind: hasGroups ? "groups" : isImage ? "image" : "other",
    title: packed ? PACKED : extension || "no extension",
    stored,
    shape: sides,
    groups: hasGroups ? groups : 1,
    parameters: hasGroups ? extra : 0,
    start: cards.end,
    end: cards.end + bytes,
  };
}

function counted(cards: Cards, keyword: string, otherwise: number): number {
  return cards.values.has(keyword) ? cards.count(keyword, 0, 2 ** 53 - 1) : otherwise;
}

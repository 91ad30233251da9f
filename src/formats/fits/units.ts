/**
 * The units of a FITS file: a header each, and samples in whole blocks behind it.
 *
 * Source: FITS standard 4.0, sections 3 and 4.4.1.
 *
 * @module
 */

import type { ByteSource } from "../../io/source/source.ts";
import type { DType } from "../../space/dtype.ts";
import { checkedProduct, type Shape } from "../../space/shape.ts";
import { BLOCK_BYTES } from "../../sinks/fits/head.ts";
import { type Cards, readCards } from "./cards.ts";

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
    const cards = await readCards(source, at, signal);
    if (units.length > 0 && !cards.values.has("XTENSION")) break;
    const unit = unitOf(cards, units.length);
    units.push(unit);
    at = unit.start + Math.ceil((unit.end - unit.start) / BLOCK_BYTES) * BLOCK_BYTES;
  }
  return units;
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
    title: packed ? "a compressed image" : extension || "no extension",
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

/**
 * The header of a unit of a FITS file: cards of 80 characters, a keyword and a value each, in blocks of 2880 bytes.
 *
 * Source: FITS standard 4.0, sections 3.3 and 4.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { type ByteSource, readUpTo } from "../../io/source/source.ts";
import { BLOCK_BYTES, CARD_BYTES, type CardValue } from "../../sinks/fits/head.ts";

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
    const text =
      `Cannot read ${this.file}: in the header at byte ${this.offset}, ${keyword} must be ${expected}; found ${found}`;
    return new TilewiseError("malformed", text, { file: this.file, offset: this.offset, expected, found });
  }
}

/** Reads the header at `offset`. Errors: `truncated` where the file ends inside, `malformed` where there is no `END`. */
export async function readCards(source: ByteSource, offset: number, signal?: AbortSignal): Promise<Cards> {
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
  const message = `Cannot read ${source.name}: the header at byte ${offset} has no END in its first ` +
    `${MOST_HEADER_BYTES} bytes`;
  throw new TilewiseError("malformed", message, { file: source.name, offset, expected: "END" });
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
  const text =
    `Cannot read ${source.name}: it ends at byte ${source.size}, inside the header at byte ${offset}, whose next ` +
    `block goes to byte ${expected}`;
  return new TilewiseError("truncated", text, { file: source.name, offset, expected, found: source.size });
}

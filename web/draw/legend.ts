/**
 * What colours mean: ticks of a bar, and a wheel for directions.
 *
 * @module
 */

import { type Limits, type Tick, ticksOf, vectorColours } from "../../src/pictures/mod.ts";
import { START } from "../state/state.ts";
import type { Planes } from "./numbers.ts";
import { paint } from "./paint.ts";
import { gammaOf, placeOf, shareAt, type Transfer } from "./transfer.ts";
import { numberText } from "./words.ts";

/** A tick of a colour bar. */
export interface BarTick {
  /** Where it is, from 0 to 1. */
  readonly at: number;
  /** Its value in words. */
  readonly label: string;
}

/** Smallest distance of two ticks, as a share of the place of one of them. */
const CLOSE = 0.7;

/** At most `most` ticks for these limits: round values where the scale is linear, else values at even places. */
export function barTicks([low, high]: Limits, { scale, gamma }: Transfer, most: number): BarTick[] {
  if (!(high > low)) return [{ at: 0.5, label: numberText(low) }];
  const transfer = { scale, gamma: gammaOf({ gamma }) };
  const span = high - low;
  if (scale === "linear" && transfer.gamma === 1) {
    const few = valueTicks([low, high], most);
    const ticks = few.length > 1 ? few : valueTicks([low, high], 2 * most); // one value says nothing of a scale
    return ticks.map(({ value, label }) => ({ at: (value - low) / span, label }));
  }
  const ticks: BarTick[] = [];
  for (let i = 0; i <= most; i++) {
    const value = roundNear(low + span * shareAt(i / most, transfer), span * 1e-4);
    const at = placeOf(Math.max(0, Math.min(1, (value - low) / span)), transfer);
    const last = ticks.at(-1);
    if (!last || at - last.at > CLOSE / most) {
      ticks.push({
        at,
        label: Number.isInteger(value) && Math.abs(value) < 1e9 ? grouped(value) : numberText(value, 2),
      });
    }
  }
  return ticks;
}

/** Round values of a range, with labels of one form; whole numbers in full, in groups of three digits. */
export function valueTicks([low, high]: Limits, most: number): Tick[] {
  const ticks = ticksOf(low, high, most);
  const isWhole = ticks.every(({ value }) => Number.isInteger(value) && Math.abs(value) < 1e9);
  return isWhole ? ticks.map(({ value }) => ({ value, label: grouped(value) })) : ticks;
}

function grouped(value: number): string {
  const digits = String(Math.abs(value));
  const text = digits.length > 4 ? digits.replace(/\B(?=(\d{3})+$)/g, "\u202f") : digits;
  return value < 0 ? `−${text}` : text;
}

/** The nearest value with two significant digits, but no finer than `finest`. */
function roundNear(value: number, finest: number): number {
  const two = Number(value.toPrecision(2));
  return Math.abs(two) < finest ? 0 : two;
}

/** A label, and how much of the image has it. */
export interface LabelShare {
  /** The label. */
  readonly label: number;
  /** From 0 to 1, of all samples with a label. */
  readonly share: number;
}

/** A share in percent. */
export function percentText(share: number): string {
  return `${Number((100 * share).toPrecision(share < 0.1 ? 1 : 2))} %`;
}

/** The labels of an image, the least first. */
export function labelShares({ width, height, parts: [plane] }: Planes): LabelShare[] {
  const counts = new Map<number, number>();
  const line = new Float64Array(width);
  for (let y = 0; y < height; y++) {
    plane.row(y, line);
    for (const label of line) if (Number.isFinite(label)) counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return [...counts].sort(([a], [b]) => a - b).map(([label, count]) => ({ label, share: count / all }));
}

/** A wheel of all directions and lengths, as vectors of an image would be painted: RGBA, `size × size`. */
export function wheelPixels(size: number): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(4 * size * size);
  const middle = (size - 1) / 2;
  const at = (y: number, x: number) => [(y - middle) / middle, (x - middle) / middle] as const;
  const component = (which: 0 | 1) => ({
    width: size,
    height: size,
    row(y: number, into: Float64Array) {
      for (let x = 0; x < size; x++) {
        const vector = at(y, x);
        into[x] = Math.hypot(...vector) > 1 ? NaN : vector[which];
      }
    },
  });
  const indices = Int32Array.from({ length: size }, (_, i) => i);
  const colours = {
    table: vectorColours(),
    limits: [0, 1],
    display: { ...START.scan, scale: "linear", gamma: 1 },
  } as const;
  paint(
    pixels,
    { width: size, height: size, parts: [component(0), component(1)] },
    indices,
    indices,
    colours,
  );
  return pixels;
}

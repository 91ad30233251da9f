/**
 * Ticks of axes: round numbers, and their labels.
 *
 * @module
 */

/** A tick. */
export interface Tick {
  /** Its value. */
  readonly value: number;
  /** What is written beside it. */
  readonly label: string;
}

/** The step of ticks: 1, 2 or 5 times a power of ten, so that there are at most `most` in a range of this length. */
function stepFor(length: number, most: number): number {
  const least = length / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5, 10].find((factor) => factor * power >= least * (1 - 1e-12))!;
  return factor * power;
}

/**
 * Ticks at multiples of a round step, from one end of an axis to the other, which may be the lower one.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(ticksOf(-1, 1, 5).map(({ label }) => label), ["−1.0", "−0.5", "0.0", "0.5", "1.0"]);
 * assertEquals(ticksOf(30, -30, 4).map(({ value }) => value), [20, 0, -20]);
 * ```
 */
export function ticksOf(from: number, to: number, most: number): Tick[] {
  const [low, high] = from < to ? [from, to] : [to, from];
  if (!(high > low) || !Number.isFinite(high - low)) return [];
  const step = stepFor(high - low, most);
  const edge = 1e-9 * (high - low); // ends that are a tick up to rounding
  const ticks: Tick[] = [];
  for (let n = Math.ceil((low - edge) / step); n * step <= high + edge; n++) {
    const value = n === 0 ? 0 : n * step;
    ticks.push({ value, label: labelOf(value, step) });
  }
  return from < to ? ticks : ticks.reverse();
}

/** A number with the digits that the step needs. */
export function labelOf(value: number, step: number): string {
  const digits = Math.max(0, -Math.floor(Math.log10(step * (1 + 1e-12))));
  const text = Math.abs(value) >= 1e6 || (digits > 6) ? shortExponent(value, step) : value.toFixed(digits);
  return text.replaceAll("-", "−");
}

function shortExponent(value: number, step: number): string {
  if (value === 0) return "0";
  const digits = Math.max(
    0,
    Math.floor(Math.log10(Math.abs(value))) - Math.floor(Math.log10(step * (1 + 1e-12))),
  );
  return value.toExponential(digits).replace("e+", "e");
}

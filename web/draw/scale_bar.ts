/**
 * Scale bars: a round length in units, and how long it is on the screen.
 *
 * @module
 */

import type { ImageAxis } from "./image.ts";
import { lengthUnit, numberText } from "./words.ts";

/** A scale bar. */
export interface ScaleBar {
  /** Its length on the screen. */
  readonly pixels: number;
  /** Its length in units, such as `20 nm`. */
  readonly label: string;
}

/** Prefixes of metres, from small to large, and the exponents of ten that they stand for. */
const PREFIXES = { fm: -15, pm: -12, nm: -9, µm: -6, mm: -3, m: 0, km: 3 } as const;

type Metric = keyof typeof PREFIXES;

/** The longest bar of at most `most` pixels whose length is 1, 2 or 5 times a power of ten. */
export function scaleBar({ step, unit }: ImageAxis, zoom: number, most: number): ScaleBar | undefined {
  const known = Number.isFinite(step) && step > 0 && unit !== "";
  const perPixel = (known ? step : 1) / zoom;
  const length = roundLength(most * perPixel);
  if (!(length > 0)) return undefined;
  const shown = known ? lengthUnit(unit) : "px";
  if (shown === "px" && length < 1) return undefined;
  return { pixels: length / perPixel, label: lengthText(length, shown) };
}

/** The largest 1, 2 or 5 times a power of ten that is not above `most`. */
export function roundLength(most: number): number {
  if (!(most > 0) || !Number.isFinite(most)) return 0;
  const power = Math.floor(Math.log10(most) + 1e-9);
  const factor = [5, 2].find((factor) => Number(`${factor}e${power}`) <= most * (1 + 1e-9)) ?? 1;
  return Number(`${factor}e${power}`);
}

/** A length with the metric prefix for which it is at least 1 and below 1000. */
function lengthText(length: number, unit: string): string {
  if (!isMetric(unit)) return `${numberText(length, 3)} ${unit}`;
  const exponent = PREFIXES[unit] + Math.floor(Math.log10(length) + 1e-9);
  const fitting = (Object.keys(PREFIXES) as Metric[]).filter((one) => PREFIXES[one] <= exponent).at(-1) ??
    "fm";
  const value = Number((length * 10 ** (PREFIXES[unit] - PREFIXES[fitting])).toPrecision(6));
  return `${numberText(value, 3)} ${fitting}`;
}

/** Seconds per unit of time. */
const SECONDS: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  ms: 1e-3,
  s: 1,
  min: 60,
  h: 3600,
  d: 86_400,
};

/** How many of one unit make one of another: of lengths, or of times; undefined where they are neither both, nor the same. */
export function ratioOfUnits(one: string, other: string): number | undefined {
  const [from, into] = [lengthUnit(one), lengthUnit(other)];
  if (from === into) return 1;
  const exponents = [from, into].map((unit) => unit === "Å" ? -10 : isMetric(unit) ? PREFIXES[unit] : NaN);
  const ratio = 10 ** (exponents[1]! - exponents[0]!);
  if (Number.isFinite(ratio)) return ratio;
  const [short, long] = [SECONDS[one], SECONDS[other]];
  return short && long && long / short;
}

function isMetric(unit: string): unit is Metric {
  return unit in PREFIXES;
}

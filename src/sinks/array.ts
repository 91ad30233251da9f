/**
 * What is written: the description of an array that travels with its samples to every target.
 *
 * @module
 */

import type { AxisFacts, ValueFacts } from "../space/axes.ts";
import type { DType } from "../space/dtype.ts";
import { frameOf } from "../space/meaning/kinds.ts";
import type { Shape } from "../space/shape.ts";

/** An array without its samples. */
export interface ArrayToWrite {
  /** Its shape. */
  readonly shape: Shape;
  /** Type of its samples. */
  readonly dtype: DType;
  /** How many of its first dimensions are the scan, as its source says. Absent: kinds of axes say it. */
  readonly nav?: number;
  /** Names, kinds, scales and units of the dimensions, if they are known. */
  readonly axes?: readonly AxisFacts[] | undefined;
  /** What the samples mean. Absent: what follows from their type. */
  readonly values?: ValueFacts;
  /** File name without folder and ending: a name for what has none. */
  readonly stem: string;
}

/** The axis of channels: a dimension, else that of the only channel, if it is known. */
export function channelIn(
  dimension: AxisFacts | undefined,
  values: ValueFacts | undefined,
): AxisFacts | undefined {
  return dimension ?? values?.of?.find(({ kind }) => kind === "channel");
}

/**
 * How many of the first dimensions are a scan or a series, and not an image: as the source says, else what kinds of axes say; else
 * all but the last two.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const axes = [{ kind: "scan" }, { kind: "scan" }, { kind: "energy" }] as const;
 * assertEquals(scanDimensions({ shape: [4, 5, 1024], axes }), 2);
 * assertEquals(scanDimensions({ shape: [7, 4, 5] }), 1);
 * ```
 */
export function scanDimensions(
  { shape, nav, axes = [] }: Pick<ArrayToWrite, "shape" | "nav" | "axes">,
): number {
  const rank = shape.length;
  if (nav !== undefined && nav <= rank) return nav;
  const frame = axes.length === rank ? frameOf(axes) : undefined;
  const isLast = frame?.every((d, i) => d === rank - frame.length + i);
  return isLast ? rank - frame!.length : Math.max(0, rank - 2);
}

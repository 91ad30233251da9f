/**
 * What tags say of the pixels of an image, and the axes that follow.
 *
 * @module
 */

import type { Instrument } from "../../../dataset/facts.ts";
import type { AxisFacts } from "../../../space/axes.ts";
import type { Directory } from "../container/directory.ts";
import type { ImageFacts } from "../image/facts.ts";
import { kindOfUnit } from "../../../space/meaning/said_kinds.ts";

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

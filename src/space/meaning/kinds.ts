/**
 * The kinds of axes and values, and names that say a kind.
 *
 * @module
 */

import type { AxisFacts, AxisKind, ValueFacts } from "../axes.ts";

/** All kinds of axes. */
export const AXIS_KINDS: readonly AxisKind[] = [
  "scan",
  "detector",
  "space",
  "time",
  "channel",
  "colour",
  "energy",
  "frequency",
  "baseline",
  "series",
  "other",
];

/** All kinds of values. */
export const VALUE_KINDS: readonly ValueFacts["kind"][] = [
  "amount",
  "label",
  "mask",
  "phase",
  "vector",
  "complex",
];

/** Kinds of axes by names that mean the same in all conventions. */
const KIND_OF_NAME: Readonly<Record<string, AxisKind>> = {
  t: "time",
  time: "time",
  c: "channel",
  channel: "channel",
  z: "space",
  y: "space",
  x: "space",
  kx: "detector",
  ky: "detector",
  qx: "detector",
  qy: "detector",
};

/** What a file says that gives an axis a name alone; a name that was filled in says nothing. */
export function axisNamed(name: string): AxisFacts {
  const kind = KIND_OF_NAME[name.toLowerCase()];
  return { name, ...(kind ? { kind } : {}) };
}

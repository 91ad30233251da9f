/**
 * The kinds of axes and values, and names that say a kind.
 *
 * @module
 */

import { defined } from "../../options.ts";
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
  return { name, ...defined({ kind }) };
}

/** Kinds by the letters that people write for them, as in `tczyx`; those of space are names of axes. */
const KIND_OF_LETTER: Readonly<Record<string, AxisKind>> = { c: "channel", t: "time", s: "colour" };

/**
 * The dimensions that a word means: those of that name, else those of that kind, or of the kind with that letter.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const axes = [{ name: "t", kind: "time" }, { name: "channel", kind: "channel" }, { name: "y", kind: "space" }] as const;
 * assertEquals(["t", "c", "space", "z"].map((word) => axesCalled(axes, word)), [[0], [1], [2], []]);
 * ```
 */
export function axesCalled(axes: readonly Pick<AxisFacts, "name" | "kind">[], word: string): number[] {
  const those = (key: "name" | "kind", is: string) => [...axes.keys()].filter((d) => axes[d]![key] === is);
  const named = those("name", word);
  return named.length > 0 ? named : those("kind", KIND_OF_LETTER[word] ?? word);
}

/**
 * The dimensions of a frame by the kinds of all: of a scan, all that are neither scan nor time nor series; else the last two of
 * space with the colours, or the energies where there is no space. `undefined` where kinds are missing.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(frameOf([{ kind: "space" }, { kind: "space" }, { kind: "series" }]), [0, 1]);
 * assertEquals(frameOf([{ kind: "scan" }, { kind: "scan" }, { kind: "energy" }]), [2]);
 * assertEquals(frameOf([{}, { kind: "space" }]), undefined);
 * ```
 */
export function frameOf(axes: readonly (AxisFacts | undefined)[]): number[] | undefined {
  const kinds = axes.map((axis) => axis?.kind);
  if (kinds.length === 0 || kinds.includes(undefined)) return undefined;
  const all = [...kinds.keys()];
  const of = (...some: AxisKind[]) => all.filter((d) => some.includes(kinds[d]!));
  const isScan = kinds.includes("scan") || kinds.includes("detector");
  const places = of("space").slice(-2);
  const besides = ["scan", "time", "series", ...(kinds.includes("detector") ? ["space"] : [])];
  const found = isScan
    ? all.filter((d) => !besides.includes(kinds[d]!))
    : places.length > 0
    ? all.filter((d) => places.includes(d) || kinds[d] === "colour")
    : of("energy", "frequency");
  return found.length > 0 ? found : undefined;
}

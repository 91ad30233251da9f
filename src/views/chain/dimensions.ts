/**
 * Which dimensions of an array make one image: for plans; workers do not load it.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { OptionRule } from "../../options.ts";
import { must } from "../../options/rules.ts";
import type { AxisFacts, AxisKind } from "../../space/axes.ts";
import { axesCalled } from "../../space/meaning/kinds.ts";
import type { Shape } from "../../space/shape.ts";
import type { ArrayFacts } from "../array.ts";
import type { Along } from "../operations/operation.ts";

/**
 * Dimensions of an array, by name, number or kind, or all of them.
 * @category Views
 */
export type AxesInput = "all" | readonly (string | number)[];

/** Rule for {@link AxesInput}; whether the dimensions are there is checked against the array. */
export const axesInputRule: OptionRule<AxesInput> = must(
  '"all", or a list of names and numbers of dimensions, such as ["y", "x"]',
  (value) =>
    value === "all" || Array.isArray(value) && value.length > 0 &&
      value.every((one) => typeof one === "string" || Number.isSafeInteger(one) && one >= 0),
);

/**
 * The dimensions along which operations look; `undefined`: all. Without `asked`, those of an image, where the array says what its
 * dimensions are.
 */
export function alongIn(
  call: string,
  { shape, axes = [] }: Pick<ArrayFacts, "shape" | "axes">,
  asked: AxesInput | undefined,
): Along | undefined {
  const rank = shape.length;
  if (asked === "all") return undefined;
  const dims = asked === undefined
    ? axes.length === rank ? imageDimensions(axes) : undefined
    : asked.flatMap((one) => numbersOf(call, one, shape, axes));
  if (!dims) return undefined;
  const ordered = [...new Set(dims)].sort((a, b) => a - b);
  return ordered.length === rank ? undefined : { dims: ordered, rank };
}

/** The dimension of that name or number, or all of that kind. */
function numbersOf(
  call: string,
  asked: string | number,
  { length: rank }: Shape,
  axes: readonly AxisFacts[],
): number[] {
  const found = typeof asked === "number" ? [asked].filter((d) => d < rank) : axesCalled(axes, asked);
  const isTwice = found.length > 1 && axes[found[0]!]!.name === asked;
  if (found.length > 0 && !isTwice) return found;
  const names = axes.map(({ name }) => name);
  const known = Array.from({ length: rank }, (_, d) => names[d] === undefined ? d : `${d} "${names[d]}"`);
  const expected = known.join(", ");
  const problem = isTwice ? `two dimensions are called ${asked}` : `there is no dimension ${asked}`;
  const text = `${call}: ${problem}; there are ${expected}`;
  throw new TilewiseError("invalid", text, { option: "axes", expected, found: asked });
}

/** Kinds of the dimensions of an image, in a scan and elsewhere: of the first of these that are there. */
const OF_SCAN: readonly (readonly AxisKind[])[] = [
  ["detector", "energy"],
  ["space", "frequency", "other"],
  ["scan"],
];
const OF_IMAGES: typeof OF_SCAN = [["space"]];

/**
 * The dimensions that make one image, by the kinds of all: of a scan, those of what it has at each place, or of maps the scan itself;
 * otherwise those of space. Nothing where the kinds are not known, or all dimensions are of one image.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(imageDimensions([{ kind: "channel" }, { kind: "space" }, { kind: "space" }]), [1, 2]);
 * assertEquals(imageDimensions([{ kind: "scan" }, { kind: "scan" }, { kind: "other" }]), [2]);
 * assertEquals(imageDimensions([{ kind: "scan" }, { kind: "scan" }, { kind: "channel" }]), [0, 1]);
 * assertEquals(imageDimensions([{ kind: "space" }, { kind: "space" }]), undefined);
 * assertEquals(imageDimensions([{}, { kind: "space" }, { kind: "space" }]), undefined);
 * ```
 */
export function imageDimensions(axes: readonly AxisFacts[]): number[] | undefined {
  const kinds = axes.map(({ kind }) => kind);
  if (kinds.includes(undefined)) return undefined;
  const isScan = kinds.includes("scan") || kinds.includes("detector");
  const found = (isScan ? OF_SCAN : OF_IMAGES).map((some) =>
    [...kinds.keys()].filter((d) => some.includes(kinds[d]!))
  );
  const dims = found.find(({ length }) => length > 0) ?? [];
  return dims.length > 0 && dims.length < axes.length ? dims : undefined;
}

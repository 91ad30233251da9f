/**
 * Rules for what is said of axes and values.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { checkOptionNames, type OptionNames, type OptionRule } from "../../options.ts";
import { finite, list, must, needed, oneOf, text, whole } from "../../options/rules.ts";
import type { AxisFacts, ValueFacts, ValueRule } from "../axes.ts";
import { AXIS_KINDS, VALUE_KINDS } from "./kinds.ts";
import { type Shape, showShape } from "../shape.ts";

/** Rules for what is said of a dimension; `size` is that of an axis of a data set, which may be given as it is. */
// deno-fmt-ignore: written by `deno task build`
const AXIS_NAMES: OptionNames<AxisFacts & { /** Whole, at least 0. */ readonly size?: number }> = {
  name: text, kind: oneOf(...AXIS_KINDS),
  scale: must("a finite number other than 0", (value) => Number.isFinite(value) && value !== 0),
  offset: finite, unit: text, positions: list, names: list, upwards: must("true", (value) => value === true),
  signal: text, size: whole(0),
};

const objects = must(
  'a list of objects such as { name: "x", scale: 0.5, unit: "nm" }',
  (value) => Array.isArray(value) && value.every((axis) => typeof axis === "object" && axis !== null),
);

/** Rule for what is said of all dimensions. */
export const axesRule: OptionRule<readonly AxisFacts[]> = (call, option, value) => {
  objects(call, option, value);
  const axes = value as readonly AxisFacts[];
  for (const [d, axis] of axes.entries()) checkOptionNames(call, axis, AXIS_NAMES, `${option}[${d}]`);
};

const FRAME = oneOf("frame", "spectrum");

/** Rule for what is said of the dimensions of an entry of a result. */
export const entryAxesRule: OptionRule<readonly AxisFacts[] | "frame" | "spectrum"> = (call, option, value) =>
  (typeof value === "string" ? FRAME : axesRule)(call, option, value);

// deno-fmt-ignore: written by `deno task build`
const VALUES_NAMES: OptionNames<ValueFacts> = {
  kind: needed(oneOf(...VALUE_KINDS)), unit: text, missing: finite, of: axesRule,
};

/** Rule for what samples mean. */
export const valuesRule: OptionRule<ValueFacts> = (call, option, value) => {
  must('an object such as { kind: "label" }', (value) => typeof value === "object" && value !== null)(
    call,
    option,
    value,
  );
  checkOptionNames(call, value as ValueFacts, VALUES_NAMES, option);
};

/** Rule for what results mean. */
export const meaningRule: OptionRule<ValueRule> = (call, option, value) => {
  if (typeof value === "object" && value !== null) return valuesRule(call, option, value);
  must(
    '"same", "sums", "squares", "unknown", or an object such as { kind: "label" }',
    (value) => ["same", "sums", "squares", "unknown"].includes(value as string),
  )(call, option, value);
};

/**
 * Refuses axes that contradict a shape: their number, their sizes, and those of lists of positions and names. `what`: what cannot be done, such
 * as `open memory`.
 *
 * @example
 * ```ts
 * import { assertThrows } from "@std/assert";
 * checkAxes("open memory", [2, 3], [{ name: "channel", names: ["DAPI", "GFP"] }, { name: "x" }]);
 * assertThrows(() => checkAxes("open memory", [2, 3], [{ name: "x" }]), Error, "2 dimensions");
 * ```
 */
export function checkAxes(
  what: string,
  shape: Shape,
  axes: readonly (AxisFacts & { /** Whole, at least 0. */ readonly size?: number })[],
): void {
  const refuse = (why: string, expected: number, found: number) => {
    throw new TilewiseError("invalid", `Cannot ${what}: ${why}`, { option: "axes", expected, found });
  };
  if (axes.length !== shape.length) {
    const text = `its shape of ${
      showShape(shape)
    } has ${shape.length} dimensions, its axes are ${axes.length}`;
    refuse(text, shape.length, axes.length);
  }
  for (const [d, { name, size, positions, names }] of axes.entries()) {
    const lists = [["size", size], ["positions", positions?.length], ["names", names?.length]] as const;
    for (const [list, found] of lists) {
      if (found === undefined || found === shape[d]) continue;
      const has = list === "size" ? `is ${found} samples long` : `has ${found} ${list}`;
      refuse(`axis ${name ?? d} ${has}, the array has ${shape[d]} samples along it`, shape[d]!, found);
    }
  }
}

/**
 * Numbers and places in words, as elements write and say them.
 *
 * @module
 */

import type { ImageAxis, ShownImage } from "./image.ts";
import type { SampleValue } from "./numbers.ts";

/** A number with at most `digits` significant digits; whole numbers below a million in full. */
export function numberText(value: number, digits: number = 5): string {
  if (Number.isNaN(value)) return "not a number";
  if (!Number.isFinite(value)) return value > 0 ? "infinite" : "−infinite";
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return minus(String(value));
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-3) return minus(exponentText(value, digits));
  return minus(String(Number(value.toPrecision(digits))));
}

function exponentText(value: number, digits: number): string {
  const [mantissa = "", exponent = ""] = value.toExponential(digits - 1).split("e");
  const short = mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
  return `${short}e${exponent.replace("+", "")}`;
}

function minus(text: string): string {
  return text.replaceAll("-", "−");
}

/** A value with its unit, as the read-out shows it. */
export function valueText(value: SampleValue, unit: string = ""): string {
  const behind = unit && unit !== "1" ? ` ${unit}` : "";
  switch (value.kind) {
    case "number":
      return Number.isNaN(value.value) ? "no value" : numberText(value.value, 7) + behind;
    case "vector": {
      const length = Math.hypot(value.y, value.x);
      if (Number.isNaN(length)) return "no value";
      const degrees = Math.round(Math.atan2(value.y, value.x) * 180 / Math.PI);
      return `${numberText(length)}${behind} at ${minus(String(degrees))}°`;
    }
    case "none":
      return "not computed";
    case "outside":
      return "";
  }
}

/** A sample, and where that is if the image has a scale. */
export function placeText({ axes }: Pick<ShownImage, "axes">, row: number, column: number): string {
  const [down, right] = axes;
  const samples = `${down.name} ${row}, ${right.name} ${column}`;
  if (!isKnown(down) || !isKnown(right)) return samples;
  const length = ({ step, offset = 0 }: ImageAxis, n: number) => numberText(offset + step * n, 4);
  return `${samples} (${length(down, row)}, ${length(right, column)} ${lengthUnit(right.unit)})`;
}

function isKnown({ step, unit }: { readonly step: number; readonly unit: string }): boolean {
  return unit !== "" && unit !== "px" && unit !== "1" && Number.isFinite(step) && step > 0;
}

/** A unit as it is printed: `1/nm` is nm⁻¹, `um` is µm. */
export function unitText(unit: string): string {
  const plain = unit.replace(/^u(?=m$|rad$)/, "µ").replace(/^(micron|micrometer)s?$/i, "µm").replace(
    "Å",
    "Å",
  );
  const inverse = /^1\/(\S+)$/.exec(plain)?.[1];
  return inverse === undefined ? plain : `${lengthUnit(inverse)}⁻¹`;
}

/** The unit of an axis, or of its inverse, as it is printed: files that count in `A` mean the ångström there. */
export function lengthUnit(unit: string): string {
  return /^(a|ang|angstroms?)$/i.test(unit) ? "Å" : unitText(unit);
}

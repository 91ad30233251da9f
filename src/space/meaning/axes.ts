/**
 * What becomes of axes: of every n-th sample, of a part, of a Fourier transform.
 *
 * @module
 */

import { defined } from "../../options.ts";
import type { AxisFacts } from "../axes.ts";
import { powerOf } from "./units.ts";

/**
 * The axis of samples of which each stands for `factor` of this one: for the `middle` of them, or for the first. Of the last one,
 * which may stand for fewer, the step says what it would be if it had all.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const axis = { name: "x", scale: 0.5, unit: "nm" };
 * assertEquals(thinned(axis, 4, "middle"), { name: "x", unit: "nm", scale: 2, offset: 0.75 });
 * assertEquals(thinned(axis, 4, "first"), { name: "x", unit: "nm", scale: 2 });
 * ```
 */
export function thinned(axis: AxisFacts, factor: number, place: "first" | "middle"): AxisFacts {
  if (factor === 1) return axis;
  const { scale, offset = 0, positions, names, ...others } = axis;
  const shift = place === "middle" ? (factor - 1) / 2 : 0;
  const blocks = positions?.filter((_, n) => n % factor === 0).map((first, n) => {
    const block = positions.slice(n * factor, (n + 1) * factor);
    return place === "first" ? first : block.reduce((sum, one) => sum + one, 0) / block.length;
  });
  return {
    ...others,
    ...(scale === undefined ? {} : { scale: scale * factor, ...atOffset(offset + shift * scale) }),
    ...defined({ positions: blocks }),
    ...(names && place === "first" ? { names: names.filter((_, n) => n % factor === 0) } : {}),
  };
}

/**
 * The axis of the samples from `start` on, `count` of them.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(cropped({ scale: 0.5, offset: 1 }, 4, 2), { scale: 0.5, offset: 3 });
 * assertEquals(cropped({ names: ["DAPI", "GFP", "Cy5"] }, 1, 2), { names: ["GFP", "Cy5"] });
 * ```
 */
export function cropped(axis: AxisFacts, start: number, count: number): AxisFacts {
  const { offset = 0, positions, names, ...others } = axis;
  return {
    ...others,
    ...(others.scale === undefined ? {} : atOffset(offset + start * others.scale)),
    ...(positions ? { positions: positions.slice(start, start + count) } : {}),
    ...(names ? { names: names.slice(start, start + count) } : {}),
  };
}

/**
 * What is known of one sample of an axis: its place and its name. Of one at 0 only the unit is said.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(sampleOf({ name: "t", scale: 3, unit: "s" }, 2), { name: "t", offset: 6, unit: "s" });
 * assertEquals(sampleOf({ name: "channel", names: ["DAPI", "GFP"] }, 1), { name: "channel", names: ["GFP"] });
 * ```
 */
export function sampleOf(axis: AxisFacts, index: number): AxisFacts {
  const { scale: _, positions, unit, offset, names, ...others } = cropped(axis, index, 1);
  const place = positions?.[0] ?? offset ?? 0;
  return {
    ...others,
    ...defined({ unit }),
    ...atOffset(place),
    ...(names?.some((name) => name !== "") ? { names } : {}),
  };
}

/** Where a sample is, or what it is called, in words; empty where nothing is known of it. */
export function sampleInWords({ offset, unit, names }: AxisFacts): string {
  return names?.[0] || (offset === undefined ? "" : `${offset}${unit ? ` ${unit}` : ""}`);
}

/**
 * The axis of the Fourier transform along an axis of `size` samples, with frequency 0 at sample `size / 2`, rounded down: what
 * `numpy.fft.fftshift(numpy.fft.fftfreq(size, scale))` counts. Uneven steps have no such axis.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(spectral({ name: "x", scale: 0.5, unit: "nm" }, 4), { name: "x", scale: 0.5, offset: -1, unit: "1/nm" });
 * assertEquals(spectral({ name: "x" }, 4), { name: "x", scale: 0.25, offset: -0.5, unit: "1/px" });
 * ```
 */
export function spectral({ name, scale, unit, positions }: AxisFacts, size: number): AxisFacts {
  const called = defined({ name });
  if (positions || scale === 0) return called;
  const step = 1 / (size * Math.abs(scale ?? 1));
  const inverse = powerOf(scale === undefined ? "px" : unit ?? "", -1);
  return {
    ...called,
    scale: step,
    ...atOffset(-Math.floor(size / 2) * step),
    ...(inverse === undefined || unit === undefined && scale !== undefined ? {} : { unit: inverse }),
  };
}

/**
 * What is known of an axis besides its name, as the words after "12 samples"; an empty text where nothing is.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(axisInWords({ kind: "scan", scale: 2, unit: "nm" }), " in steps of 2 nm, scan");
 * assertEquals(axisInWords({ kind: "channel", names: ["DAPI", ""] }), ", channel: DAPI, (1)");
 * ```
 */
export function axisInWords({ kind, scale, offset, unit, positions, names, signal }: AxisFacts): string {
  const units = unit ? ` ${unit}` : "";
  const from = offset ? ` from ${offset}` : "";
  const steps = scale === undefined ? "" : `${from} in steps of ${scale}${units}`;
  const uneven = positions ? ` at uneven positions from ${positions[0]} to ${positions.at(-1)}${units}` : "";
  const labels = names ? `: ${names.map((name, n) => name || `(${n})`).join(", ")}` : "";
  return `${steps}${uneven}${kind ? `, ${kind}` : ""}${signal ? ` of ${signal}` : ""}${labels}`;
}

/** An offset of 0 says nothing. */
function atOffset(offset: number): { readonly offset?: number } {
  return offset === 0 ? {} : { offset };
}

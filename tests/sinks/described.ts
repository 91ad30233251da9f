/** Arrays with descriptions of all kinds: what every target is given. */

import { open } from "../../src/formats/open.ts";
import type { AxisFacts, ValueFacts } from "../../src/space/axes.ts";
import { type DType, dtypeInfo, zeros } from "../../src/space/dtype.ts";
import { type Shape, sizeOf } from "../../src/space/shape.ts";
import { arrayOf, type ArraySpec } from "../../src/views/array.ts";

/** An array without samples. */
export interface Described {
  readonly shape: Shape;
  readonly nav: number;
  readonly axes: readonly AxisFacts[];
  readonly values?: ValueFacts;
}

const PATTERN = { kind: "detector", signal: "electron_diffraction" } as const;

/** By name. */
export const DESCRIBED: Readonly<Record<string, Described>> = {
  "a scan of diffraction patterns": {
    shape: [2, 3, 4, 5],
    nav: 2,
    axes: [
      { name: "y", kind: "scan", scale: 0.5, offset: 3, unit: "nm" },
      { name: "x", kind: "scan", scale: 0.25, offset: 0, unit: "nm" },
      { name: "ky", ...PATTERN, scale: 0.125, offset: -0.25, unit: "1/nm" },
      { name: "kx", ...PATTERN, scale: 0.125, offset: -0.5, unit: "1/nm" },
    ],
  },
  "channels of an image": {
    shape: [3, 6, 7],
    nav: 1,
    axes: [
      { name: "c", kind: "channel", names: ["DAPI", "GFP & µ", "Cy5"] },
      { name: "y", kind: "space", scale: 0.5, offset: 0, unit: "µm" },
      { name: "x", kind: "space", scale: 0.5, offset: 0, unit: "µm" },
    ],
  },
  "a spectrum image with uneven steps": {
    shape: [4, 5, 6],
    nav: 2,
    axes: [
      { name: "y", kind: "scan", scale: 2, offset: 0, unit: "nm" },
      { name: "x", kind: "scan", scale: 2, offset: 0, unit: "nm" },
      { name: "E", kind: "energy", signal: "EELS", unit: "eV", positions: [0, 1, 4, 9, 16, 25] },
    ],
  },
};

/** Samples that count, of any type. */
export function counted(dtype: DType, shape: Shape) {
  const data = zeros(dtype, sizeOf(shape));
  for (let i = 0; i < data.length; i++) {
    const value = dtype === "bool" ? i % 3 === 0 ? 1 : 0 : i % 101;
    if (data instanceof BigInt64Array || data instanceof BigUint64Array) data[i] = BigInt(value) << 40n;
    else data[i] = dtypeInfo(dtype).kind === "f" ? value / 4 : value;
  }
  return data;
}

/** A described array of such samples. */
export async function describedArray(
  { shape, nav, axes, values }: Described,
  dtype: DType,
): Promise<ArraySpec> {
  const dataset = await open({ data: counted(dtype, shape), shape, dtype } as never);
  return { ...arrayOf(dataset), nav, axes, ...(values ? { values } : {}) };
}

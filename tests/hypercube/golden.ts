/** Recorded runs of hypercube and of Montblanc's budgeting, from `../shared/golden/rime/14-tiling.json`. */

import type { DType } from "../../src/space/dtype.ts";
import type { ArraySchema } from "../../src/hypercube/cube/cube.ts";

interface Schema {
  readonly name: string;
  readonly shape: (string | number)[];
  readonly dtype: string;
}

/** The parts of the file that the tests use. */
export interface Tiling {
  readonly extent_iter: {
    readonly dims: Record<string, number>;
    readonly strides: [string, number][];
    readonly extents: [number, number][][];
  }[];
  readonly bytes: {
    readonly dims: Record<string, number>;
    readonly arrays: Schema[];
    readonly extents: Record<string, [number, number]>;
    readonly reified: Record<string, number[]>;
    readonly array_bytes: Record<string, number>;
    readonly total: number;
    readonly text: string;
  }[];
  readonly budget_schema: Schema[];
  readonly budget_defaults: Record<string, number>;
  readonly budget: {
    readonly updates: Record<string, number>;
    readonly config: { readonly dtype: "double" | "float"; readonly mem_budget: number };
    readonly bytes_before: number;
    readonly bytes_after: number;
    readonly applied: Record<string, number>;
    readonly tiles: number;
    readonly fits: boolean;
  }[];
}

const FILE = new URL("../../../shared/golden/rime/14-tiling.json", import.meta.url);

/** The recorded runs; nothing where the files are not beside the checkout. */
export function tiling(): Tiling | undefined {
  try {
    return JSON.parse(Deno.readTextFileSync(FILE));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** Schemas of the file as ours; `ft` and `ct` follow the precision. */
export function schemas(arrays: readonly Schema[], precision: "double" | "float" = "double"): ArraySchema[] {
  const names: Record<string, DType> = precision === "double"
    ? { ft: "float64", ct: "complex128" }
    : { ft: "float32", ct: "complex64" };
  return arrays.map(({ name, shape, dtype }) => ({ name, shape, dtype: names[dtype] ?? dtype as DType }));
}

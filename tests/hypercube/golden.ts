/** Recorded runs of hypercube and of Montblanc's budgeting, from `../shared/golden/rime/14-tiling.json`. */

import type { DType } from "../../src/space/dtype.ts";
import { type Hypercube, hypercube } from "../../src/hypercube/cube/cube.ts";
import type { ArrayRole, ArraySchema } from "../../src/hypercube/cube/schema.ts";

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
  readonly log2_ladder: { readonly start: number; readonly size: number; readonly values: number[] }[];
  readonly budget: RecordedBudget[];
}

/** A recorded reduction. */
export interface RecordedBudget {
  readonly updates: Record<string, number>;
  readonly config: {
    readonly dtype: "double" | "float";
    readonly mem_budget: number;
    readonly source_batch_size: number;
  };
  readonly bytes_before: number;
  readonly bytes_after: number;
  readonly trace: [string, number][];
  readonly applied: Record<string, number>;
  readonly iter_strides: Record<string, number>;
  readonly tiles: number;
  readonly fits: boolean;
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

const OUTPUTS = ["model_vis", "chi_squared"];
const TEMPORARIES = [
  "bsqrt",
  "cplx_phase",
  "ejones",
  "ant_jones",
  "sgn_brightness",
  "source_shape",
  "chi_sqrd_result",
];

function roleOf(name: string): ArrayRole {
  return OUTPUTS.includes(name) ? "output" : TEMPORARIES.includes(name) ? "temporary" : "input";
}

/**
 * The cube of a recorded reduction, derived dimensions following. The recorded program counted the point sources alone as
 * `nsrc` before its first reduction: so is the window here, unless `all` are wanted. `plain`: `nsrc` follows nothing, as there.
 */
export function recordedCube(
  golden: Tiling,
  { updates, config }: RecordedBudget,
  sources: "recorded" | "plain" | "all" = "recorded",
): Hypercube {
  const { nvis: _, npsrc = 0, ...sizes } = { ...golden.budget_defaults, ...updates };
  const cube = hypercube({
    dimensions: {
      ...{ ...sizes, npsrc },
      npol: { size: 4, whole: true },
      nbl: { baselinesOf: "na" },
      npolchan: { productOf: ["nchan", "npol"] },
      nsrc: sources === "plain" ? npsrc : { sumOf: ["npsrc", "ngsrc", "nssrc"] },
    },
    arrays: schemas(golden.budget_schema, config.dtype).map((schema) => ({
      ...schema,
      role: roleOf(schema.name),
    })),
  });
  return sources === "recorded" ? cube.with({ nsrc: { upper: npsrc } }) : cube;
}

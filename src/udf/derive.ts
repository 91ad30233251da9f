/**
 * Results that are made of the results of a UDF: a built-in becomes one of your own without being written anew.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { checkOptionNames, type OptionNames } from "../options.ts";
import type { TypedArray } from "../space/dtype.ts";
import type { NdArray } from "../space/ndarray.ts";
import type { JsonValue } from "./objects.ts";
import type { BufferSpec, RunFacts, UdfMeta, UdfResult } from "./udf.ts";
import type { UdfRef } from "./udf_ref.ts";
import type { Masked } from "./with_mask.ts";

/** A result that {@link derive} adds, declared: its shape and its valid mask follow from the run. */
export type DerivedBuffer = Omit<BufferSpec, "use" | "merge">;

/**
 * What a derived result may be:
 *
 * - an array of any shape, valid where its mask says so;
 * - a typed array, or a list of JSON values, for a declared buffer or a result of that name;
 * - one of these {@link withMask};
 * - a number, a bigint or a truth value: an array without dimensions;
 * - any other JSON value: an object result without dimensions, see {@link objectsOf}.
 */
export type DerivedValue =
  | NdArray
  | TypedArray
  | JsonValue
  | bigint
  | Masked<TypedArray | readonly JsonValue[] | NdArray>;

/** Derived results by name; `undefined` changes nothing. */
export type DerivedValues = Readonly<Record<string, DerivedValue | undefined>>;

/** What {@link derive} adds to a UDF. */
export interface DeriveOptions<
  Base extends UdfResult = UdfResult,
  Added extends DerivedValues = DerivedValues,
> {
  /** Declared results: counted in the plan, shown by `inspect`, and each must be among what `results` returns. */
  readonly buffers?:
    | Readonly<Record<string, DerivedBuffer>>
    | ((meta: UdfMeta) => Readonly<Record<string, DerivedBuffer>>);
  /**
   * Makes results of the results `r` of the base, whenever somebody looks: for each part of a running run, and before the
   * first frame. Names that the base has are replaced, others are added.
   */
  results(r: Base, meta: UdfMeta, run: RunFacts): Added;
}

const NAMES: OptionNames<DeriveOptions> = { buffers: true, results: true };

/** What a reference carries of {@link derive}. */
export type Derivation = DeriveOptions;

/**
 * A UDF with further results, made of its own. The function runs on the side that collects results, so that it may be a
 * closure; the base still runs on workers. A derived UDF can be derived again.
 *
 * Errors, when results are looked at: `udf`, with the name of the base, for whatever the function throws or returns that
 * is no result.
 *
 * @example The angle of the deflection beside the centre of mass
 * ```ts
 * import { centreOfMass, derive, open, plan, run } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const withAngle = derive(centreOfMass(), {
 *   buffers: { angle: { kind: "nav", dtype: "float64" } },
 *   results: ({ field_y, field_x }) => ({
 *     angle: Float64Array.from(field_y!.data as Float64Array, (y, i) => Math.atan2(y, Number(field_x!.data[i]))),
 *   }),
 * });
 * const scan = await open({ data: Uint8Array.of(0, 0, 0, 4, 0, 4, 0, 0), shape: [1, 2, 2, 2] });
 * const { com } = await run(await plan(scan, { com: withAngle }));
 * assertEquals([com!.angle!.shape, [...com!.angle!.data]], [[1, 2], [0, -Math.PI / 2]]);
 * ```
 */
export function derive<Base extends UdfResult = UdfResult, Added extends DerivedValues = DerivedValues>(
  ref: UdfRef,
  options: DeriveOptions<Base, Added>,
): UdfRef {
  if (typeof ref?.module !== "string") {
    const text =
      "Cannot derive results: the first argument is no UDF by reference; udf(…) makes one of a UDF";
    throw new TilewiseError("udf", text, { found: typeof ref });
  }
  checkOptionNames("derive()", options, NAMES);
  if (typeof options.results !== "function") {
    const text = `Cannot derive results of the UDF "${ref.name}": give a function results, as in ` +
      `derive(ref, { results: (r) => ({ … }) })`;
    throw new TilewiseError("udf", text, { udf: ref.name });
  }
  return { ...ref, derived: [...ref.derived ?? [], options as Derivation] };
}

/**
 * Results derived from the results of a UDF, for example to extend a built-in without rewriting it.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { checkOptionNames, type OptionNames } from "../../options.ts";
import { callable, needed } from "../../options/rules.ts";
import type { BufferTypes } from "./buffer_types.ts";
import type { Derivation, DerivedBuffer, DerivedTypes, DerivedValues, DeriveOptions } from "./derivation.ts";
import type { UdfRef } from "./udf_ref.ts";

const NAMES: OptionNames<DeriveOptions> = { buffers: true, results: needed(callable) };

/**
 * A UDF with further results, computed from its own results. The function runs on the side that collects results, so it
 * may be a closure; the base still runs on workers. A derived UDF can be derived again.
 *
 * Errors, when results are read: `udf`, with the name of the base, if the function throws or returns an invalid result.
 *
 * @example The angle of the deflection beside the centre of mass
 * ```ts
 * import { centreOfMass, open, plan, run } from "@tilewise/tilewise";
 * import { derive } from "@tilewise/tilewise/unstable/udf";
 * import { assertEquals } from "@std/assert";
 * const withAngle = derive(centreOfMass(), {
 *   buffers: { angle: { kind: "nav", dtype: "float64" } },
 *   results: ({ field_y, field_x }) => ({
 *     angle: field_y.data.map((y, i) => Math.atan2(y, field_x.data[i] ?? NaN)),
 *   }),
 * });
 * const scan = await open({ data: Uint8Array.of(0, 0, 0, 4, 0, 4, 0, 0), shape: [1, 2, 2, 2] });
 * const { com } = await run(await plan(scan, { com: withAngle }));
 * assertEquals([com.angle.shape, [...com.angle.data]], [[1, 2], [0, -Math.PI / 2]]);
 * ```
 * @category Derived results
 */
export function derive<
  Base extends BufferTypes,
  Added extends DerivedValues,
  const Declared extends Readonly<Record<string, DerivedBuffer>>,
>(
  ref: UdfRef<Base>,
  options: DeriveOptions<Base, Added, Declared>,
): UdfRef<DerivedTypes<Base, Added, Declared>> {
  if (typeof ref?.module !== "string") {
    const text =
      "Cannot derive results: the first argument is not a UDF by reference; udf(…) makes one of a UDF";
    throw new TilewiseError("udf", text, { found: typeof ref });
  }
  checkOptionNames("derive()", options, NAMES);
  if (typeof options.results !== "function") {
    const text = `Cannot derive results of the UDF "${ref.name}": give a function results, as in ` +
      `derive(ref, { results: (r) => ({ … }) })`;
    throw new TilewiseError("udf", text, { udf: ref.name });
  }
  const { resultTypes: _, ...plain } = ref;
  return { ...plain, derived: [...ref.derived ?? [], options as Derivation] };
}

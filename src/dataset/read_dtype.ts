/**
 * The type in which functions get samples: it holds the stored type and the types that all functions prefer.
 *
 * @module
 */

import { type DType, resultType } from "../space/dtype.ts";

/**
 * The read type of a run: the stored type, widened for corrections (which need floats) and then for the
 * preferred type of each function; `"native"` widens nothing.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(readDType("uint16", ["float32"]), "float32");
 * assertEquals(readDType("uint32", ["native"], true), "float64");
 * ```
 */
export function readDType(
  stored: DType,
  preferred: readonly (DType | "native")[],
  corrected: boolean = false,
): DType {
  const wishes: DType[] = preferred.filter((wish) => wish !== "native");
  return resultType(stored, ...corrected ? ["float32" as const] : [], ...wishes);
}

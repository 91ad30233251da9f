/**
 * Checks what a UDF declares, for code that is written without types.
 *
 * @module
 */

import type { Backend } from "../../dataset/facts.ts";
import { isTilewiseError, TilewiseError } from "../../errors.ts";
import { checkOptionNames, inWords, isNamed, type OptionNames } from "../../options.ts";
import { either, must, needed, oneOf, truth, whole } from "../../options/rules.ts";
import type { TypedArray } from "../../space/dtype.ts";
import { byteCount, bytes, dtypeName } from "../../space/rules.ts";
import { guarded, settled } from "../interface/guard.ts";
import { isExactRule } from "../interface/buffer_plan.ts";
import type { BufferSpec, DataMeta, ScratchSpec, TilingWishes, Udf, UdfMeta } from "../interface/udf.ts";

const SCRATCH_NAMES: OptionNames<ScratchSpec> = { dtype: needed(dtypeName), length: needed(whole(0)) };

const fromOne = must<number>("", (value) => typeof value === "number" && value >= 1);

const TILING_NAMES: OptionNames<TilingWishes> = {
  depth: either('a number from 1, or "max"', fromOne, oneOf("max")),
  totalBytes: either(
    'a count of bytes from 1, a size in text such as 1MiB, "bestFit" or "max"',
    bytes,
    fromOne,
    oneOf("bestFit", "max"),
  ),
  contiguous: truth,
  boxes: truth,
  wholeFrames: truth,
};

/** Refuses unknown names and invalid values in the object `inside` of a UDF. */
export function checkSpec<T extends object>(udf: Udf, inside: string, spec: T, names: OptionNames<T>): void {
  try {
    checkOptionNames(`UDF "${udf.name}"`, spec, names, inside);
  } catch (error) {
    if (!isTilewiseError(error, "invalid")) throw error;
    throw new TilewiseError("udf", error.message, { ...error.details, udf: udf.name });
  }
}

/** The names and values of the object that a UDF gives as `member`; throws if it is not an object. */
export function declaredEntries<T>(
  udf: Udf,
  member: string,
  given: Readonly<Record<string, T>>,
): [string, T][] {
  if (isNamed(given)) return Object.entries(given);
  throw wrong(udf, `${member} gave ${inWords(given)}; it must give an object with a member for each name`);
}

/** The arrays that all workers read. */
export function declaredConstants(udf: Udf, meta: UdfMeta): Readonly<Record<string, TypedArray>> {
  const constants = settled(udf.name, "constants()", udf.constants?.(meta)) ?? {};
  for (const [name, array] of declaredEntries(udf, "constants()", constants)) {
    if (ArrayBuffer.isView(array) && !((array as ArrayBufferView) instanceof DataView)) continue;
    throw wrong(udf, `the constant "${name}" is ${inWords(array)}; it must be a typed array`);
  }
  return constants;
}

/** The arrays of one worker. */
export function declaredScratch(udf: Udf, meta: UdfMeta): Readonly<Record<string, ScratchSpec>> {
  const scratch = guarded(udf.name, "scratch()", () => udf.scratch?.(meta) ?? {});
  for (const [name, spec] of declaredEntries(udf, "scratch()", scratch)) {
    checkSpec(udf, `scratch.${name}`, spec, SCRATCH_NAMES);
  }
  return scratch;
}

/**
 * How a UDF wants its tiles to be cut; bytes as a number.
 * @category User-defined functions
 */
export type CountedWishes = Omit<TilingWishes, "totalBytes"> & {
  /** Largest number of bytes of a tile. */
  readonly totalBytes?: number | "bestFit" | "max";
};

/** How it wants its tiles to be cut. */
export function declaredTiling(udf: Udf, meta: UdfMeta): CountedWishes {
  const asked = typeof udf.tiling === "function" ? udf.tiling(meta) : udf.tiling;
  const tiling = settled(udf.name, "tiling()", asked) ?? {};
  checkSpec(udf, "tiling", tiling, TILING_NAMES);
  const { totalBytes, ...rest } = tiling;
  if (totalBytes === undefined) return rest;
  const isSize = typeof totalBytes === "string" && totalBytes !== "bestFit" && totalBytes !== "max";
  return { ...rest, totalBytes: isSize ? byteCount(udf.name, "totalBytes", totalBytes) : totalBytes };
}

/** Whether partial results are merged in a tree. If nothing is merged, no tree is needed. */
export function declaredTree(udf: Udf, meta: UdfMeta, buffers: readonly BufferSpec[]): boolean {
  const ruled = buffers.filter(({ kind, merge }) => kind !== "nav" && merge !== undefined);
  const rounds = ruled.some(({ merge, dtype = "float32" }) => !isExactRule(merge!, dtype));
  const order = settled(udf.name, "order()", udf.order?.(meta)) ?? (rounds ? "tree" : "any");
  if (order !== "any" && order !== "tree") {
    throw wrong(udf, `order() gave ${JSON.stringify(order)}; it can be any or tree`);
  }
  if (order === "any") return false;
  if (udf.merge || !udf.mergeAll) return udf.merge !== undefined || ruled.length > 0;
  throw wrong(udf, `order "tree" needs merge(); mergeAll() gets the parts in the order of partitions`);
}

/** The forms of tiles that it takes. */
export function declaredBackends(udf: Udf, data: DataMeta): readonly Backend[] {
  const { backends = ["dense"] } = udf;
  const all = guarded(
    udf.name,
    "backends()",
    () => typeof backends === "function" ? backends(data) : backends,
  );
  if (Array.isArray(all)) return all;
  throw wrong(udf, `backends is ${JSON.stringify(all)}; it must be a list such as ["csr", "dense"]`);
}

/** The error for a UDF that declares something wrong. */
export function wrong(udf: Udf, what: string): TilewiseError {
  return new TilewiseError("udf", `UDF "${udf.name}": ${what}`, { udf: udf.name });
}

/** Whether `n` counts something. */
export function isCount(n: number): boolean {
  return Number.isSafeInteger(n) && n >= 0;
}

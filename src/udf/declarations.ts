/**
 * Checks what a UDF declares, also where it is written without types.
 *
 * @module
 */

import type { Backend } from "../dataset/backend.ts";
import { TilewiseError } from "../errors.ts";
import { DTYPES, type TypedArray } from "../space/dtype.ts";
import { guarded } from "./guard.ts";
import { isExactRule, ruleProblem } from "./merge_rules.ts";
import type { BufferSpec, DataMeta, ScratchSpec, Udf, UdfMeta } from "./udf.ts";

/** The names and values of what a UDF gives as `member`; an error where it gives no object. */
export function declaredEntries<T>(
  udf: Udf,
  member: string,
  given: Readonly<Record<string, T>>,
): [string, T][] {
  if (typeof given === "object" && given !== null) return Object.entries(given);
  throw wrong(udf, `${member} is ${given}; it must be an object with a member for each name`);
}

/** Refuses a buffer that is none, or that nobody could fill or merge. */
export function checkBuffer(udf: Udf, name: string, spec: BufferSpec): void {
  const fail = (what: string) => wrong(udf, `buffer "${name}" ${what}`);
  if (!/^[A-Za-z_$][\w$]*$/.test(name)) throw wrong(udf, `buffer name "${name}" is no identifier`);
  if (typeof spec !== "object" || spec === null) throw fail(`is ${spec}; declare it like { kind: "nav" }`);
  const { kind, dtype = "float32", extraShape = [], use } = spec;
  if (!["nav", "sig", "single"].includes(kind)) {
    throw fail(`has kind "${kind}"; it can be nav, sig or single`);
  }
  if (dtype !== "object" && !DTYPES.includes(dtype)) {
    throw fail(`has dtype "${dtype}"; known are ${DTYPES.join(", ")} and object`);
  }
  if (!Array.isArray(extraShape) || !extraShape.every(isCount)) {
    throw fail(`has extraShape ${JSON.stringify(extraShape)}; it must be a list of whole numbers`);
  }
  if (use !== undefined && use !== "private" && use !== "result") {
    throw fail(`has use "${use}"; it can be private or result`);
  }
  if (use === "result" && !udf.results) throw fail("is for results only, but the UDF has no results()");
  if (spec.merge !== undefined) {
    const problem = ruleProblem(spec.merge, dtype) ?? misplacedRule(udf, spec);
    if (problem) throw fail(problem);
  } else if (kind !== "nav" && use !== "result" && !udf.merge && !udf.mergeAll) {
    const rules = dtype === "object" ? 'merge: "concat"' : 'merge: "sum", "min" or "max"';
    throw fail(
      `is a ${kind} buffer; only nav buffers merge by themselves, so declare ${rules}, or implement merge() ` +
        `or mergeAll()`,
    );
  }
}

/** Why this buffer cannot have a rule. */
function misplacedRule(udf: Udf, { use, merge }: BufferSpec): string | undefined {
  if (use === "result") return `has merge "${merge}", but only results() fills it: there is nothing to merge`;
  if (!udf.mergeAll || udf.merge) return undefined;
  return `has merge "${merge}", but the UDF has mergeAll(), which makes all buffers; leave one of them out`;
}

/** The arrays that all workers read. */
export function declaredConstants(udf: Udf, meta: UdfMeta): Readonly<Record<string, TypedArray>> {
  const constants = udf.constants?.(meta) ?? {};
  for (const [name, array] of declaredEntries(udf, "constants()", constants)) {
    if (ArrayBuffer.isView(array) && !((array as ArrayBufferView) instanceof DataView)) continue;
    throw wrong(udf, `the constant "${name}" is no typed array`);
  }
  return constants;
}

/** The arrays of one worker. */
export function declaredScratch(udf: Udf, meta: UdfMeta): Readonly<Record<string, ScratchSpec>> {
  const scratch = guarded(udf.name, "scratch()", () => udf.scratch?.(meta) ?? {});
  for (const [name, spec] of declaredEntries(udf, "scratch()", scratch)) {
    if (DTYPES.includes(spec?.dtype) && isCount(spec.length)) continue;
    const found = spec?.dtype ? `${spec.length} × ${spec.dtype}` : String(spec);
    throw wrong(udf, `the scratch array "${name}" is ${found}; it needs a dtype and a length`);
  }
  return scratch;
}

/** Whether partial results are merged in a tree. Without a merge there is nothing that a tree could do. */
export function declaredTree(udf: Udf, meta: UdfMeta, buffers: readonly BufferSpec[]): boolean {
  const ruled = buffers.filter(({ kind, merge }) => kind !== "nav" && merge !== undefined);
  const rounds = ruled.some(({ merge, dtype = "float32" }) => !isExactRule(merge!, dtype));
  const order = udf.order?.(meta) ?? (rounds ? "tree" : "any");
  if (order !== "any" && order !== "tree") {
    throw wrong(udf, `order() gave ${JSON.stringify(order)}; it can be any or tree`);
  }
  if (order === "any") return false;
  if (udf.merge || !udf.mergeAll) return udf.merge !== undefined || ruled.length > 0;
  throw wrong(udf, `order "tree" needs merge(); mergeAll() gets the parts in the order of partitions`);
}

/** The forms of tiles it takes. */
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

function wrong(udf: Udf, what: string): TilewiseError {
  return new TilewiseError("udf", `UDF "${udf.name}": ${what}`, { udf: udf.name });
}

function isCount(n: number): boolean {
  return Number.isSafeInteger(n) && n >= 0;
}

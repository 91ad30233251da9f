/**
 * Adds derived results to those of a UDF, see {@link derive}.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { isTilewiseError, TilewiseError } from "../../errors.ts";
import { denseData } from "../../sinks/arrays/numbers.ts";
import { dtypeInfo, DTYPES, type TypedArray, zeros } from "../../space/dtype.ts";
import { checkAxes } from "../../space/meaning/rules.ts";
import { type NDArray, ndarray } from "../../space/ndarray.ts";
import { sameShape, showShape, sizeOf } from "../../space/shape.ts";
import { broadcastMask, type MaskInput } from "../../space/valid.ts";
import type { BufferPlan, ObjectPlan } from "../interface/buffer_plan.ts";
import type { ObjectArray, UdfResult } from "../interface/buffer_types.ts";
import type { DerivedValue } from "../interface/derivation.ts";
import type { PlannedDerivation } from "./derived_plan.ts";
import { jsonCopies } from "../buffers/object_buffers.ts";
import { objectsOf, withObjects } from "../buffers/object_results.ts";
import { numberResult, objectResult, type ResultInit, unifyNaN } from "../buffers/result_values.ts";
import type { RunFacts } from "../interface/udf.ts";
import type { Masked, ResultValue } from "../interface/objects.ts";

/** What derived results are made from. */
interface DerivedInit {
  /** Name of the UDF. */
  readonly udf: string;
  /** Its derivations, in order. */
  readonly derivations: readonly PlannedDerivation[];
  /** The buffers of the UDF that are results: a result that replaces one may have its type and shape. */
  readonly base: readonly (BufferPlan | ObjectPlan)[];
  /** Facts of the run. */
  readonly facts: RunFacts;
  /** Shape and rows of a declared result. */
  initOf(plan: BufferPlan | ObjectPlan): ResultInit;
}

/** The results of a UDF together with those that are derived from them. */
export function derivedResults(result: UdfResult, init: DerivedInit): UdfResult {
  const known = new Map(init.base.map((plan) => [plan.name, plan]));
  let current = result;
  for (const planned of init.derivations) {
    const own = new Map([...planned.numbers, ...planned.objects].map((plan) => [plan.name, plan]));
    for (const [name, plan] of own) known.set(name, plan);
    current = added(current, planned, init, new Values(init, own, known));
  }
  return current;
}

/** `result` with the results of one derivation added. */
function added(
  result: UdfResult,
  { derivation, declared }: PlannedDerivation,
  { udf, facts }: DerivedInit,
  values: Values,
): UdfResult {
  const given = guarded(udf, () => derivation.results(result, facts.meta, facts)) as unknown;
  if (typeof given !== "object" || given === null || given instanceof Promise || Array.isArray(given)) {
    const what = given instanceof Promise
      ? "a promise (it must not be async)"
      : Object.prototype.toString.call(given);
    throw wrong(udf, `returned ${what}; it must return an object with a member for each result`);
  }
  const missing = declared.find(([name]) => (given as Record<string, unknown>)[name] === undefined);
  if (missing) throw wrong(udf, `did not return the declared result "${missing[0]}"`);
  const arrays: Record<string, NDArray> = { ...result };
  const objects: Record<string, ObjectArray> = { ...objectsOf(result) };
  for (const [name, value] of Object.entries(given as Record<string, DerivedValue | undefined>)) {
    if (value === undefined) continue;
    const found = values.of(name, value);
    delete arrays[name];
    delete objects[name];
    if ("dtype" in found) arrays[name] = found;
    else objects[name] = found;
  }
  return withObjects(arrays, objects);
}

/** Adds the name of the UDF to any error that a function throws. */
function guarded<T>(udf: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (isTilewiseError(error, "aborted")) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const text = `UDF "${udf}" failed in results() of derive(): ${reason}`;
    throw new TilewiseError("udf", text, { udf }, { cause: error });
  }
}

type Plan = BufferPlan | ObjectPlan;

/** Makes results from the values that a function returned. */
class Values {
  constructor(
    private readonly init: DerivedInit,
    private readonly own: ReadonlyMap<string, Plan>,
    private readonly known: ReadonlyMap<string, Plan>,
  ) {}

  of(name: string, value: DerivedValue): NDArray | ObjectArray {
    const { udf } = this.init;
    if (!/^[A-Za-z_$][\w$]*$/.test(name)) throw wrong(udf, `returned "${name}", which is not an identifier`);
    try {
      return this.#of(name, value);
    } catch (error) {
      if (isTilewiseError(error, "udf")) throw error;
      throw wrong(udf, `returned "${name}", which is not a result: ${(error as Error).message}`, error);
    }
  }

  #of(name: string, value: DerivedValue): NDArray | ObjectArray {
    const [data, mask] = unmasked(value, this.known.has(name));
    if (isTyped(data)) return this.#declared(name, data.slice(), mask);
    if (isArray(data)) return this.#array(name, data, mask);
    const plan = this.known.get(name);
    if (Array.isArray(data) && plan && !("dtype" in plan)) return this.#declared(name, data, mask);
    if (this.own.has(name)) {
      const what = Array.isArray(data) ? "a list" : data === null ? "null" : `a ${typeof data}`;
      throw wrong(
        this.init.udf,
        `returned ${what} for the declared result "${name}"; ${needs(this.own.get(name)!)}`,
      );
    }
    if (typeof data === "number") return this.#array(name, ndarray(Float64Array.of(data), [], "float64"), {});
    if (typeof data === "bigint") return ndarray(BigInt64Array.of(data), [], "int64");
    if (typeof data === "boolean") return ndarray(Uint8Array.of(data ? 1 : 0), [], "bool");
    return { data: jsonCopies(this.init.udf, name, [data]), shape: [] };
  }

  /** A result whose type and shape are declared. */
  #declared(name: string, data: ResultValue, mask: { readonly mask?: MaskInput }): NDArray | ObjectArray {
    const plan = this.known.get(name);
    if (!plan) {
      const text =
        `returned a ${data.constructor.name} as "${name}", which has no shape: declare it among the ` +
        `buffers of derive(), or give ndarray(data, shape, dtype)`;
      throw wrong(this.init.udf, text);
    }
    const init = { ...this.init.initOf(plan), ...mask };
    return "dtype" in plan ? numberResult(plan, data, init) : objectResult(plan, data, init);
  }

  /** An array with its own shape; it is copied, as other code may hold it. */
  #array(name: string, array: NDArray, { mask }: { readonly mask?: MaskInput }): NDArray {
    const { shape, dtype } = array;
    if (!DTYPES.includes(dtype) || zeros(dtype, 0).constructor !== array.data.constructor) {
      throw new TilewiseError(
        "invalid",
        `its numbers are a ${array.data.constructor.name}, its dtype is ${dtype}`,
      );
    }
    const copy = denseData(array).slice();
    const valid = mask === undefined ? array.valid?.slice() : broadcastMask(mask, shape);
    if (valid && (valid.length === 0 || sizeOf(shape) % valid.length !== 0)) {
      throw new TilewiseError(
        "invalid",
        `its mask has ${valid.length} values, it has ${sizeOf(shape)} samples`,
      );
    }
    const plan = this.own.get(name);
    if (plan) this.#checkDeclared(plan, array);
    if ("fc".includes(dtypeInfo(dtype).kind)) unifyNaN(copy);
    return { ...ndarray(copy, shape, dtype, valid), ...this.#said(array, plan) };
  }

  /** What an array says of itself, and else what was declared. */
  #said({ shape, axes, values }: NDArray, plan: Plan | undefined): Pick<NDArray, "axes" | "values"> {
    if (axes) checkAxes("take it as a result", shape, axes);
    const declared: Pick<NDArray, "axes" | "values"> = plan ? this.init.initOf(plan) : {};
    const [known, meant] = [axes ?? declared.axes, values ?? declared.values];
    return defined({ axes: known, values: meant });
  }

  #checkDeclared(plan: Plan, { shape, dtype }: NDArray): void {
    const wanted = this.init.initOf(plan).shape;
    if ("dtype" in plan && plan.dtype === dtype && sameShape(shape, wanted)) return;
    const found = `${showShape(shape)} ${dtype}`;
    const expected = "dtype" in plan ? `${showShape(wanted)} ${plan.dtype}` : "JSON values";
    throw wrong(
      this.init.udf,
      `returned ${found} for the declared result "${plan.name}", which is ${expected}`,
    );
  }
}

function needs(plan: Plan): string {
  return "dtype" in plan ? `it needs numbers of ${plan.dtype}` : "it needs a list of JSON values";
}

/** The value, and its mask if it has one. JSON values may have members with these names as well. */
function unmasked(
  value: DerivedValue,
  isKnown: boolean,
): [Exclude<DerivedValue, Masked>, { readonly mask?: MaskInput }] {
  if (typeof value !== "object" || value === null || !("mask" in value) || !("data" in value)) {
    return [value as Exclude<DerivedValue, Masked>, {}];
  }
  const { data, mask } = value as Masked;
  const isMask = isTyped(data) || isArray(data) || isKnown && Array.isArray(data);
  return isMask ? [data as TypedArray, { mask }] : [value as Exclude<DerivedValue, Masked>, {}];
}

function isTyped(value: unknown): value is TypedArray {
  return ArrayBuffer.isView(value) && !(value instanceof DataView);
}

function isArray(value: unknown): value is NDArray {
  const { data, shape, dtype } = (value ?? {}) as Partial<NDArray>;
  return isTyped(data) && Array.isArray(shape) && typeof dtype === "string";
}

function wrong(udf: string, what: string, cause?: unknown): TilewiseError {
  return new TilewiseError("udf", `UDF "${udf}": results() of derive() ${what}`, { udf }, { cause });
}

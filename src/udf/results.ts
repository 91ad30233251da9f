/**
 * The results of a run: full arrays on the heap, filled as partitions come in.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { dtypeInfo, type TypedArray, zeros } from "../space/dtype.ts";
import { type NdArray, ndarray } from "../space/ndarray.ts";
import type { BufferPlan, SetPlan } from "./buffers.ts";
import type { Plan } from "./plan.ts";
import type { PlannedUdf } from "./plan_udf.ts";
import { displayableResults } from "./display.ts";
import { lowerBound } from "../space/search.ts";
import type { Buffers, UdfResult } from "./udf.ts";

/** The results of a run: per UDF key, per buffer name. */
export type Results = Readonly<Record<string, UdfResult>>;

/** Collects nav rows as partitions come in, and makes arrays of everything at the end. */
export class ResultStore {
  /** One byte a scan position: whether its frame has been merged. */
  readonly damage: Uint8Array;
  readonly #nav: Buffers[];

  /** Room for the results of `plan`. */
  constructor(private readonly plan: Plan) {
    const { set, dataset, selection } = plan;
    this.damage = new Uint8Array(dataset.frames);
    const rows = (buffer: BufferPlan) =>
      buffer.compressed ? selection.indices?.length ?? dataset.frames : dataset.frames;
    this.#nav = set.udfs.map((buffers) =>
      Object.fromEntries(
        buffers.filter(isNav).map((
          buffer,
        ) => [buffer.name, zeros(buffer.dtype, buffer.entry * rows(buffer))]),
      )
    );
  }

  /** Copies the nav rows of one partition to their scan positions. */
  place(positions: Uint32Array, partials: readonly Buffers[]): void {
    for (const position of positions) this.damage[position] = 1;
    this.plan.set.udfs.forEach((buffers, u) => {
      for (const buffer of buffers.filter(isNav)) {
        copyRows(
          buffer,
          this.#nav[u]![buffer.name]!,
          partials[u]![buffer.name]!,
          this.#rowsOf(buffer, positions),
        );
      }
    });
  }

  /** The results, with `merged` as the state of the other buffers (absent: nothing merged yet). */
  results(merged: readonly Buffers[] | undefined): Results {
    const entries = this.plan.udfs.map((planned, u) => {
      const nav = Object.fromEntries(
        Object.entries(this.#nav[u]!).map(([name, data]) => [name, data.slice()]),
      );
      const others = merged ? onHeap(this.plan.set, u, merged[u]!) : blank(this.plan.set, u);
      return [
        planned.key,
        this.#arrays(planned, this.plan.set.udfs[u]!, { ...nav, ...others } as Buffers),
      ] as const;
    });
    return displayableResults(Object.fromEntries(entries), this.plan.dataset);
  }

  #rowsOf({ compressed }: BufferPlan, positions: Uint32Array): Uint32Array {
    const { indices } = this.plan.selection;
    return compressed && indices ? positions.map((position) => lowerBound(indices, position)) : positions;
  }

  #arrays({ udf, meta }: PlannedUdf, plans: readonly BufferPlan[], buffers: Buffers): UdfResult {
    const computed = udf.results ? udf.results(buffers, meta) : {};
    for (const name of Object.keys(computed)) checkResult(udf.name, name, plans);
    const arrays = plans.filter(({ visible }) => visible).map((plan) => {
      const data = computed[plan.name] ?? buffers[plan.name];
      if (!data) {
        const text = `UDF "${udf.name}": results() did not return the buffer "${plan.name}"`;
        throw new TilewiseError("udf", text, { udf: udf.name });
      }
      return [plan.name, this.#array(udf.name, plan, data)] as const;
    });
    return Object.fromEntries(arrays);
  }

  #array(udf: string, plan: BufferPlan, data: TypedArray): NdArray {
    const { dataset, selection } = this.plan;
    const entries = { nav: dataset.navShape, sig: dataset.sigShape, single: [] }[plan.kind];
    const chosen = plan.compressed && selection.indices;
    const shape = [...(chosen ? [selection.indices!.length] : entries), ...plan.extraShape];
    if (plan.kind !== "nav") return checkedArray(udf, plan, data, shape);
    const valid = chosen
      ? selection.indices!.reduce(gather(this.damage), new Uint8Array(shape[0]!))
      : this.damage.slice();
    if (!plan.compressed) markMissing(data, valid, plan);
    return checkedArray(udf, plan, data, shape, valid);
  }
}

function gather(from: Uint8Array) {
  return (to: Uint8Array, position: number, i: number): Uint8Array => {
    to[i] = from[position]!;
    return to;
  };
}

function isNav({ kind, offset }: BufferPlan): boolean {
  return kind === "nav" && offset !== undefined;
}

function copyRows({ entry, dtype }: BufferPlan, to: TypedArray, from: TypedArray, rows: Uint32Array): void {
  const unit = dtypeInfo(dtype).kind === "c" ? 2 * entry : entry;
  const contiguous = rows.length > 0 && rows.at(-1)! - rows[0]! === rows.length - 1;
  if (contiguous) to.set(from as never, rows[0]! * unit);
  else rows.forEach((row, i) => to.set(from.subarray(i * unit, (i + 1) * unit) as never, row * unit));
}

/** Positions without a result show NaN where the dtype has one. */
function markMissing(data: TypedArray, valid: Uint8Array, { dtype, entry }: BufferPlan): void {
  const { kind } = dtypeInfo(dtype);
  if (kind !== "f" && kind !== "c") return;
  const unit = kind === "c" ? 2 * entry : entry;
  valid.forEach((ok, i) => {
    if (!ok) (data as Float64Array).fill(NaN, i * unit, (i + 1) * unit);
  });
}

function checkedArray(
  udf: string,
  plan: BufferPlan,
  data: TypedArray,
  shape: number[],
  valid?: Uint8Array,
): NdArray {
  if (data.constructor !== zeros(plan.dtype, 0).constructor) {
    const text =
      `UDF "${udf}": buffer "${plan.name}" is declared ${plan.dtype}, results() gave a ${data.constructor.name}`;
    throw new TilewiseError("udf", text, { udf, expected: plan.dtype, found: data.constructor.name });
  }
  return ndarray(data, shape, plan.dtype, valid);
}

function checkResult(udf: string, name: string, plans: readonly BufferPlan[]): void {
  const plan = plans.find((candidate) => candidate.name === name);
  if (plan?.visible) return;
  const text = plan
    ? `UDF "${udf}": results() returned the private buffer "${name}"`
    : `UDF "${udf}": results() returned "${name}", which is not declared; declare it with use: "result"`;
  throw new TilewiseError("udf", text, { udf });
}

function onHeap(set: SetPlan, u: number, merged: Buffers): Buffers {
  const others = set.udfs[u]!.filter((plan) => plan.kind !== "nav" && plan.offset !== undefined);
  return Object.fromEntries(others.map(({ name }) => [name, copyOf(merged[name]!)]));
}

/** A copy outside shared memory. */
function copyOf(array: TypedArray): TypedArray {
  const copy = new (array.constructor as new (length: number) => TypedArray)(array.length);
  copy.set(array as never);
  return copy;
}

function blank(set: SetPlan, u: number): Buffers {
  const others = set.udfs[u]!.filter((plan) => plan.kind !== "nav" && plan.offset !== undefined);
  const length = (plan: BufferPlan) => plan.kind === "sig" ? plan.entry * set.pixels : plan.entry;
  return Object.fromEntries(others.map((plan) => [plan.name, zeros(plan.dtype, length(plan))]));
}

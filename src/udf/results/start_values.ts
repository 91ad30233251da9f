/**
 * The buffers of a UDF on the side that collects results: the whole scan, on the heap, with their start values.
 *
 * @module
 */

import { noAccess } from "../../channels/launch/access.ts";
import { TilewiseError } from "../../errors.ts";
import { box } from "../../space/box.ts";
import { identityOf } from "../../space/numbers.ts";
import { type TypedArray, zeros } from "../../space/dtype.ts";
import type { BufferPlan, ObjectPlan } from "../interface/buffer_plan.ts";
import { guarded, unchanged } from "../interface/guard.ts";
import { startRuled } from "../buffers/merge_partials.ts";
import { type AllBuffers, emptyObjects } from "../buffers/object_buffers.ts";
import type { ObjectRows } from "../interface/objects.ts";
import type { UdfPlan } from "../plan/plan_facts.ts";
import type { UdfContext } from "../interface/udf.ts";

/** The buffers of UDF `u` that have to be kept from the start: all of them only if they do not start with zeros. */
export function keptBuffers(plan: UdfPlan, u: number): AllBuffers {
  return startBuffers(plan, u, plan.udfs[u]!.udf.preprocess === undefined);
}

/** Buffers of UDF `u` for the whole scan, or only its nav buffers, with the values that `preprocess` writes. */
export function startBuffers(plan: UdfPlan, u: number, onlyNav: boolean = false): AllBuffers {
  const { udf } = plan.udfs[u]!;
  const isKept = ({ kind }: BufferPlan | ObjectPlan) => kind === "nav" || !onlyNav;
  const numbers = plan.set.udfs[u]!.filter((own) => own.offset !== undefined && isKept(own));
  const buffers: Record<string, TypedArray> = {};
  for (const own of numbers) buffers[own.name] = zeros(own.dtype, own.entry * rowsOf(plan, own));
  startRuled(numbers, buffers);
  const objects = startObjects(plan, plan.set.objects[u]!.filter(isKept));
  if (udf.preprocess) {
    guarded(
      udf.name,
      "preprocess() on the main side",
      () => {
        const work = () => udf.preprocess!(buffers, mainContext(plan, u, objects));
        return unchanged(udf.name, "preprocess()", buffers, work);
      },
      { plans: plan.set.udfs[u]!, objects: plan.set.objects[u]! },
    );
  }
  return { buffers, objects };
}

/** The nav buffers of numbers in which `preprocess` has written, of all that `buffers` has at the start. */
export function writtenNav(plan: UdfPlan, u: number, { buffers }: AllBuffers): ReadonlySet<string> {
  if (!plan.udfs[u]!.udf.preprocess) return new Set();
  const isWritten = ({ name, kind, merge, dtype }: BufferPlan) => {
    const start = identityOf(merge ?? "sum", dtype);
    return kind === "nav" && buffers[name]?.some((value: number | bigint) => value !== start);
  };
  return new Set(plan.set.udfs[u]!.filter(isWritten).map(({ name }) => name));
}

/** Entries of a buffer for the whole scan. */
function rowsOf(
  { dataset, roi }: UdfPlan,
  { kind, compressed }: Pick<BufferPlan, "kind" | "compressed">,
): number {
  if (kind === "nav") return compressed ? roi.count : dataset.frames;
  return kind === "sig" ? dataset.pixels : 1;
}

function startObjects(plan: UdfPlan, plans: readonly ObjectPlan[]): AllBuffers["objects"] {
  const objects: Record<string, ObjectRows> = {};
  for (const own of plans.filter(({ resultOnly }) => !resultOnly)) {
    objects[own.name] = emptyObjects([own], rowsOf(plan, own), rowsOf(plan, own))[own.name]!;
  }
  return objects;
}

/** The context of `preprocess` on this side: no memory of kernels, no scratch, no task data. */
function mainContext(plan: UdfPlan, u: number, objects: AllBuffers["objects"]): UdfContext {
  const { dataset, roi, scheme } = plan;
  const { meta, udf, constants, aux } = plan.udfs[u]!;
  const { sigShape, frames } = dataset;
  return {
    meta,
    get kernels(): never {
      const text =
        `UDF "${udf.name}": the whole buffers that preprocess() sees on the main side are not in the ` +
        `memory of the kernels; use kernels where context.side is "worker"`;
      throw new TilewiseError("udf", text, { udf: udf.name });
    },
    constants,
    scratch: {},
    aux: Object.fromEntries(Object.entries(aux).map(([name, { data }]) => [name, data])),
    objects,
    taskData: undefined,
    partition: {
      index: -1,
      start: 0,
      stop: frames,
      slice: box([0, ...sigShape.map(() => 0)], [roi.count, ...sigShape]),
    },
    tiling: { depth: scheme.depth, slices: scheme.slices },
    files: noAccess(`UDF "${udf.name}"`, 'it has them where context.side is "worker"').files(0),
    device: "cpu",
    side: "main",
  };
}

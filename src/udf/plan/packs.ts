/**
 * The packs of kernels that a run needs; they are loaded while it is planned, and workers get these packs alone.
 *
 * @module
 */

import type { FrameLayout } from "../../dataset/layout/layout.ts";
import { readingPacks } from "../../dataset/storage/kinds.ts";
import { TilewiseError } from "../../errors.ts";
import type { KernelFamily } from "../../kernels/families/families.ts";
import { inWords } from "../../options.ts";
import type { Pack } from "../../kernels/families/packs.ts";
import { CONVERSION_KERNELS, inOrder, isFamily, packsOf } from "../../kernels/pack_names.ts";
import { guarded } from "../interface/guard.ts";
import type { DataMeta, Udf, UdfMeta } from "../interface/udf.ts";
import { widerDType } from "../worker/widen.ts";
import type { ExecutionPlan } from "./execution_plan.ts";

/** The families that correct samples, see `worker/corrector.ts`. */
export const CORRECTION_KERNELS: readonly KernelFamily[] = [
  "correct_f32",
  "correct_f64",
  "correct_pairs",
  "patch",
];

/** The families that make sparse tiles, see `worker/tile_forms.ts`, and compute with them. */
export const FORM_KERNELS: readonly KernelFamily[] = [
  "csr_dense",
  "csr_cut",
  "dense_csr",
  "csr_csc",
  "csr_coo",
  "csr_sum_frames",
  "csr_sum_pixels",
  "csr_dot_i16",
  "csr_dot_f32",
  "csr_dot_f64",
  "csr_dot_seq",
];

/** The packs of the kernels that a UDF says it calls for this data. */
export function udfPacks({ name, kernels = [] }: Pick<Udf, "name" | "kernels">, data: DataMeta): Pack[] {
  const families = typeof kernels === "function" ? guarded(name, "kernels()", () => kernels(data)) : kernels;
  if (!Array.isArray(families)) {
    const text = `UDF "${name}": kernels is ${inWords(families)}; it must be a list such as ["fft2"]`;
    throw new TilewiseError("udf", text, { udf: name, option: "kernels", found: inWords(families) });
  }
  const strange = families.find((family) => !isFamily(family));
  if (strange === undefined) return packsOf(families);
  const text = `UDF "${name}": there is no family of kernels "${strange}", which its member kernels names`;
  throw new TilewiseError("udf", text, { udf: name, option: "kernels", found: strange });
}

/** What decides which packs a run needs. */
interface PackNeeds {
  /** The frames that are read. */
  readonly layout: FrameLayout;
  /** Whether they are corrected. */
  readonly corrected: boolean;
  /** The forms in which tiles are made. */
  readonly execution: ExecutionPlan;
  /** The UDFs. */
  readonly udfs: readonly { readonly udf: Udf; readonly meta: UdfMeta }[];
}

/** Whether a UDF gets samples of another type than the stored one. */
function isConverted({ udf, meta }: PackNeeds["udfs"][number]): boolean {
  return udf.raw ? widerDType(udf, meta) !== undefined : meta.inputDType !== meta.datasetDType;
}

/** The packs of a run. */
export function runPacks({ layout, corrected, execution, udfs }: PackNeeds): Pack[] {
  const isDense = execution.source === "dense" && execution.backends.every((form) => form === "dense");
  const families: KernelFamily[] = [
    ...(corrected ? CORRECTION_KERNELS : []),
    ...(isDense ? [] : FORM_KERNELS),
    ...(corrected || !isDense || udfs.some(isConverted) ? CONVERSION_KERNELS : []),
  ];
  return inOrder([
    ...readingPacks(layout),
    ...packsOf(families),
    ...udfs.flatMap(({ udf, meta }) => udfPacks(udf, meta)),
  ]);
}

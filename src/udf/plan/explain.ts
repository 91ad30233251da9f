/**
 * Describes a plan in text.
 *
 * @module
 */

import { showAccount } from "../../memory/account.ts";
import { showShape } from "../../space/shape.ts";
import { formatBytes } from "../../space/size.ts";
import { guarded } from "../interface/guard.ts";
import type { FactsOf } from "../../runner/plan.ts";
import type { UdfPlan } from "./plan_facts.ts";
import { widerDType } from "../worker/widen.ts";

/** What `plan.explain()` prints. */
export function explainPlan(plan: FactsOf<UdfPlan>): string {
  return [
    ...dataLines(plan),
    ...correctionLines(plan),
    ...cullingLines(plan),
    ...plan.udfs.map(udfLine),
    ...plan.udfs.flatMap(derivedLine),
    ...backendLines(plan),
    ...tileLines(plan),
    ...(plan.pages ? [plan.pages.line(plan.memory.window > 0)] : []),
    ...memoryLines(plan),
  ].join("\n");
}

function dataLines(plan: FactsOf<UdfPlan>): string[] {
  const { dataset, selection, bytesToRead } = plan;
  const roi = selection.indices
    ? `, ${selection.indices.length} of ${dataset.frames} positions selected`
    : "";
  return [
    `data       ${dataset.source}: ${dataset}${roi}`,
    `read       ${formatBytes(bytesToRead)} in ${partitionWords(plan)}`,
  ];
}

function partitionWords({ partitions, selection, leaf }: FactsOf<UdfPlan>): string {
  const count = `${partitions.length} partition${partitions.length === 1 ? "" : "s"}`;
  if (!selection.indices) {
    const longest = partitions.reduce((most, { start, stop }) => Math.max(most, stop - start), 0);
    return `${count} of ${longest} frames`;
  }
  if (partitions.length === 0) return count;
  const sizes = partitions.map(({ selected }) => selected);
  const [least, most] = [Math.min, Math.max].map((pick) => sizes.reduce((a, b) => pick(a, b)));
  return `${count} of ${least === most ? most : `${least} to ${most}`} selected frames, ` +
    `cut where the merge tree over groups of ${leaf} may be cut`;
}

function cullingLines({ culling, dataset, bytesToRead }: FactsOf<UdfPlan>): string[] {
  const { box, frameBytes, why } = culling;
  if (why) return [`cull       nothing: ${why}`];
  if (!box) return [];
  const [first, end] = [box.origin[0]!, box.origin[0]! + box.shape[0]!];
  const { storedBytes } = dataset.layout;
  const saved = bytesToRead / frameBytes * (storedBytes - frameBytes);
  return [
    `cull       only rows ${first} to ${end - 1} of ${dataset.sigShape[0]} are needed: of ${
      formatBytes(storedBytes)
    } a frame ${formatBytes(frameBytes)} are read; ${formatBytes(saved)} stay unread`,
  ];
}

function correctionLines({ corrections, supplied, nativeDType }: FactsOf<UdfPlan>): string[] {
  if (!corrections) return [];
  const { dark, gain, excluded = [] } = corrections;
  const what = [
    ...(dark ? ["minus the dark frame"] : []),
    ...(gain ? ["times the gain map"] : []),
    ...(excluded.length > 0 ? [`${excluded.length} dead pixels from their neighbours`] : []),
  ];
  const by = supplied
    ? 'the data set supplies them, corrections: "none" leaves them out'
    : "as the caller said";
  return [
    `correct    samples, now ${nativeDType}: ${what.join(", ") || "nothing"}; ${by}`,
    ...(supplied ?? []).map((source) => `           ${source}`),
  ];
}

function udfLine({ key, method, meta, tree, udf }: UdfPlan["udfs"][number]): string {
  const takes = meta.backend !== "dense"
    ? `${meta.inputDType} as ${meta.backend}`
    : udf.raw
    ? `${meta.nativeDType} ${widerDType(udf, meta) ? `from ${meta.datasetDType}` : "as stored"}`
    : meta.inputDType;
  const note = guarded(udf.name, "explain()", () => udf.explain?.(meta));
  const order = tree ? "merged in a tree over frames" : "merged by partition";
  return `compute    ${key}: ${udf.name}, one call a ${method}, takes ${takes}, ${order}${
    note ? `, ${note}` : ""
  }`;
}

/** The line about derived results of a UDF. */
function derivedLine({ key, derivations }: UdfPlan["udfs"][number]): string[] {
  if (derivations.length === 0) return [];
  const names = derivations.flatMap(({ declared }) => declared.map(([name]) => name));
  const what = names.length > 0 ? names.join(", ") : "results that are not declared";
  return [`derive     ${key}: ${what}, made of its results on this thread`];
}

/** The lines about the forms of tiles; none if all tiles are dense. */
function backendLines({ execution: { groups } }: FactsOf<UdfPlan>): string[] {
  if (groups.every(({ chain }) => chain.length === 1 && chain[0] === "dense")) return [];
  return groups.map(({ why }) => `form       ${why}`);
}

function tileLines({ scheme, memory, warnings, decodes }: FactsOf<UdfPlan>): string[] {
  const reads = memory.readWhole ? "whole frames are read" : "each part is read by itself";
  return [
    `tiles      ${showShape(scheme.tileShape)}, ${scheme.slices.length} to a frame; ${reads}`,
    ...scheme.why.map((reason) => `           ${reason}`),
    ...(decodes ? [decodes.line] : []),
    ...[...warnings, ...scheme.warnings].map((warning) => `warning    ${warning}`),
  ];
}

function memoryLines({ memory, context }: FactsOf<UdfPlan>): string[] {
  return [
    ...(memory.inline ? ["thread     this one: a copy of the samples for workers does not fit"] : []),
    `memory     ${showAccount(memory, context)}`,
  ];
}

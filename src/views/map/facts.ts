/**
 * The facts of a planned operation over views, as fields and as text.
 *
 * @module
 */

import { showAccount } from "../../memory/account.ts";
import { insideOf } from "../../runner/context.ts";
import type { FactsOf } from "../../runner/plan.ts";
import { axisInWords } from "../../space/meaning/axes.ts";
import { isUsual, valuesInWords } from "../../space/meaning/values.ts";
import { type NDArray, ndarray } from "../../space/ndarray.ts";
import { storedShape } from "../array.ts";
import { showBorders } from "../../space/border.ts";
import type { DType } from "../../space/dtype.ts";
import { covers, showHalo } from "../../space/halo.ts";
import { showShape, sizeOf } from "../../space/shape.ts";
import { formatBytes } from "../../space/size.ts";
import type { MapPlan, StepFacts } from "./map_plan.ts";
import { stepsOf } from "../operations/chain.ts";

/** The result of a plan with these samples, and what it says of itself. */
export function resultOfPlan<D extends DType>(plan: MapPlan<D>, data: NDArray<D>["data"]): NDArray<D> {
  const { shape, dtype, axes, values, views: { array } } = plan;
  return {
    ...ndarray(data, storedShape(shape, array), dtype),
    ...(axes && !array.isScalar ? { axes } : {}),
    ...(isUsual(values, dtype) ? {} : { values }),
  };
}

/** The result of a plan, as targets see it. */
export function arrayOfPlan({ shape, dtype, axes, values, views: { array } }: MapPlan, stem: string) {
  const { nav, dtype: source, isScalar } = array;
  return {
    shape,
    dtype,
    axes,
    values,
    source,
    stem,
    ...(nav === undefined ? {} : { nav }),
    ...(isScalar ? { isScalar } : {}),
  };
}

/** One line per decision. */
export function explainMap(plan: FactsOf<MapPlan>): string {
  const { operation, facts, views, dtype, traversal, blocks, memory, context } = plan;
  const { array, grid, halo, borders, fill, shape, byteLength } = views;
  const outside = showBorders(borders, fill);
  const wider = covers(facts.halo, halo) ? "" : `, of which it uses ${showHalo(facts.halo)}`;
  const order = blocks.kind === "bands" ? "from the first to the last" : "as they are computed";
  return [
    `${operation.name} over ${showShape(array.shape)} ${array.dtype}: ${showShape(plan.shape)} ${dtype}`,
    ...explainResult(plan),
    ...explainAlong(plan),
    ...plan.steps.map(explainStep),
    `${sizeOf(grid.counts)} tiles of ${showShape(grid.tile)}, ${traversal.name}, with a halo of ${
      showHalo(halo)
    }${wider}; border ${outside}`,
    `views of ${showShape(shape)}: ${formatBytes(byteLength)} each`,
    `${sizeOf(blocks.counts)} ${blocks.kind} of ${showShape(blocks.shape)} leave ${order}`,
    `memory: ${showAccount(memory, insideOf(context))}`,
  ].join("\n");
}

/** What the result says of itself. */
function explainResult({ values, axes = [], shape, views: { array } }: FactsOf<MapPlan>): string[] {
  const words = valuesInWords(values);
  const lost = array.values?.missing !== undefined && values.missing === undefined
    ? [`samples that are ${array.values.missing} are missing: they count as numbers here`]
    : [];
  const known = axes.flatMap((axis, d) => {
    const facts = axisInWords(axis);
    return facts === "" ? [] : [`axis ${axis.name ?? d}: ${shape[d]} samples${facts}`];
  });
  return [...(words === "" ? [] : [`values: ${words}`]), ...lost, ...known];
}

/** Along which dimensions images are seen, where these are not all. */
function explainAlong({ operation, views: { array } }: FactsOf<MapPlan>): string[] {
  const along = stepsOf(operation).find((step) => step.along)?.along;
  if (!along) return [];
  const names = along.dims.map((d) => array.axes?.[d]?.name ?? `dimension ${d}`);
  return [`along ${names.join(", ")}: each image of the other dimensions by itself`];
}

function explainStep({ name, facts: { halo, dtype, result }, made }: StepFacts, n: number): string {
  const seen = [...halo.front, ...halo.back].some((r) => r > 0) ? `halo of ${showHalo(halo)}` : "no halo";
  return `step ${n + 1}, ${name}: ${dtype} to ${result}, ${seen}, ${showShape(made)} samples per tile`;
}

/**
 * What the whole measurement equation needs in a cube: sources, terms, and what follows after the sum.
 *
 * @module
 */

import type { ArraySchema } from "../../hypercube/cube/cube.ts";
import { CIRCULAR, LINEAR } from "../predict/correlations.ts";
import { CHUNK, GROUP, isDense, predictArrays, type PredictSettings } from "../predict/options.ts";
import { finishArrays, type FinishOptions } from "../terms/finish.ts";
import { complexOf, type Feed, type JonesTerm, realOf } from "../terms/term.ts";
import { termArrays } from "../terms/terms.ts";

/** What all tiles share. */
export interface EquationSettings {
  /** Sources, rows, channels, precision. */
  readonly predict: PredictSettings;
  /** The terms, prepared. */
  readonly terms: readonly JonesTerm[];
  /** What follows after the sum. */
  readonly finish: FinishOptions;
}

/** The correlations of a kind of feed. */
export function correlationsOf(feed: Feed): PredictSettings["correlations"] {
  return feed === "linear" ? LINEAR : CIRCULAR;
}

/** The feeds of four correlations; nothing for others. */
export function feedWith({ correlations }: Pick<PredictSettings, "correlations">): Feed | undefined {
  const names = correlations.join();
  return names === LINEAR.join() ? "linear" : names === CIRCULAR.join() ? "circular" : undefined;
}

/** Whether each source has matrices of its own at each antenna. */
export function hasMatrices({ terms }: EquationSettings): boolean {
  return terms.length > 0;
}

/** The arrays of a cube; dimensions are those of `predictArrays`, and `ncorr`. */
export function equationArrays(settings: EquationSettings): ArraySchema[] {
  const { predict, terms, finish } = settings;
  const rows = isDense(predict) ? ["ntime", "nbl"] : ["nrow"];
  const index = (name: string): ArraySchema => ({ name, shape: rows, dtype: "int32", role: "temporary" });
  const all = [
    ...predictArrays(predict),
    ...termArrays(terms, predict.precision),
    ...finishArrays(finish, rows, predict.precision),
    ...(hasMatrices(settings) ? matrices(settings) : []),
    ...(finish.gains ? ["work_antenna1", "work_antenna2", "work_times"].map(index) : []),
  ];
  return [...new Map(all.map((array) => [array.name, array])).values()];
}

/** The matrices of 32 sources at one time, and as planes of one vector of channels. */
function matrices({ predict: { precision } }: EquationSettings): ArraySchema[] {
  const dtype = realOf(precision);
  const planes: ArraySchema["shape"] = ["na", 8 * GROUP, precision === "f64" ? 2 : 4];
  return [
    { name: "work_jones", shape: [GROUP, "na", "nchan", 4], dtype: complexOf(precision), role: "temporary" },
    { name: "work_left", shape: planes, dtype, role: "temporary" },
    { name: "work_right", shape: planes, dtype, role: "temporary" },
    { name: "work_matrix_weights", shape: [4 * CHUNK * GROUP], dtype, role: "temporary" },
  ];
}

/**
 * The manifest that `map` leaves beside its result: what was read, what was computed, and the digest of what came out.
 *
 * @module
 */

import { kernelsDigest } from "../../kernels/digest.ts";
import { showBorders } from "../../space/border.ts";
import { sizeOf } from "../../space/shape.ts";
import { type ManifestResult, plainValue } from "../../udf/results/manifest.ts";
import { stepsOf } from "../../views/operations/chain.ts";
import { anything, count, fields, list, name, optional, shape, text } from "../manifests/fields.ts";
import { inputsOf } from "../manifests/compare.ts";
import { formOf, type Said } from "../manifests/file.ts";
import type { Arguments } from "../shell/args.ts";
import type { Planned } from "./request.ts";
import { mapModules, wordsOf } from "./words.ts";

/** The result of a command: `image`, or the name of a reduction. */
export type MapResult = Omit<ManifestResult, "udf">;

/** The form of these manifests. */
export const MAP_FORM = formOf("map", {
  /** The array, as it was opened. */
  dataset: fields({
    source: text,
    array: text,
    format: name,
    shape,
    dtype: name,
    level: count,
    box: optional(fields({ origin: shape, shape })),
  }),
  /** The filters, first to last, with all their parameters. */
  filters: list(fields({ name, params: anything })),
  /** What becomes of their result, if it is not the result itself: a table, or labels. */
  reduction: optional(fields({ name, params: anything })),
  /** What filters see around a tile, and outside of the array. */
  views: fields({ radius: shape, border: text }),
  /** How it was computed; the result does not depend on it. */
  plan: fields({ tile: shape, tiles: count, traversal: text, workers: count, peakBytes: count }),
});

/** SHA-256 of the kernels that make a result: of those of the plan, and of what makes tables and labels of it. */
export async function mapKernelsDigest({ asked, plan }: Pick<Planned, "asked" | "plan">): Promise<string> {
  return await kernelsDigest([...plan.packs, ...(asked.words.reduction ? ["regions" as const] : [])]);
}

/** What the manifest says. */
export async function saidOfMap(
  { asked, plan }: Pick<Planned, "asked" | "plan">,
  results: readonly MapResult[],
  args: Arguments,
): Promise<Said<typeof MAP_FORM.own>> {
  const { files, part } = asked;
  const [file] = files;
  const { source, array, detection: { format }, dtype, level } = file;
  const { words: { filters, reduction } } = asked;
  const { views: { grid, halo, borders, fill }, memory, traversal } = part?.whole ?? plan;
  const own = {
    dataset: { source, array, format, shape: file.shape, dtype, level, ...(part ? { box: part.box } : {}) },
    filters: await Promise.all(
      (filters ? stepsOf(filters) : []).map(async ({ name, params }) => {
        return { name, params: await plainValue(params) };
      }),
    ),
    ...(reduction ? { reduction: { name: reduction.row.name, params: reduction.values } } : {}),
    views: { radius: halo.front, border: showBorders(borders, fill) },
    plan: {
      tile: grid.tile,
      tiles: sizeOf(grid.counts),
      traversal: traversal.name,
      workers: memory.workers,
      peakBytes: memory.total,
    },
  };
  const kernels = await mapKernelsDigest({ asked, plan });
  const inputs = (await Promise.all(files.map(inputsOf))).flat();
  const modules = mapModules(wordsOf(args));
  return { kernels, inputs, own, results, modules };
}

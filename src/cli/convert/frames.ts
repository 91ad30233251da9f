/**
 * Conversions to files of frames one after another: workers write the frames that they read, selected, corrected, or as another type.
 *
 * @module
 */

import type { StoredDataset } from "../../dataset/dataset.ts";
import { startSha256 } from "../../io/hash.ts";
import { PartFiles } from "../../io/write/write.ts";
import { mustBeTarget } from "../../sinks/registry.ts";
import { filesOfRows } from "../../sinks/rows/stream.ts";
import { type Exported, exportPlan } from "../../udf/run/export_dataset.ts";
import { outDtype } from "../flags/out_dtype.ts";
import { parseCorrections } from "../inputs/run_inputs.ts";
import { manifestIn, namesBeside, preparedPlace } from "../manifests/files.ts";
import { said } from "../outputs/losses.ts";
import type { Arguments } from "../shell/args.ts";
import { resultOf, type Writing, type Written } from "./writing.ts";

/** Writes the frames. */
export async function convertFrames(
  dataset: StoredDataset,
  args: Arguments,
  { out, roi, opened, io, ...options }: Writing,
): Promise<Written> {
  const corrections = await parseCorrections(args, dataset);
  const [main, ...beside] = filesOfRows(mustBeTarget(out, "frames"), out);
  const place = await preparedPlace(out, { results: [main!], beside }, args, io);
  await using parts = new PartFiles();
  opened[Symbol.dispose]();
  const dtype = outDtype(args);
  const told = <M extends Exported>(made: M): M => ({ ...made, ...said(made.losses ?? "", out, dtype) });
  const hash = place.manifest === undefined ? undefined : startSha256();
  const plan = await exportPlan(dataset, out, {
    ...options,
    dtype,
    ...(roi === undefined ? {} : { roi }),
    ...(corrections ? { corrections } : {}),
    see: hash && ((samples) => void hash.update(samples)),
    beside: (made) =>
      namesBeside(parts, "convert", place, made.files, async () => ({
        result: resultOf(told(made), hash!.digest("hex")),
        inputs: await opened.inputs(dataset),
      }), args),
  });
  const made = await plan.run();
  return { ...told(made), ...manifestIn(place) };
}

/**
 * Conversions to files and folders of chunks.
 *
 * @module
 */

import type { StoredDataset } from "../../dataset/dataset.ts";
import { PartFiles } from "../../io/write/write.ts";
import { type StoringSink, withBeside } from "../../views/map/sink.ts";
import type { AnySink } from "../../views/map/map_plan.ts";
import { mapViews } from "../../views/map/map_views.ts";
import { copySamples } from "../../views/operations/copy_samples.ts";
import { fileSink } from "../../views/sinks/registry.ts";
import { castAfter } from "../flags/cast_after.ts";
import { outDtype } from "../flags/out_dtype.ts";
import { sinkOptions } from "../flags/sink_flags.ts";
import { blankFrames } from "../inputs/sources.ts";
import { seenFor } from "../manifests/seen.ts";
import { digestOfFile } from "../manifests/digest_of_file.ts";
import { manifestIn, namesBeside, preparedPlace } from "../manifests/files.ts";
import { lossesStored } from "../outputs/losses.ts";
import { bytesOf } from "../outputs/size.ts";
import { tileAdvance } from "../shell/progress.ts";
import type { Arguments } from "../shell/args.ts";
import { resultOf, type Writing, type Written } from "./writing.ts";

/** Writes all samples. */
export async function convertChunks(
  dataset: StoredDataset,
  args: Arguments,
  { out, opened, io, signal, context, onProgress }: Writing,
): Promise<Written> {
  const { shape, axes, values } = dataset, asked = outDtype(args), dtype = asked ?? dataset.dtype;
  const facts = { shape, dtype, axes, values, nav: dataset.navShape.length };
  const place = await preparedPlace(out, { results: [out], folders: true }, args, io);
  const seen = seenFor({ shape, dtype });
  const made = { files: [out], shape, dtype, ...await lossesStored(out, facts, asked) };
  const into = fileSink(out, sinkOptions(args));
  await using parts = new PartFiles();
  opened[Symbol.dispose]();
  const sink = withBeside(
    into as StoringSink,
    (path) =>
      namesBeside(parts, "convert", place, made.files, async () => ({
        result: resultOf(
          made,
          seen.isWhole ? seen.made().sha256! : await digestOfFile(path, out, { context, signal }),
        ),
        inputs: await opened.inputs(dataset),
      }), args),
    place.manifest === undefined ? undefined : (bytes) => seen.add(bytes),
  ) as AnySink;
  await mapViews(dataset, castAfter(undefined, args) ?? copySamples(), {
    sink,
    context,
    signal,
    onProgress: (progress) => onProgress(tileAdvance(progress, dataset.byteLength, "chunks")),
  });
  return {
    ...made,
    path: out,
    bytes: await bytesOf(out),
    blank: blankFrames(dataset),
    warnings: [],
    ...manifestIn(place),
  };
}

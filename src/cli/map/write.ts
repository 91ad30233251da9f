/**
 * Writes the result of `map`, then what lies beside it: a picture, and the manifest.
 *
 * @module
 */

import { toldOf } from "../../space/meaning/values.ts";
import type { Dataset } from "../../dataset/dataset.ts";
import { open } from "../../formats/open.ts";
import { mustBeUnchanged } from "../../io/unchanged.ts";
import { removal } from "../../io/write/together.ts";
import { PartFiles, type PendingFile, writeFilesAtomic } from "../../io/write/write.ts";
import type { PictureBeside } from "../../pictures/save.ts";
import { copySamples } from "../../views/operations/copy_samples.ts";
import { rowsFile } from "../../views/map/rows_file.ts";
import { arrayOf, sourcesOfArray } from "../../views/array.ts";
import {
  type AnySink,
  type Beside,
  type MapRunOptions,
  type StoringSink,
  withBeside,
} from "../../views/map/sink.ts";
import { targetAt } from "../../sinks/registry.ts";
import { rowTargetOf } from "../../sinks/rows/registry.ts";
import { isChunkPath } from "../../views/sinks/registry.ts";
import { outDtype } from "../flags/out_dtype.ts";
import { manifestPath, stemOf } from "../manifests/file.ts";
import { lossesStored } from "../outputs/losses.ts";
import { leftOver } from "../outputs/older_sets.ts";
import { prepareSet } from "../outputs/outputs.ts";
import type { Arguments } from "../shell/args.ts";
import type { CliIo } from "../shell/io.ts";
import type { Planned } from "./asked.ts";
import { digestOf, digestOfArray, SampleDigest } from "./digest.ts";
import { MEASURED, measured } from "./channels.ts";
import type { Columns } from "../reductions/reduction.ts";
import { isPng, isRows } from "./flags.ts";
import { tableFile, tableResult } from "./tables.ts";
import { orInLowTiles } from "./low_tiles.ts";
import { mapManifestFile, type MapResult } from "./manifest.ts";
import { pass } from "./pass.ts";
import {
  canBeShown,
  MOST_ALONE,
  MOST_BESIDE,
  mustBeShown,
  pictureFile,
  type SmallResult,
  smallResult,
} from "./picture.ts";

/** Where everything goes. */
export interface Places {
  /** The result. */
  readonly out: string;
  /** The picture beside it. */
  readonly picture?: string;
  /** The table of its labels in other channels. */
  readonly table?: string;
  /** The manifest beside it. */
  readonly manifest?: string;
}

/** What was written. */
export interface Written {
  /** The result first, then its picture. */
  readonly files: readonly Pick<PictureBeside, "path" | "reduced">[];
  /** The digest of the samples, if there is a manifest. */
  readonly sha256?: string;
  /** The table beside it. */
  readonly table?: MapResult;
  /** How many labels there are. */
  readonly count?: number;
}

/** The command line of a command, and what it tells. */
interface Told {
  readonly args: Arguments;
  readonly io: CliIo;
}

/** The paths for a result, checked before any work is done. */
export async function preparePlaces(
  out: string,
  { asked: { channels }, result: { shape } }: Planned,
  args: Arguments,
): Promise<Places> {
  const isPicture = isPng(out);
  if (isPicture) mustBeShown(out, shape);
  const hasPicture = !isPicture && !args.has("no-picture") && canBeShown(shape);
  const places = {
    out,
    ...(hasPicture ? { picture: `${stemOf(out)}.png` } : {}),
    ...(Object.keys(channels).length > 0 ? { table: `${stemOf(out)}.csv` } : {}),
    ...(args.has("no-manifest") ? {} : { manifest: manifestPath(out, out) }),
  };
  await prepareSet({ results: [out], files: filesOf(places) }, args, isChunkPath(out));
  return places;
}

/** All files of a result, itself first. */
function filesOf({ out, picture, table, manifest }: Places): string[] {
  return [out, picture, table, manifest].filter((file) => file !== undefined);
}

/** Computes the result and writes all files: they get their names together. */
export async function writeImage(planned: Planned, places: Places, told: Told): Promise<Written> {
  const { out } = places;
  const set = { results: [out], files: filesOf(places) };
  if (isPng(out)) {
    const made = await madePicture(planned, places, told);
    const { files, pending } = await besideResult(planned, places, made, told.args);
    await writeFilesAtomic(pending, await leftOver(set));
    return written(files, made);
  }
  await using parts = new PartFiles();
  let done: Written | undefined;
  const beside: Beside = async (path) => {
    const made = await describedResult(planned, places, path, digest?.hex(), told);
    const { files, pending, table } = await besideResult(planned, places, made, told.args);
    await parts.fill(pending);
    done = { ...written(files, made), ...(table ? { table } : {}) };
    const gone = await leftOver(set);
    for (const file of planned.asked.files) {
      await mustBeUnchanged(sourcesOfArray(arrayOf(file)), told.io.signal);
    }
    return [...parts.all, ...gone.map(removal)];
  };
  const { asked: { dataset }, sink } = planned;
  const digest = places.manifest !== undefined && isRows(out) ? new SampleDigest() : undefined;
  const into = digest
    ? rowsFile(rowTargetOf(out), out, (bytes) => digest.addBytes(bytes))
    : sink as StoringSink;
  const store = (settings: MapRunOptions) => planned.store(withBeside(into, beside) as AnySink, settings);
  const facts = await pass("map", dataset.byteLength, told, store);
  return { ...done!, ...facts };
}

function written(files: Written["files"], { sha256 }: Made): Written {
  return { files, ...(sha256 === undefined ? {} : { sha256 }) };
}

/** The files beside a result, and what they are called; the result first. */
async function besideResult(
  planned: Planned,
  places: Places,
  { small, sha256, columns }: Made,
  args: Arguments,
): Promise<Pick<Written, "files" | "table"> & { readonly pending: readonly PendingFile[] }> {
  const { out, picture, manifest } = places;
  const pictures = small ? [pictureOf(planned, small, picture ?? out, args)] : [];
  const files = isPng(out) ? pictures : [{ path: out }, ...pictures];
  const table = columns && await tableResult(MEASURED, places.table!, columns);
  const beside = [...pictures, ...(columns ? [tableFile(places.table!, columns)] : [])];
  const made = { files, ...(table ? { table } : {}) };
  if (manifest === undefined || sha256 === undefined) return { ...made, pending: beside };
  const { shape, dtype } = planned.result;
  const reduced = pictures[0]?.reduced;
  const row: MapResult = {
    result: "image",
    shape,
    dtype,
    ...toldOf(planned.result),
    sha256,
    files: files.map(({ path }) => path),
    ...(reduced === undefined ? {} : { reduced }),
    ...lossesStored(out, planned.result, outDtype(args)),
  };
  const results = [row, ...(table ? [table] : [])];
  return { ...made, pending: [...beside, await mapManifestFile(manifest, planned, results, args)] };
}

/** A result, as it is described beside it. */
interface Made {
  /** At a size for pictures. */
  readonly small?: SmallResult;
  /** The digest of its samples. */
  readonly sha256?: string;
  /** The table of its labels in other channels. */
  readonly columns?: Columns;
}

/** The result as a picture alone. */
async function madePicture(planned: Planned, { manifest }: Places, told: Told): Promise<Made> {
  const { asked: { dataset, operation, options, context }, result } = planned;
  const bytes = dataset.byteLength;
  const all = { ...options, context };
  const small = await pass(
    "map",
    bytes,
    told,
    (settings) => smallResult(dataset, operation, result, { ...all, ...settings, most: MOST_ALONE }),
  );
  if (manifest === undefined) return { small };
  if (small.n === 1) return { small, sha256: digestOfArray(small.array) };
  const sha256 = await pass(
    "digest",
    bytes,
    told,
    (settings) => digestOf(dataset, operation, { ...all, ...settings }),
  );
  return { small, sha256 };
}

/** What lies beside a complete result, which is at `path` until it gets its name. */
async function describedResult(
  planned: Planned,
  { out, picture, table, manifest }: Places,
  path: string,
  digest: string | undefined,
  told: Told,
): Promise<Made> {
  const isKnown = manifest === undefined || digest !== undefined;
  const known = digest === undefined ? {} : { sha256: digest };
  if (picture === undefined && table === undefined && isKnown) return known;
  const { asked: { context }, result: { values } } = planned;
  const result = await open(path, {
    format: targetAt(out, "results")!.format!,
    signal: told.io.signal,
  }) as Dataset;
  const { byteLength, shape } = result;
  const small = picture === undefined
    ? undefined
    : await pass("picture", byteLength, told, (settings) =>
      smallResult(result, copySamples(), { shape, values }, { context, ...settings, most: MOST_BESIDE }));
  const inMemory = small?.n === 1 ? { sha256: digestOfArray(small.array) } : undefined;
  const found = isKnown ? known : inMemory ?? {
    sha256: await pass(
      "digest",
      byteLength,
      told,
      (settings) =>
        orInLowTiles(shape, (tile) => digestOf(result, copySamples(), { context, ...settings, ...tile })),
    ),
  };
  const measures = await pass(
    "measure",
    byteLength,
    told,
    (settings) => measured(planned.asked, result, settings),
  );
  return { ...(small ? { small } : {}), ...found, ...(measures ? { columns: measures.columns } : {}) };
}

function pictureOf(
  { asked: { source }, result: { name, axes } }: Planned,
  small: SmallResult,
  path: string,
  args: Arguments,
) {
  return pictureFile(small, axes, path, `${name} of ${source}`, args);
}

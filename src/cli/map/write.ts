/**
 * Writes the result of `map`, then what lies beside it: a picture, and the manifest.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { defined } from "../../options.ts";
import { upsideDown } from "../../pictures/images.ts";
import type { AxisFacts } from "../../space/axes.ts";
import { toldOf } from "../../space/meaning/values.ts";
import type { StoredDataset } from "../../dataset/dataset.ts";
import { open } from "../../formats/open.ts";
import { mustBeUnchanged } from "../../io/unchanged.ts";
import { removal } from "../../io/write/together.ts";
import { PartFiles, writeFilesAtomic } from "../../io/write/write.ts";
import { filesOf, type PictureBeside } from "../../pictures/save.ts";
import { type Shape, showShape, sizeOf } from "../../space/shape.ts";
import { arrayOf, sourcesOfArray } from "../../views/array.ts";
import { type Beside, type StoringSink, withBeside } from "../../views/map/sink.ts";
import type { AnySink, MapRunOptions } from "../../views/map/map_plan.ts";
import { isChunkPath, targetAt } from "../../sinks/registry.ts";
import { lookFor, parseLook, wantsPictures } from "../flags/look.ts";
import { outDtype } from "../flags/out_dtype.ts";
import { stemOf } from "../manifests/file.ts";
import { type BesideResults, manifestOfForm, type OutputFiles, preparedPlace } from "../manifests/files.ts";
import { lossesStored } from "../outputs/losses.ts";
import { pass } from "../shell/progress.ts";
import type { Arguments } from "../shell/args.ts";
import type { CliIo } from "../shell/io.ts";
import type { Planned } from "./request.ts";
import { MEASURED, measured } from "./channels.ts";
import type { Columns } from "../../analyses/objects.ts";
import { isPng, isTable } from "./flags.ts";
import { tableFile, tableResult } from "./tables.ts";
import { MAP_FORM, type MapResult, saidOfMap } from "./manifest.ts";
import { readAgain } from "../manifests/digest_of_file.ts";
import { type Made, Seen, type SmallResult } from "../manifests/seen.ts";

/** Where everything goes. */
export interface Places extends OutputFiles {
  /** The result. */
  readonly out: string;
  /** The picture beside it. */
  readonly picture?: string;
  /** The table of its labels in other channels. */
  readonly table?: string;
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
interface CommandLine {
  readonly args: Arguments;
  readonly io: CliIo;
}

/** The paths for a result, checked before any work is done. */
export async function preparePlaces(
  out: string,
  { asked: { channels }, result: { shape } }: Planned,
  { args, io }: CommandLine,
): Promise<Places> {
  if (isTable(out)) return { ...await preparedPlace(out, { results: [out] }, args, io), out };
  const isPicture = isPng(out);
  if (isPicture) mustBeShown(out, shape);
  const hasPicture = !isPicture && wantsPictures(args) && canBeShown(shape);
  const own = {
    ...(hasPicture ? { picture: `${stemOf(out)}.png` } : {}),
    ...(Object.keys(channels).length > 0 ? { table: `${stemOf(out)}.csv` } : {}),
  };
  const wanted = { results: [out], beside: Object.values(own), folders: isChunkPath(out) };
  return { ...await preparedPlace(out, wanted, args, io), out, ...own };
}

/** Computes the result and writes all files: they get their names together. */
export async function writeImage(planned: Planned, places: Places, told: CommandLine): Promise<Written> {
  const { out } = places;
  const { asked: { dataset, files: sources }, sink } = planned;
  const seen = seenFor(planned, places);
  if (isPng(out)) {
    const see = (settings: MapRunOptions) => planned.store(({ data }) => seen!.add(data), settings);
    await pass("map", dataset.byteLength, told, see);
    const made = seen!.made();
    const { files, pending, gone } = await besideResult(planned, places, made, told.args);
    await writeFilesAtomic(pending, gone);
    return written(files, made);
  }
  await using parts = new PartFiles();
  let done: Written | undefined;
  const beside: Beside = async (path) => {
    const made = await describedResult(planned, places, path, seen, told);
    const { files, pending, gone, table } = await besideResult(planned, places, made, told.args);
    await parts.fill(pending);
    done = { ...written(files, made), ...defined({ table }) };
    for (const file of sources) {
      await mustBeUnchanged(sourcesOfArray(arrayOf(file)), told.io.signal);
    }
    return [...parts.all, ...gone.map(removal)];
  };
  const into = withBeside(sink as StoringSink, beside, seen && ((bytes) => seen.add(bytes))) as AnySink;
  const store = (settings: MapRunOptions) => planned.store(into, settings);
  const facts = await pass("map", dataset.byteLength, told, store);
  return { ...done!, ...facts };
}

/** What is to be made of the samples on their way; absent: nothing. */
function seenFor({ result }: Planned, { out, picture, manifest }: Places): Seen | undefined {
  const most = isPng(out) ? MOST_ALONE : picture === undefined ? undefined : MOST_BESIDE;
  const hasDigest = manifest !== undefined;
  return hasDigest || most !== undefined ? new Seen(result, { most, hasDigest }) : undefined;
}

function written(files: Written["files"], { sha256 }: Described): Written {
  return { files, ...defined({ sha256 }) };
}

/** The files beside a result, and what they are called; the result first. */
async function besideResult(
  planned: Planned,
  places: Places,
  { small, sha256, columns }: Described,
  args: Arguments,
): Promise<Pick<Written, "files" | "table"> & BesideResults> {
  const { out, picture } = places, { shape, dtype } = planned.result;
  const pictures = small ? [pictureOf(planned, small, picture ?? out, args)] : [];
  const files = isPng(out) ? pictures : [{ path: out }, ...pictures];
  const table = columns && await tableResult(MEASURED, places.table!, columns);
  const beside = [...pictures, ...(columns ? [tableFile(places.table!, columns)] : [])];
  const paths = files.map(({ path }) => path), reduced = pictures[0]?.reduced;
  const said = async () => {
    const row: MapResult = {
      result: "image",
      shape,
      dtype,
      ...toldOf(planned.result),
      sha256: sha256!,
      files: paths,
      ...defined({ reduced }),
      ...await lossesStored(out, planned.result, outDtype(args)),
    };
    return await saidOfMap(planned, [row, ...(table ? [table] : [])], args);
  };
  const written = [...new Set([out, ...beside.map(({ path }) => path)])];
  const { pending, gone } = await manifestOfForm(MAP_FORM, places, written, said, args);
  return { files, ...defined({ table }), pending: [...beside, ...pending], gone };
}

/** A result, as it is described beside it. */
interface Described extends Made {
  /** The table of its labels in other channels. */
  readonly columns?: Columns;
}

/** What lies beside a complete result, which is at `path` until it gets its name. */
async function describedResult(
  planned: Planned,
  places: Places,
  path: string,
  seen: Seen | undefined,
  told: CommandLine,
): Promise<Described> {
  const isSeen = seen === undefined || seen.isWhole;
  if (isSeen && places.table === undefined) return seen?.made() ?? {};
  const { format } = targetAt(places.out, "results")!;
  const result = await open(path, { format: format!, signal: told.io.signal }) as StoredDataset;
  const whole = isSeen ? seen : await seenAgain(planned, places, result, told);
  const measures = await pass(
    "measure",
    result.byteLength,
    told,
    (settings) => measured(planned.asked, result, settings),
  );
  return { ...whole?.made(), ...(measures ? { columns: measures.columns } : {}) };
}

/** Reads the samples of a complete result that were not seen on their way. */
async function seenAgain(
  planned: Planned,
  places: Places,
  result: StoredDataset,
  told: CommandLine,
): Promise<Seen> {
  const { asked: { context } } = planned, seen = seenFor(planned, places)!;
  await pass(
    "digest",
    result.byteLength,
    told,
    (settings) => readAgain(result, seen, { context, ...settings }),
  );
  return seen;
}

function pictureOf(
  { asked: { source }, result: { name, axes } }: Planned,
  small: SmallResult,
  path: string,
  args: Arguments,
) {
  return pictureFile(small, axes, path, `${name} of ${source}`, args);
}

/** Most pixels of a picture that is the only file of a result. */
const MOST_ALONE = 2 ** 22;
/** Most pixels of a picture beside a file with all samples: a look, which takes a fourth of the memory and time. */
const MOST_BESIDE = 2 ** 20;
/** Most images on a sheet. */
const MOST_IMAGES = 64;

/** Whether results of this shape are shown: as an image, or as a sheet of a few. */
function canBeShown(shape: Shape): boolean {
  return shape.length >= 2 && sizeOf(shape) > 1 && sizeOf(shape.slice(0, -2)) <= MOST_IMAGES;
}

/** The picture at `path`. */
function pictureFile(
  { array, n }: SmallResult,
  axes: readonly AxisFacts[],
  path: string,
  title: string,
  args: Arguments,
): PictureBeside {
  const options = { ...lookFor("", array, parseLook(args)), text: { Title: title } };
  const [file] = filesOf(axes.at(-2)?.upwards ? upsideDown(array) : array, path, options);
  return { ...file!, ...(n > 1 ? { reduced: n } : {}) };
}

/** Refuses results that no picture shows. */
function mustBeShown(out: string, shape: Shape): void {
  if (canBeShown(shape)) return;
  const text =
    `Cannot show ${showShape(shape)} samples in ${out}: a picture has up to ${MOST_IMAGES} images, of two ` +
    "dimensions; .npy, .zarr and .tif take any number";
  throw new TilewiseError("unsupported", text, { file: out, found: showShape(shape) });
}

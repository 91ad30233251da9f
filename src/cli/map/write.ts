/**
 * Writes the result of `map`, then what lies beside it: a picture, and the manifest.
 *
 * @module
 */

import { rm } from "node:fs/promises";
import type { Dataset } from "../../dataset/dataset.ts";
import { open } from "../../formats/open.ts";
import { writeFilesAtomic } from "../../io/write/write.ts";
import type { PictureBeside } from "../../pictures/save.ts";
import { copySamples } from "../../views/operations/copy_samples.ts";
import { npySeen } from "../../views/map/npy_file.ts";
import { isChunkSink } from "../../views/map/sink.ts";
import { manifestPath } from "../manifests/file.ts";
import { prepareOutputs } from "../outputs/outputs.ts";
import type { Arguments } from "../shell/args.ts";
import type { CliIo } from "../shell/io.ts";
import type { Planned } from "./asked.ts";
import { digestOf, SampleDigest } from "./digest.ts";
import { isNpy, isPng } from "./flags.ts";
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
  /** The manifest beside it. */
  readonly manifest?: string;
}

/** What was written. */
export interface Written {
  /** The result first, then its picture. */
  readonly files: readonly Pick<PictureBeside, "path" | "reduced">[];
  /** The digest of the samples, if there is a manifest. */
  readonly sha256?: string;
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
  { result: { shape } }: Planned,
  args: Arguments,
): Promise<Places> {
  const stem = out.replace(/\.zip$/i, "").replace(/(\.ome)?\.\w+$/i, "");
  const isPicture = isPng(out);
  if (isPicture) mustBeShown(out, shape);
  const picture = !isPicture && !args.has("no-picture") && canBeShown(shape) ? `${stem}.png` : undefined;
  const manifest = args.has("no-manifest") ? undefined : manifestPath(out, out);
  const beside = [picture, manifest].filter((file) => file !== undefined);
  await prepareOutputs([out], args, beside, !isNpy(out) && !isPicture);
  await prepareOutputs(beside, args);
  return { out, ...(picture ? { picture } : {}), ...(manifest ? { manifest } : {}) };
}

/** Computes the result and writes all files. */
export async function writeImage(planned: Planned, places: Places, told: Told): Promise<Written> {
  const { out, picture, manifest } = places;
  const made = isPng(out)
    ? await madePicture(planned, places, told)
    : await madeResult(planned, places, told);
  const { sha256 } = made;
  const files = made.small ? [pictureOf(planned, made.small, picture ?? out, told.args)] : [];
  const all = isPng(out) ? files : [{ path: out }, ...files];
  const pending = [...files];
  if (manifest !== undefined && sha256 !== undefined) {
    const { shape, dtype } = planned.result;
    const reduced = files[0]?.reduced;
    const paths = all.map(({ path }) => path);
    const row: MapResult = {
      result: "image",
      shape,
      dtype,
      sha256,
      files: paths,
      ...(reduced === undefined ? {} : { reduced }),
    };
    pending.push(await mapManifestFile(manifest, planned, [row], told.args));
  }
  await writeFilesAtomic(pending);
  const { count } = made;
  return {
    files: all,
    ...(sha256 === undefined ? {} : { sha256 }),
    ...(count === undefined ? {} : { count }),
  };
}

/** A result, as it is described beside it. */
interface Made {
  /** At a size for pictures. */
  readonly small?: SmallResult;
  /** The digest of its samples. */
  readonly sha256?: string;
  /** How many labels there are. */
  readonly count?: number;
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
  const sha256 = await pass(
    "digest",
    bytes,
    told,
    (settings) => digestOf(dataset, operation, { ...all, ...settings }),
  );
  return { small, sha256 };
}

/** The result in a file. What is beside an older one is removed, as it would describe the new one wrongly. */
async function madeResult(planned: Planned, { out, picture, manifest }: Places, told: Told): Promise<Made> {
  const { asked: { dataset, context }, sink } = planned;
  const digest = manifest !== undefined && !isChunkSink(sink) ? new SampleDigest() : undefined;
  const into = digest ? npySeen(out, (bytes) => digest.addBytes(bytes)) : sink!;
  const facts = await pass("map", dataset.byteLength, told, (settings) => planned.store(into, settings));
  for (const old of [picture, manifest]) if (old !== undefined) await rm(old, { force: true });
  if (picture === undefined && (manifest === undefined || digest)) {
    return { ...facts, ...(digest ? { sha256: digest.hex() } : {}) };
  }
  const result = await open(out, { signal: told.io.signal }) as Dataset;
  const all = { context };
  const seen = { shape: result.shape, values: planned.result.values };
  const small = picture === undefined
    ? undefined
    : await pass("picture", result.byteLength, told, (settings) =>
      smallResult(result, copySamples(), seen, { ...all, ...settings, most: MOST_BESIDE }));
  const sha256 = manifest === undefined ? undefined : digest?.hex() ??
    await pass(
      "digest",
      result.byteLength,
      told,
      (settings) => digestOf(result, copySamples(), { ...all, ...settings }),
    );
  return { ...facts, ...(small ? { small } : {}), ...(sha256 === undefined ? {} : { sha256 }) };
}

function pictureOf(
  { asked: { source }, result: { name } }: Planned,
  small: SmallResult,
  path: string,
  args: Arguments,
) {
  return pictureFile(small, path, `${name} of ${source}`, args);
}

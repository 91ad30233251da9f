/**
 * The manifest that `map` leaves beside its result: what was read, what was computed, and the digest of what came out.
 *
 * @module
 */

import type { PendingFile } from "../../io/write/write.ts";
import { kernelsDigest } from "../../kernels/digest.ts";
import type { Box } from "../../space/box.ts";
import { showBorders } from "../../space/border.ts";
import { type Shape, sizeOf } from "../../space/shape.ts";
import type { Glance } from "../../udf/results/digest.ts";
import { type ManifestCommand, type ManifestResult, plainValue } from "../../udf/results/manifest.ts";
import { VERSION } from "../../version.ts";
import { stepsOf } from "../../views/operations/chain.ts";
import {
  anything,
  type Check,
  COMMON,
  count,
  fields,
  list,
  mustHaveFields,
  name,
  optional,
  result,
  rule,
  shape,
  text,
} from "../manifests/fields.ts";
import { inputsOf } from "../manifests/compare.ts";
import { manifestBytes, manifestCommand } from "../manifests/file.ts";
import type { Arguments } from "../shell/args.ts";
import type { Planned } from "./request.ts";
import { mapModules, wordsOf } from "./words.ts";

/** The kind of this record, and its version. */
const MAP_MANIFEST = "tilewise-map-1";

/** The result of a command: `image`, or the name of a reduction. */
export type MapResult = Omit<ManifestResult, "udf">;

/** The manifest. */
export interface MapManifest {
  /** Its kind. */
  readonly manifest: typeof MAP_MANIFEST;
  /** The version of Tilewise. */
  readonly version: string;
  /** SHA-256 of the kernels that it needs: the modules of their packs, one after another. */
  readonly kernels: string;
  /** When it was made, as ISO 8601. */
  readonly created: string;
  /** The files that were read. */
  readonly inputs: readonly Glance[];
  /** The array, as it was opened. */
  readonly dataset: {
    readonly source: string;
    readonly array: string;
    readonly format: string;
    readonly shape: Shape;
    readonly dtype: string;
    readonly level: number;
    readonly box?: Box;
  };
  /** The filters, first to last, with all their parameters. */
  readonly filters: readonly { readonly name: string; readonly params: unknown }[];
  /** What becomes of their result, if it is not the result itself: a table, or labels. */
  readonly reduction?: { readonly name: string; readonly params: unknown };
  /** What filters see around a tile, and outside of the array. */
  readonly views: { readonly radius: Shape; readonly border: string };
  /** How it was computed; the result does not depend on it. */
  readonly plan: {
    readonly tile: Shape;
    readonly tiles: number;
    readonly traversal: string;
    readonly workers: number;
    readonly peakBytes: number;
  };
  /** The result. */
  readonly results: readonly MapResult[];
  /** The command. */
  readonly command: ManifestCommand;
}

const FIELDS: { readonly [K in keyof Required<MapManifest>]: Check } = {
  manifest: rule(MAP_MANIFEST, (value) => value === MAP_MANIFEST),
  ...COMMON,
  dataset: fields({
    source: text,
    array: text,
    format: name,
    shape,
    dtype: name,
    level: count,
    box: optional(fields({ origin: shape, shape })),
  }),
  filters: list(fields({ name, params: anything })),
  reduction: optional(fields({ name, params: anything })),
  views: fields({ radius: shape, border: text }),
  plan: fields({ tile: shape, tiles: count, traversal: text, workers: count, peakBytes: count }),
  results: list(fields(result)),
};

/** A manifest of `map`, with every field checked; `malformed` if it is not one. */
export function mapManifestIn(path: string, manifest: unknown): MapManifest {
  mustHaveFields(path, manifest, FIELDS);
  return manifest as MapManifest;
}

/** SHA-256 of the kernels that make a result: of those of the plan, and of what makes tables and labels of it. */
export async function mapKernelsDigest({ asked, plan }: Pick<Planned, "asked" | "plan">): Promise<string> {
  return await kernelsDigest([...plan.packs, ...(asked.words.reduction ? ["regions" as const] : [])]);
}

/** The manifest as a file at `path`. */
export async function mapManifestFile(
  path: string,
  { asked, plan }: Pick<Planned, "asked" | "plan">,
  results: readonly MapResult[],
  args: Arguments,
): Promise<PendingFile> {
  const { files, part } = asked;
  const [file] = files;
  const { source, array, detection: { format }, dtype, level } = file;
  const { words: { filters, reduction } } = asked;
  const { views: { grid, halo, borders, fill }, memory, traversal } = part?.whole ?? plan;
  const manifest: MapManifest = {
    manifest: MAP_MANIFEST,
    version: VERSION,
    kernels: await mapKernelsDigest({ asked, plan }),
    created: new Date().toISOString(),
    inputs: (await Promise.all(files.map(inputsOf))).flat(),
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
    results,
    command: await manifestCommand(args, mapModules(wordsOf(args))),
  };
  return { path, content: () => manifestBytes(manifest) };
}

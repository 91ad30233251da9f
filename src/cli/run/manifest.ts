/**
 * The manifest that `run` leaves beside its results, and `replay` reads.
 *
 * @module
 */

import { partsIn } from "../shell/several.ts";
import { RUN_SOURCES } from "./in_parts.ts";
import { TilewiseError } from "../../errors.ts";
import type { PendingFile } from "../../io/write/write.ts";
import type { Results } from "../../udf/interface/buffer_types.ts";
import { type PartialRun, type RunManifest, runManifest } from "../../udf/results/manifest.ts";
import type { UdfPlan } from "../../udf/plan/plan_facts.ts";
import type { Arguments } from "../shell/args.ts";
import type { ResultName } from "../outputs/named_results.ts";
import {
  anything,
  type Check,
  COMMON,
  count,
  digest,
  fields,
  list,
  mustHaveFields,
  name,
  optional,
  result,
  rule,
  shape,
  text,
  whole,
} from "../manifests/fields.ts";
import { manifestBytes, manifestCommand } from "../manifests/file.ts";
import { modulesIn, parseUdfs } from "../analyses/udf_args.ts";
import { reducedIn } from "../outputs/listed.ts";
import type { Losses } from "../outputs/losses.ts";
import type { ResultFiles } from "../outputs/saving.ts";

/** The kind of this record, and its version. */
const RUN_MANIFEST = "tilewise-run-1";

const origin = { module: optional(name), export: optional(name), sha256: optional(digest) };

/** Every field of a manifest. */
const MANIFEST: { readonly [K in keyof Required<RunManifest>]: Check } = {
  manifest: rule(RUN_MANIFEST, (value) => value === RUN_MANIFEST),
  ...COMMON,
  dataset: fields({
    source: text,
    format: name,
    navShape: shape,
    sigShape: shape,
    dtype: name,
    syncOffset: whole,
  }),
  udfs: list(
    fields({ key: name, name: text, ...origin, params: anything, derived: optional(fields(origin)) }),
  ),
  roi: optional(fields({ selected: count, sha256: digest })),
  corrections: anything,
  plan: fields({
    tileShape: shape,
    partitions: count,
    workers: count,
    bytesToRead: count,
    peakBytes: count,
  }),
  results: list(fields({ udf: name, ...result })),
  partial: optional(fields({ frames: count, framesTotal: count, damage: list(list(count)) })),
};

/** The manifest of a run, as a file beside its results. */
export async function manifestFile(
  path: string,
  plan: UdfPlan,
  results: Results,
  named: readonly (ResultName & Losses)[],
  saved: ResultFiles,
  args: Arguments,
  partial?: PartialRun,
): Promise<PendingFile> {
  const files = Object.fromEntries(named.map(({ udf, result, label }) => {
    const paths = (saved.get(label) ?? []).map(({ path }) => path);
    return [`${udf}.${result}`, paths];
  }));
  const reduced = Object.fromEntries(named.flatMap(({ udf, result, label }) => {
    const { reduced } = reducedIn(saved.get(label) ?? []);
    return reduced === undefined ? [] : [[`${udf}.${result}`, reduced]];
  }));
  const losses = Object.fromEntries(
    named.flatMap(({ udf, result, losses }) => losses === undefined ? [] : [[`${udf}.${result}`, losses]]),
  );
  const command = await manifestCommand(args, namedModules(partsIn(args, RUN_SOURCES).words));
  const manifest = await runManifest(plan, results, { command, files, reduced, losses });
  const all: RunManifest = partial ? { ...manifest, partial } : manifest;
  return { path, content: () => manifestBytes(all) };
}

/** The modules that the words of a command name, each once. */
export function namedModules(words: readonly string[]): string[] {
  return [...new Set(parseUdfs(words).flatMap(modulesIn))];
}

/** A manifest that has a command. */
export type Replayable = RunManifest & Required<Pick<RunManifest, "command">>;

/** A manifest that `run` wrote, with every field checked; `malformed` if it is not one. */
export function runManifestIn(path: string, manifest: object): Replayable {
  const { dataset, command, partial } = manifest as Partial<RunManifest>; // every field is checked below
  if (dataset?.format === "memory") throw ofMemory(path, dataset.source);
  if (command === undefined) {
    const text = `Cannot replay ${path}: it has no command, as it was not made by tilewise run`;
    throw new TilewiseError("unsupported", text, { file: path });
  }
  mustHaveFields(path, manifest, MANIFEST);
  if (partial) throw ofPart(path, partial);
  return manifest as Replayable;
}

function ofMemory(file: string, found: string): TilewiseError {
  const text =
    `Cannot replay ${file}: the run read an array in memory, which has no path to read it from again; ` +
    `save it (save, exportDataset) and run over the file`;
  return new TilewiseError("unsupported", text, { file, found });
}

function ofPart(file: string, { frames, framesTotal }: PartialRun): TilewiseError {
  const text = `Cannot replay ${file}: the run was interrupted after ${frames} of ` +
    `${framesTotal} frames, so that another one would not give the same; replay the manifest of a whole run`;
  return new TilewiseError("unsupported", text, { file, expected: framesTotal, found: frames });
}

/**
 * The manifest that `run` leaves beside its results, and `replay` reads.
 *
 * @module
 */

import { partsIn } from "../shell/several.ts";
import { RUN_SOURCES } from "./in_parts.ts";
import { cannot, type TilewiseError } from "../../errors.ts";
import type { PendingFile } from "../../io/write/write.ts";
import type { Results } from "../../udf/interface/buffer_types.ts";
import { type PartialRun, type RunManifest, runManifest } from "../../udf/results/manifest.ts";
import type { UdfPlan } from "../../udf/plan/plan_facts.ts";
import type { Arguments } from "../shell/args.ts";
import { reducedIn } from "../outputs/listed.ts";
import type { ResultName } from "../outputs/named_results.ts";
import {
  anything,
  type Check,
  count,
  digest,
  fields,
  list,
  name,
  optional,
  shape,
  text,
  whole,
} from "../manifests/fields.ts";
import { formOf, manifestBytes, manifestCommand, type Recorded } from "../manifests/file.ts";
import { modulesIn, parseUdfs } from "../analyses/udf_args.ts";
import type { Losses } from "../outputs/losses.ts";
import type { ResultFiles } from "../outputs/saving.ts";

const origin = { module: optional(name), export: optional(name), sha256: optional(digest) };

/** The fields of a manifest that are those of runs. */
type Own = Omit<Required<RunManifest>, keyof Recorded>;

/** The form of these manifests. */
export const RUN_FORM = formOf(
  "run",
  {
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
    partial: optional(fields({ frames: count, framesTotal: count, damage: list(list(count)) })),
  } satisfies { readonly [K in keyof Own]: Check },
  { udf: name },
);

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

/** Refuses runs that cannot be said again: of arrays in memory, of programs, and those that were interrupted. */
export function mustRepeat(path: string, manifest: object): void {
  const { dataset, command, partial } = manifest as Partial<RunManifest>; // every field is checked afterwards
  if (dataset?.format === "memory") throw ofMemory(path, dataset.source);
  if (command === undefined) {
    throw cannot("replay", path, "unsupported", "it has no command, as it was not made by tilewise run");
  }
  if (typeof partial?.frames === "number") throw ofPart(path, partial);
}

function ofMemory(file: string, found: string): TilewiseError {
  const text = "the run read an array in memory, which has no path to read it from again; " +
    `save it (save, exportDataset) and run over the file`;
  return cannot("replay", file, "unsupported", text, { found });
}

function ofPart(file: string, { frames, framesTotal }: PartialRun): TilewiseError {
  const text = `the run was interrupted after ${frames} of ` +
    `${framesTotal} frames, so that another one would not give the same; replay the manifest of a whole run`;
  return cannot("replay", file, "unsupported", text, { expected: framesTotal, found: frames });
}

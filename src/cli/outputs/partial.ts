/**
 * The files of a run, and those that take their place when it is interrupted: what there is then lies beside an older, whole
 * result, and does not replace it.
 *
 * ```
 * com.npy            com.run.json            out/sum.npy            out/sum.run.json
 * com.partial.npy    com.partial.run.json    out/sum.partial.npy    out/sum.partial.run.json
 *
 * com.npz            com.npz.run.json
 * com.partial.npz    com.partial.npz.run.json
 * ```
 *
 * @module
 */

import { existsSync } from "node:fs";
import { TilewiseError } from "../../errors.ts";
import type { PartialRun } from "../../udf/results/manifest.ts";
import type { CliIo } from "../shell/io.ts";
import { printable } from "../shell/io.ts";
import type { ResultName } from "./named_results.ts";
import { savedFiles } from "./safe_outputs.ts";

/** Where the results of a run go. */
export interface Outputs {
  /** The path of each result, by its label. */
  readonly paths: ReadonlyMap<string, string>;
  /** The path of the manifest. */
  readonly manifest: string;
}

/** The paths of results of an interrupted run. */
export function partialPlace({ paths, manifest }: Outputs): Outputs {
  const partial = (path: string) => path.replace(/(\.run)?\.\w+$/, ".partial$&");
  const named = [...paths.values()].find((path) => manifest === `${path}.run.json`);
  return {
    paths: new Map([...paths].map(([label, path]) => [label, partial(path)])),
    manifest: named === undefined ? partial(manifest) : `${partial(named)}.run.json`,
  };
}

/** Every file that a run writes there, or may write. */
export function allFiles({ paths, manifest }: Outputs): string[] {
  const own = [...new Set(paths.values())];
  return [...own.flatMap(savedFiles), manifest];
}

/** Refuses results of which two would have the same name, as of `a.ts` with the result `b`, and `a-b.ts`. */
export function refuseSameNames(named: readonly ResultName[]): void {
  const labels = named.map(({ label }) => label);
  const twice = labels.find((label, i) => labels.indexOf(label) !== i);
  if (twice === undefined) return;
  const text =
    `Cannot save two results as ${twice}: give one of the modules another name, or compute them in two commands`;
  throw new TilewiseError("invalid", text, { found: twice });
}

/** Reports how much was done, where it was saved, and that older results are unchanged. */
export function sayPartial(
  { frames, framesTotal }: PartialRun,
  whole: Outputs,
  place: Outputs,
  io: CliIo,
): void {
  const [first] = place.paths.values();
  const old = [...whole.paths.values()].find((path) => existsSync(path));
  io.err(
    `tilewise: interrupted after about ${frames} of ${framesTotal} frames; the partial result is kept in ` +
      `${printable(first ?? place.manifest)}${old === undefined ? "" : `, ${printable(old)} is as it was`}\n`,
  );
}

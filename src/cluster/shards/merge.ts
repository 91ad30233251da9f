/**
 * Merges the parts of a store into the results: joins first, sixteen parts at a time, then the rest.
 *
 * @module
 */

import { throwIfAborted, TilewiseError } from "../../errors.ts";
import { sinksRule } from "../../hypercube/providers/provider.ts";
import { text } from "../../options/rules.ts";
import { checkControl, type CubeSinks, type PartControl, type ReadyRun } from "../manifest/ready_run.ts";
import { type Join, workOf } from "../manifest/work.ts";
import { nodeName, type TreeNode } from "../store/node.ts";
import type { PartStore } from "../store/store.ts";
import { joinInto, missingOf, missingUnits, readPart } from "./compute.ts";

/** Most names of missing parts in a message. */
const MOST_NAMES = 8;

/**
 * Makes every join whose parts are there and that is not there itself; returns the number of new ones. What is missing is
 * left for a later call.
 * @category Cluster
 */
export async function joinWhatIsThere(
  store: PartStore,
  run: ReadyRun,
  control: PartControl = {},
): Promise<number> {
  checkControl("joinWhatIsThere()", control);
  const { units, joins } = workOf(run.manifest);
  const nodes = [...units, ...joins.map(({ node }) => node)];
  const missing = new Set((await missingOf(store, run, nodes)).map(nodeName));
  let made = 0;
  for (const join of joins) {
    throwIfAborted(control.signal);
    if (!missing.has(nodeName(join.node)) || !isComplete(join, missing)) continue;
    await joinInto(store, run, join, control);
    missing.delete(nodeName(join.node));
    made++;
  }
  return made;
}

function isComplete({ children }: Join, missing: ReadonlySet<string>): boolean {
  return children.every((child) => !missing.has(nodeName(child)));
}

/**
 * The results of the run, once all parts are there. What can be merged is merged, and kept in the store, also if parts are
 * missing; a later call goes on from there.
 *
 * Errors: `not-found` with `missing`, the names of the units without a part; `truncated`, `malformed`, `conflict` for parts
 * that are torn, damaged or foreign.
 * @category Cluster
 */
export async function mergeRun(store: PartStore, run: ReadyRun, control: PartControl = {}): Promise<unknown> {
  checkControl("mergeRun()", control);
  await joinWhatIsThere(store, run, control);
  await mustBeComplete(store, run);
  return await run.results((node) => readPart(store, run.digest, node), control);
}

/**
 * Writes the result of a run of filters or of a conversion to the file or folder `path`, once all parts are there. One part
 * is held at a time. A file appears when it is complete.
 *
 * Errors: those of {@link mergeRun}; `invalid` for a path whose ending does not fit the run; `unsupported` for runs of UDFs;
 * those of writing.
 * @category Cluster
 */
export async function mergeInto(
  store: PartStore,
  run: ReadyRun,
  path: string,
  control: PartControl = {},
): Promise<void> {
  checkControl("mergeInto()", control);
  text("mergeInto()", "path", path);
  if (!run.into) {
    const text = "The results of this run are arrays in memory: mergeRun() gives them, save() writes them";
    throw new TilewiseError("unsupported", text, { found: run.manifest.kind });
  }
  await mustBeComplete(store, run);
  await run.into(path, (node) => readPart(store, run.digest, node), control);
}

/**
 * Gives the outputs of a cube to sinks, once all parts are there: in the order of the tiles, merged as the cube says. One part
 * is held at a time. Sinks have the outputs only: `context.input()` has nothing.
 *
 * Errors: those of {@link mergeRun} and of sinks; `unsupported` for runs that are not cubes.
 * @category Cluster
 */
export async function mergeCube(
  store: PartStore,
  run: ReadyRun,
  sinks: CubeSinks,
  control: PartControl = {},
): Promise<void> {
  const call = "mergeCube()";
  checkControl(call, control);
  sinksRule(call, "sinks", sinks);
  if (!run.deliver) {
    const text =
      `${call}: the run is not a cube, it is of the kind "${run.manifest?.kind}"; mergeRun() or mergeInto() merge it`;
    throw new TilewiseError("unsupported", text, { expected: "cube", found: String(run.manifest?.kind) });
  }
  await mustBeComplete(store, run);
  await run.deliver(sinks, (node) => readPart(store, run.digest, node), control);
}

/** Throws unless all units are there. Errors: `not-found` with `missing`. */
export async function mustBeComplete(store: PartStore, run: ReadyRun): Promise<void> {
  const missing = await missingUnits(store, run);
  if (missing.length > 0) throw incomplete(store, run, missing);
}

function incomplete(store: PartStore, run: ReadyRun, missing: readonly TreeNode[]): TilewiseError {
  const names = missing.map(nodeName);
  const { units } = workOf(run.manifest);
  const shown = names.slice(0, MOST_NAMES).join(", ");
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : "";
  const text =
    `${store.url} has ${units.length - names.length} of ${units.length} parts; missing: ${shown}${more}. ` +
    "Run the shards again (they compute only what is missing), then merge again";
  return new TilewiseError("not-found", text, { file: store.url, missing: names });
}

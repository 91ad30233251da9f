/**
 * A worker of runs: opens what a job names, after it has checked that it may and can.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { checkOptionNames, defined, type OptionNames } from "../../options.ts";
import { atLeast0, callable, list, needed, positive, signal, text } from "../../options/rules.ts";
import type { Context } from "../../runner/context.ts";
import { context } from "../../runner/rules.ts";
import { VERSION } from "../../version.ts";
import { readManifest } from "../manifest/read.ts";
import { readyRun } from "../shards/ready.ts";
import { openStore } from "../store/open.ts";
import { REAL_CLOCK } from "../../clock.ts";
import type { Engine } from "./engine.ts";
import type { EngineJob } from "./job.ts";
import { unitRun } from "./units.ts";
import { serveJobs, type UnitRun, type WorkerEvent } from "./worker.ts";
import type { ModuleIdentity } from "../manifest/manifest.ts";
import { isOwn } from "../manifest/own.ts";

/**
 * How a worker works.
 * @category Cluster
 */
export interface ServeOptions {
  /** Host and process: its name. */
  readonly name: string;
  /** No further job is taken when it fires; the current unit is finished or given back. */
  readonly signal: AbortSignal;
  /** URLs of folders and hosts whose modules it may run. Default: none. */
  readonly allow?: readonly string[];
  /** Where runs are computed: memory and threads. Default: the default context. */
  readonly context?: Context;
  /** Milliseconds that the current unit may take after `signal`. At least 0. Default: 20 000. */
  readonly grace?: number;
  /** Milliseconds without progress after which it gives up a unit. Above 0. Default: ten minutes. */
  readonly stallTimeout?: number;
  /** Ends after so many milliseconds without a job. At least 0. Default: never. */
  readonly idle?: number;
  /** Called with what happens. */
  readonly onEvent?: (event: WorkerEvent) => void;
}

// deno-fmt-ignore: written by `deno task build`
const OPTIONS: OptionNames<ServeOptions> = {
  name: needed(text), signal: needed(signal), allow: list, context, grace: atLeast0, stallTimeout: positive,
  idle: atLeast0, onEvent: callable,
};

/**
 * Takes jobs from an engine until `signal` fires; returns the number of parts that it has made.
 *
 * It never ends because of a job: it reports errors to the engine, and refuses runs that it must not or cannot compute.
 * @category Cluster
 */
export async function serve(engine: Engine, options: ServeOptions): Promise<number> {
  checkOptionNames("serve()", options, OPTIONS);
  return await serveJobs(engine, REAL_CLOCK, {
    ...options,
    tilewise: VERSION,
    open: (job) => openJob(job, options),
  });
}

async function openJob(job: EngineJob, { allow = [], context }: ServeOptions): Promise<UnitRun> {
  const store = await openStore(job.store);
  const { manifest, digest } = await readManifest(store);
  if (digest !== job.manifest) throw otherRun(job, digest);
  mustAllow(manifest.modules, allow);
  return unitRun(store, await readyRun(store, defined({ context })));
}

function otherRun({ run, store, manifest }: EngineJob, found: string): TilewiseError {
  const text = `The store ${store} has another run (${found.slice(0, 16)}) than the job says (${run}). ` +
    "Start the run again: it publishes jobs that fit";
  return new TilewiseError("changed", text, { file: store, expected: manifest, found });
}

/**
 * Refuses modules that are not allowed. `allowed` has URLs of folders (`file:///lab/udfs/`), of hosts (`https://lab.org/`), and
 * specifiers of packages (`npm:simple-statistics@7.8.8`), each with all that lies below. Nothing is read or imported.
 *
 * Errors: `permission`, with the name of the module.
 *
 * @example
 * ```ts
 * import { assertThrows } from "@std/assert";
 * mustAllow([{ url: "file:///lab/udfs/com.ts" }], ["file:///lab/udfs/"]);
 * assertThrows(() => mustAllow([{ url: "file:///lab/udfs/../secret.ts" }], ["file:///lab/udfs/"]), Error, "not allowed");
 * ```
 */
export function mustAllow(modules: readonly Pick<ModuleIdentity, "url">[], allowed: readonly string[]): void {
  const foreign = modules.filter((module) => !isOwn(module));
  const [other] = foreign.filter(({ url }) => !allowed.some((one) => isBelow(plain(url), one)));
  if (!other) return;
  const known = allowed.length > 0 ? `it allows ${allowed.join(", ")}` : "it allows none";
  const text =
    `This worker must not run the module ${other.url}: it is not allowed, ${known}. Start the worker with ` +
    `--allow-modules ${placeOf(other.url)} if you trust what lies there`;
  throw new TilewiseError("permission", text, { file: other.url, module: other.url });
}

/** What would allow a module: its folder, its host, or the package. */
function placeOf(url: string): string {
  if (!/^(file|https?):/.test(url)) return url;
  return new URL(url.startsWith("file:") ? "." : "/", url).href;
}

/** Without `..` and other detours. */
function plain(url: string): string {
  return URL.canParse(url) ? new URL(url).href : url;
}

function isBelow(url: string, allowed: string): boolean {
  const above = plain(allowed);
  if (url === above) return true;
  return url.startsWith(/[/@]$/.test(above) ? above : `${above}/`);
}

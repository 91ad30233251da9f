/**
 * `tilewise run … --engine URL --store STORE`: workers compute the parts, this process coordinates them.
 *
 * @module
 */

import type { ClusterProgress } from "../../cluster/engine/coordinator.ts";
import { runOnEngine } from "../../cluster/engine/run.ts";
import { reachEngine } from "../../cluster/reach_engine.ts";
import { runName } from "../../cluster/engine/units.ts";
import type { ReadyRun } from "../../cluster/manifest/ready_run.ts";
import { workOf } from "../../cluster/manifest/work.ts";
import type { PartStore } from "../../cluster/store/store.ts";
import { type Arguments, UsageError } from "../shell/args.ts";
import { type CliIo, outTable } from "../shell/io.ts";
import { ProgressBar } from "../shell/progress.ts";

/** Milliseconds for which the server may be away, at the start as later. */
const PATIENCE = 600_000;

/** Waits until the workers of an engine have put all parts into the store. */
export async function computeOnEngine(
  url: string,
  store: PartStore,
  run: ReadyRun,
  args: Arguments,
  io: CliIo,
): Promise<void> {
  const priority = args.value("priority", priorityOf);
  const waiting = new ProgressBar(io, "engine", args.has("quiet"));
  await using engine = await reachEngine(url, {
    signal: io.signal,
    unreachableTimeout: PATIENCE,
    waits(message) {
      io.err(`tilewise: ${message} Waiting for it\n`);
      waiting.note("waiting for the server");
    },
  }).finally(() => waiting.clear());
  for (const warning of engine.warnings) io.err(`tilewise: warning: ${engine.url}: ${warning}\n`);
  if (!args.has("json") && !args.has("quiet")) outTable(io, [["run", `${runName(run)} on ${engine.url}`]]);
  const shown = new EngineProgress(run, args.has("quiet"), io);
  try {
    await runOnEngine(store, run, engine, {
      signal: io.signal,
      unreachableTimeout: PATIENCE,
      onProgress: (progress) => shown.show(progress),
      ...(priority === undefined ? {} : { priority }),
    });
  } finally {
    shown.clear();
  }
}

function priorityOf(text: string): number {
  const found = Number(text);
  if (/^\d{1,6}$/.test(text) && found >= 1) return found;
  throw new UsageError(`"${text}" is no priority; write a number from 1 (first) to 999999`);
}

/** The progress of a run on an engine, as that of a local run. */
class EngineProgress {
  readonly #bar: ProgressBar;
  readonly #frames: number;
  readonly #bytes: number;
  readonly #started = performance.now();
  #first: number | undefined;
  #trouble: string | undefined;

  constructor(run: ReadyRun, quiet: boolean, private readonly io: CliIo) {
    const { units, framesOf } = workOf(run.manifest);
    this.#frames = units.reduce((sum, unit) => sum + framesOf(unit), 0);
    this.#bytes = run.manifest.work.bytes;
    this.#bar = new ProgressBar(io, "engine", quiet);
  }

  show({ advance, total, trouble }: ClusterProgress): void {
    if (trouble !== this.#trouble && trouble) {
      this.#bar.clear();
      this.io.err(`tilewise: ${trouble}\n`);
    }
    this.#trouble = trouble;
    this.#first ??= advance; // done before this start
    const seconds = (performance.now() - this.#started) / 1000;
    const share = advance / Math.max(1, total);
    const since = (advance - this.#first) / Math.max(1, total);
    this.#bar.update({
      frames: Math.floor(share * this.#frames),
      framesTotal: this.#frames,
      bytes: share * this.#bytes,
      seconds,
      bytesPerSecond: since * this.#bytes / Math.max(seconds, 1e-9),
      etaSeconds: since > 0 ? (1 - share) * seconds / since : Infinity,
    });
  }

  clear(): void {
    this.#bar.clear();
  }
}

/**
 * `tilewise run … --engine URL --store STORE`: workers compute the parts, this process coordinates them.
 *
 * @module
 */

import { defined } from "../../options.ts";
import type { ClusterProgress } from "../../cluster/engine/coordinator.ts";
import { runOnEngine } from "../../cluster/engine/run.ts";
import { reachEngine } from "../../cluster/open_engine.ts";
import { runName } from "../../cluster/engine/units.ts";
import type { ReadyRun } from "../../cluster/manifest/ready_run.ts";
import type { PartStore } from "../../cluster/store/store.ts";
import { type Arguments, UsageError } from "../shell/args.ts";
import { type CliIo, outTable } from "../shell/io.ts";
import { type Advance, advances, ProgressBar, withBar } from "../shell/progress.ts";

/** Milliseconds for which the server may be away, at the start as later. */
const PATIENCE = 600_000;

/** Waits until the workers of an engine have put all parts, of so many frames of so many bytes, into the store. */
export async function computeOnEngine(
  url: string,
  store: PartStore,
  run: ReadyRun,
  { frames, each }: { readonly frames: number; readonly each: number },
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
  let told: string | undefined, advanced: ((done: number) => Advance) | undefined;
  await withBar("engine", { args, io }, async (bar) => {
    const onProgress = ({ advance, total, trouble }: ClusterProgress) => {
      if (trouble !== told && trouble) {
        bar.clear();
        io.err(`tilewise: ${trouble}\n`);
      }
      told = trouble;
      const done = Math.min(frames, frames * advance / Math.max(1, total));
      advanced ??= advances(frames, each, "frames", done); // what is in the store already was made before
      bar.update(advanced(done));
    };
    await runOnEngine(store, run, engine, {
      signal: io.signal,
      unreachableTimeout: PATIENCE,
      onProgress,
      ...defined({ priority }),
    });
  });
}

function priorityOf(text: string): number {
  const found = Number(text);
  if (/^\d{1,6}$/.test(text) && found >= 1) return found;
  throw new UsageError(`"${text}" is not a priority; write a number from 1 (first) to 999999`);
}

/**
 * A run on an engine in this process, for tests.
 *
 * @module
 */

import { REAL_CLOCK } from "../../src/clock.ts";
import { MemoryEngine } from "./memory/engine.ts";
import type { EngineJob } from "../../src/cluster/engine/job.ts";
import { runOnEngine } from "../../src/cluster/engine/run.ts";
import { serve } from "../../src/cluster/engine/serve.ts";
import type { StoredRun } from "../../src/cluster/manifest/read.ts";
import type { PartStore } from "../../src/cluster/store/store.ts";
import type { Context } from "../../src/runner/context.ts";

/** Says when its first jobs are there, so that no worker has to ask again for them. */
class AwaitedEngine extends MemoryEngine {
  readonly #first = Promise.withResolvers<void>();
  readonly hasJobs = this.#first.promise;

  override async publish(jobs: readonly EngineJob[]): Promise<void> {
    await super.publish(jobs);
    this.#first.resolve();
  }
}

/** One worker in `context` computes all parts; it runs modules that lie below the URLs in `allow`. */
export async function onEngine(
  store: PartStore,
  run: StoredRun,
  context: Context,
  allow: readonly string[] = [],
): Promise<void> {
  const engine = new AwaitedEngine({ clock: REAL_CLOCK });
  const done = new AbortController();
  const running = runOnEngine(store, run, engine, { interval: 20 }).finally(() => done.abort());
  const ended = running.then(() => {}, () => {});
  await Promise.race([engine.hasJobs, ended]);
  const served = serve(engine, { name: "one", signal: done.signal, context, allow });
  await running.finally(() => served);
}

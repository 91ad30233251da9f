/**
 * A run on an engine in this process, for tests.
 *
 * @module
 */

import { REAL_CLOCK } from "../../src/clock.ts";
import { MemoryEngine } from "./memory/engine.ts";
import { runOnEngine } from "../../src/cluster/engine/run.ts";
import { serve } from "../../src/cluster/engine/serve.ts";
import type { StoredRun } from "../../src/cluster/manifest/read.ts";
import type { PartStore } from "../../src/cluster/store/store.ts";
import type { Context } from "../../src/runner/face.ts";

/** One worker in `context` computes all parts; it runs modules that lie below the URLs in `allow`. */
export async function onEngine(
  store: PartStore,
  run: StoredRun,
  context: Context,
  allow: readonly string[] = [],
): Promise<void> {
  const engine = new MemoryEngine({ clock: REAL_CLOCK });
  const { signal } = new AbortController();
  const served = serve(engine, { name: "one", signal, context, allow, idle: 200 });
  await runOnEngine(store, run, engine, { interval: 20 }).finally(() => served);
}

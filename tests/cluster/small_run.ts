/**
 * A small run of UDFs over a file, for tests: its store, its plan, its expected results.
 *
 * @module
 */

import { type Context, createContext } from "../../src/runner/context.ts";
import { open } from "../../src/formats/open.ts";
import { udfPlan as plan } from "../../src/udf/run/plan.ts";
import { run } from "../../src/run.ts";
import { sumFrames } from "../../src/udf/builtin/sum_frames.ts";
import { sumPixels } from "../../src/udf/builtin/sum_pixels.ts";
import { logSum } from "../../src/udf/builtin/log_sum.ts";
import type { UdfInput } from "../../src/udf/plan/given.ts";
import { udfManifest } from "../../src/cluster/kinds/udf.ts";
import { commitManifest, type StoredRun } from "../../src/cluster/manifest/read.ts";
import { memoryStore } from "./memory/store.ts";
import type { PartStore } from "../../src/cluster/store/store.ts";
import { digests } from "../udf/builtin/every_builtin.ts";

/** Frames of the scan: 7 leaves of the merge tree. */
const FRAMES = 200;
const PIXELS = 48;
const OPEN = { format: "raw", dtype: "float32", nav: [10, 20], sig: [6, 8] };

/** A run in its store. */
export interface SmallRun extends AsyncDisposable {
  readonly store: PartStore;
  readonly stored: StoredRun;
  readonly context: Context;
  readonly source: string;
  /** Digests of the results of a run on one machine. */
  readonly expected: Readonly<Record<string, string>>;
}

/** Writes the scan into `folder`. */
export async function writeScan(folder: string): Promise<string> {
  const samples = Float32Array.from(
    { length: FRAMES * PIXELS },
    (_, i) => Math.abs(Math.sin(i * i)) * (1 + i % 13),
  );
  const source = `${folder}/scan.raw`;
  await Deno.writeFile(source, new Uint8Array(samples.buffer));
  return source;
}

/** Plans the run over the scan in `folder`; a sum in a tree, one per frame, and one with logarithms by default. */
export async function smallRun(
  folder: string,
  store: PartStore = memoryStore(),
  udfs: Readonly<Record<string, UdfInput>> = { sum: sumFrames(), each: sumPixels(), log: logSum() },
): Promise<SmallRun> {
  const source = await writeScan(folder);
  const context = createContext({ workers: 0 });
  const options = { context, partitions: 7 };
  const planned = await plan(await open(source, OPEN), udfs, options);
  const { manifest, data } = await udfManifest({ plan: planned, source, open: OPEN, options });
  return {
    store,
    stored: await commitManifest(store, manifest, data),
    context,
    source,
    expected: await digests(await run(planned)),
    [Symbol.asyncDispose]: () => context[Symbol.asyncDispose](),
  };
}

/** Runs, again and again: no lease is left over, and the heap does not grow. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { sumFrames } from "../../../src/udf/builtin/sum_frames.ts";
import { RunContext } from "../../../src/runner/context.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { udf } from "../../../src/udf/interface/udf_ref.ts";
import { counts, memoryScan } from "../data.ts";
import { SAMPLES, scanOf } from "../builtin/every_builtin.ts";

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

const OWN = import.meta.resolve("../own_udf.ts");
const MIB = 2 ** 20;
const small = memoryScan(counts(256 * 64, 1), [16, 16], [8, 8], "uint16");

/** Bytes of the heap and of buffers outside of it, after everything that can be freed has been. */
async function usedBytes(): Promise<number> {
  for (let i = 0; i < 4; i++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 5)); // what hangs on weak references goes in a later turn
  }
  const { heapUsed, external } = Deno.memoryUsage();
  return heapUsed + external;
}

/**
 * Runs `work` again and again; says by how much the memory grew in the quietest of up to six batches. Code that is
 * compiled on the way takes memory too, but not in every batch.
 */
async function growth(
  context: RunContext,
  rounds: number,
  limit: number,
  work: () => Promise<unknown>,
): Promise<number> {
  let least = Infinity;
  let before = Infinity;
  for (let batch = 0; batch < 6 && least > limit; batch++) {
    for (let i = 0; i < rounds; i++) await work();
    await context.settled();
    assertEquals(context.arena.used, 0);
    const now = await usedBytes();
    if (batch > 0) least = Math.min(least, now - before);
    before = now;
  }
  return least;
}

const EVERYTHING = Object.fromEntries(
  Object.entries(SAMPLES).flatMap(([name, refs]) => refs.map((ref, i) => [`${name} ${i}`, ref])),
);

for (const workers of [0, 2]) {
  const open = () => new RunContext({ memory: 128 * MIB, workers });
  const where = workers === 0 ? "inline" : `${workers} workers`;

  Deno.test(`${where}: runs of every built-in UDF leave nothing behind`, async () => {
    await using context = open();
    const scan = scanOf("float32");
    const grown = await growth(
      context,
      2,
      MIB,
      async () => await run(await plan(scan, EVERYTHING, { context })),
    );
    assert(grown <= MIB, `${grown} B in 2 runs`); // the results of one run are 8 MiB
  });

  Deno.test(`${where}: hundreds of runs leave nothing behind`, async () => {
    await using context = open();
    const udfs = { sum: sumFrames(), own: udf(OWN, { params: { power: 2 } }) };
    const peaks = new Set<number>();
    const grown = await growth(context, 60, 40 * 1024, async () => {
      await run(await plan(small, udfs, { context, partitions: 4 }));
      peaks.add(context.arena.peak);
    });
    assert(grown <= 40 * 1024, `${grown} B in 60 runs`);
    assertEquals(peaks.size, 1, "every run takes as much as the first one");
  });

  Deno.test(`${where}: runs that fail, are cancelled or are left leave nothing behind`, async () => {
    await using context = open();
    const failing = udf(OWN, { export: "failing", params: { at: 200 } });
    const grown = await growth(context, 20, 64 * 1024, async () => {
      const job = await plan(small, { sum: sumFrames(), failing }, { context, partitions: 8 });
      await assertRejects(async () => await run(job), Error, "no good");
      for await (const _ of run(job)) break;
      const cancelled = run(job);
      await assertRejects(async () => {
        for await (const { progress } of cancelled) if (progress.partitions === 1) cancelled.cancel();
      });
    });
    assert(grown <= 64 * 1024, `${grown} B in 60 runs`);
  });
}

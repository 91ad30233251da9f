/** Processes are killed by the system, again and again: results have the same bits, and nobody is left behind. */

import "../../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import { processExecutor } from "../../../src/executor/process/executor.ts";
import { RunContext } from "../../../src/runner/context.ts";
import { standardDeviation } from "../../../src/udf/builtin/standard_deviation.ts";
import { sumFrames } from "../../../src/udf/builtin/sum_frames.ts";
import type { Results } from "../../../src/udf/interface/buffer_types.ts";
import { udf } from "../../../src/udf/interface/udf_ref.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { arrayDigest } from "../../../src/udf/results/digest.ts";
import { run } from "../../../src/run.ts";
import { counts, memoryScan } from "../../udf/data.ts";
import { sleep, until } from "../steps.ts";

const SPINNING = import.meta.resolve("./spinning_udf.ts");
const PARTITIONS = 24; // `deno task soak --only processes` has 64
const MEMORY = 2 ** 26;
const VALUES = counts(PARTITIONS * 32 * 64, 3).map((value, i) => value / 7 + (i % 5)); // sums of these are rounded

const planned = (context: RunContext, folder: string) =>
  plan(memoryScan(VALUES, [PARTITIONS, 32], [8, 8], "float32"), {
    spinning: udf(SPINNING, { params: { folder } }),
    sum: sumFrames(),
    deviation: standardDeviation(),
  }, { context, partitions: PARTITIONS });

async function digests(results: Results): Promise<string[]> {
  const all = Object.values(results).flatMap((buffers) => Object.values(buffers));
  return await Promise.all(all.map((array) => arrayDigest(array)));
}

/** Marks for all partitions: nobody computes without end. */
async function marked(folder: string): Promise<void> {
  for (let n = 0; n < PARTITIONS; n++) await Deno.writeTextFile(`${folder}/${n}`, "");
}

async function expected(): Promise<string[]> {
  const folder = await Deno.makeTempDir();
  await marked(folder);
  await using context = new RunContext({ memory: MEMORY, workers: 2 });
  const found = await digests(await run(await planned(context, folder)));
  await Deno.remove(folder, { recursive: true });
  return found;
}

/** Kills each process that has left a mark, until nobody waits any more. */
async function killAll(folder: string, over: () => boolean): Promise<number> {
  const killed = new Set<string>();
  while (!over()) {
    for await (const { name } of Deno.readDir(folder)) {
      const pid = Number(await Deno.readTextFile(`${folder}/${name}`));
      if (killed.has(name) || pid === 0) continue; // it is being written
      killed.add(name);
      Deno.kill(pid, "SIGKILL");
    }
    await sleep(2);
  }
  return killed.size;
}

Deno.test(`a process is killed at every task of a run of ${PARTITIONS} partitions: the bits are right`, async () => {
  const right = await expected();
  const folder = await Deno.makeTempDir();
  await using executor = processExecutor({ workers: 2, permissions: { write: [folder] } });
  await using context = new RunContext({ memory: MEMORY, executor });
  const work = run(await planned(context, folder));
  let isOver = false;
  const killing = killAll(folder, () => isOver);
  const found = await digests(await work).finally(() => isOver = true);
  assertEquals(await killing, PARTITIONS);
  assertEquals(found, right);
  assertEquals(work.warnings, [
    `workers were lost ${PARTITIONS} times, their partitions were computed again`,
  ]);
  await context.settled();
  assertEquals(context.arena.used, 0);
  await Deno.remove(folder, { recursive: true });
});

Deno.test(`any process is killed after every part of a run of ${PARTITIONS} partitions: the bits are right`, async () => {
  const right = await expected();
  const folder = await Deno.makeTempDir();
  await marked(folder);
  await using executor = processExecutor({ workers: 2 });
  await using context = new RunContext({ memory: MEMORY, executor });
  let kills = 0;
  let results: Results | undefined;
  for await (const part of run(await planned(context, folder))) {
    results = part.results;
    await executor.start(); // three that end before they have started are too many
    const pid = executor.pids[kills % 2];
    if (pid === undefined) continue;
    Deno.kill(pid, "SIGKILL");
    kills++;
  }
  assert(kills > 8, `${kills} kills`);
  assertEquals(await digests(results!), right);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a process that was stopped for ever is replaced, and its task done by another", async () => {
  const folder = await Deno.makeTempDir();
  await marked(folder);
  await Deno.remove(`${folder}/5`);
  await using executor = processExecutor({ workers: 2, permissions: { write: [folder] } });
  await using context = new RunContext({ memory: MEMORY, executor });
  const work = run(await planned(context, folder), { stallTimeout: 500 });
  const results = (async () => await work)();
  const mark = () => {
    try {
      return Number(Deno.readTextFileSync(`${folder}/5`));
    } catch {
      return 0;
    }
  };
  await until(() => mark() > 0, results);
  Deno.kill(mark(), "SIGSTOP");
  assertEquals(await digests(await results), await expected());
  assertEquals(executor.replaced, 1);
  await Deno.remove(folder, { recursive: true });
});

/** Whether a process runs; one that nobody has waited for does not. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(Deno.readTextFileSync(`/proc/${pid}/status`));
  } catch {
    return false;
  }
}

Deno.test({
  name:
    "no process is left 2 s after the one that has started them was killed, in the middle of a computation",
  ignore: Deno.build.os !== "linux", // elsewhere it is not as simple to see who runs
  async fn() {
    const script = import.meta.resolve("./orphans.ts");
    const args = ["run", "-A", "--quiet", script];
    const parent = new Deno.Command(Deno.execPath(), { args, stdout: "piped", stderr: "inherit" }).spawn();
    const reader = parent.stdout.getReader();
    let text = "";
    while (!text.includes("\n")) text += new TextDecoder().decode((await reader.read()).value);
    const { pids, cells }: { pids: number[]; cells: string } = JSON.parse(text);
    assertEquals([pids.length, pids.every(isAlive)], [3, true]);
    parent.kill("SIGKILL");
    await parent.status;
    await reader.cancel();
    for (let waited = 0; waited < 2000 && pids.some(isAlive); waited += 10) await sleep(10);
    assertEquals(pids.filter(isAlive), []);
    await Deno.remove(cells, { recursive: true });
  },
});

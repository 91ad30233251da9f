/**
 * What a launch costs: a launch of one group, a group more, a barrier, and a UDF that looks up a side file per frame.
 *
 * `deno run -A bench/channels/launch.ts`
 */

import { createContext } from "../../mod.ts";
import { launchKernel } from "@tilewise/tilewise/channels";
import type { Member } from "@tilewise/tilewise/unstable/channels";
import { workerPool } from "../../src/executor/pool/pool.ts";

/** Does nothing. */
export function nothing(): number {
  return 0;
}

/** Meets `args[0]` times. */
export function meets({ args: [count], barrier }: Member<[number]>): number {
  for (let i = 0; i < count; i++) barrier();
  return 0;
}

const SOURCE = `
  import { barrier } from "tilewise/channels";
  export function meets(count: i32): void { for (let i = 0; i < count; i++) barrier(); }`;

/** The least milliseconds of seven rounds. */
async function least(work: () => Promise<unknown>): Promise<number> {
  let best = Infinity;
  for (let round = 0; round < 7; round++) {
    const start = performance.now();
    await work();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

/** A bare exchange between two workers over one word: what a barrier of two cannot undercut. */
async function pingPong(rounds: number): Promise<number> {
  const code = `export const job = () => ({ run: ([words, me, rounds]) => {
    for (let i = 0; i < rounds; i++) {
      const turn = 2 * i + me;
      for (let seen; (seen = Atomics.load(words, 0)) !== turn;) Atomics.wait(words, 0, seen);
      Atomics.store(words, 0, turn + 1);
      Atomics.notify(words, 0);
    }
  } })`;
  const module = `data:text/javascript,${encodeURIComponent(code)}`;
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
  await using pool = workerPool({ workers: 2 });
  await pool.start();
  return await least(async () => {
    const words = new Int32Array(new SharedArrayBuffer(4));
    const job = { module, export: "job", shared: 0, together: true };
    for await (const _ of pool.run(job, [[words, 0, rounds], [words, 1, rounds]], { memory }));
  }) / rounds;
}

if (import.meta.main) {
  await using context = createContext({ memory: "16MiB", workers: 2 });
  const module = import.meta.url;
  const launch = (groups: number, groupSize: number) =>
    launchKernel<typeof nothing>(context, { module, export: "nothing" }, { groups, groupSize });
  await launch(10, 2);
  const one = await least(() => launch(1, 1));
  console.log(`a launch of one group     ${one.toFixed(2)} ms`);
  for (const groupSize of [1, 2]) {
    const many = await least(() => launch(1001, groupSize));
    console.log(`a group of ${groupSize} more         ${(many - one).toFixed(1)} µs`);
  }
  const count = 20_000;
  const meeting = await least(() =>
    launchKernel<typeof meets>(context, { module, export: "meets" }, { groupSize: 2, args: [count] })
  );
  const compiled = await least(() =>
    launchKernel(context, { source: SOURCE }, { groupSize: 2, args: [count] })
  );
  const bare = await pingPong(count);
  console.log(`a barrier of two          ${((meeting - one) / count * 1000).toFixed(2)} µs in a function`);
  console.log(`                          ${((compiled - one) / count * 1000).toFixed(2)} µs in a kernel`);
  console.log(`limit: there and back     ${(bare * 1000).toFixed(2)} µs over one word, two steps`);
}

/** Launches that fail: the error names kernel, group, member and line, nobody waits, and all memory comes home. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { launchKernel, startHost } from "@tilewise/tilewise/channels";
import { TilewiseError } from "../../../src/errors.ts";
import { type Context, createContext, insideOf } from "../../../src/runner/context.ts";
import type { WorkerPool } from "../../../src/executor/pool/pool.ts";
import { processExecutor } from "../../../src/executor/process/executor.ts";
import type { prefix } from "./kernels.ts";

const module = import.meta.resolve("./kernels.ts");

/** Runs `body` in a context; afterwards a healthy launch must work there, and all memory must be home. */
async function survives(workers: number, body: (context: Context) => Promise<void>): Promise<void> {
  await using context = createContext({ memory: "1MiB", workers });
  await body(context);
  const groupSize = Math.max(1, workers);
  const { groups } = await launchKernel<typeof prefix>(context, { module, export: "prefix" }, {
    groupSize,
    localMemory: 64,
  });
  assertEquals(groups[0]!.values.length, groupSize);
  await context.settled();
  assertEquals(context.used, 0);
}

async function failure(launch: Promise<unknown>): Promise<TilewiseError> {
  return await assertRejects(() => launch, TilewiseError) as TilewiseError;
}

const HOW = {
  throw: ["udf", `Kernel "fails" failed in group 1, member 2: too far`],
  return: [
    "udf",
    /Kernel "fails" failed in group 1, member \d: one member has returned while another one waits/,
  ],
  loop: [
    "timeout",
    /Kernel "fails" failed in group 1, member 2: .*lost its worker once \(hung\) in kernel "fails"/,
  ],
  heap: ["worker", /Kernel "fails" failed in group 1, member 2: .*out of memory.* in kernel "fails"/],
} as const;

for (const [how, [code, message]] of Object.entries(HOW)) {
  Deno.test(`one of three members that ${how}s ends the launch, and the others`, async () => {
    await survives(3, async (context) => {
      const launch = launchKernel(context, { module, export: "fails" }, {
        groups: 3,
        groupSize: 3,
        args: [how, 1, 2],
        stallTimeout: how === "loop" ? 500 : 30_000,
      } as never);
      const error = await failure(launch);
      assertEquals([error.code, error.details["kernel"], error.details["group"]], [code, "fails", 1]);
      if (typeof message === "string") assertEquals(error.message, message);
      else assert(message.test(error.message), error.message);
    });
  });
}

Deno.test("a member whose worker is killed at a barrier or in a loop ends the launch", async () => {
  await survives(2, async (context) => {
    const pool = insideOf(context).executorOf(2, true) as WorkerPool;
    await pool.start();
    await using host = await startHost(context, { channels: 1, bufferLength: 64, elementSize: 1 });
    using begun = host.array("int32", 2);
    const launch = launchKernel(context, { module, export: "polls" }, { groups: 2, args: [begun] } as never);
    const failed = failure(launch);
    while (begun.data.includes(0)) await new Promise((resolve) => setTimeout(resolve, 1));
    pool.kill(1);
    const error = await failed;
    assertEquals(error.code, "worker");
    assert(/Kernel "polls" failed in group \d, member 0: .* \(killed\)/.test(error.message), error.message);
  });
});

Deno.test("a signal ends a launch whose kernel polls, and one whose kernel does not", async () => {
  for (const kernel of ["polls", "fails"]) {
    await survives(2, async (context) => {
      const stop = new AbortController();
      const args = kernel === "fails" ? ["loop", 0, 1] : [];
      const launch = launchKernel(context, { module, export: kernel }, {
        groups: 4,
        groupSize: 2,
        signal: stop.signal,
        args,
      } as never);
      setTimeout(() => stop.abort(), 150);
      assertEquals((await failure(launch)).code, "aborted");
    });
  }
});

Deno.test("a launch that has not ended in time fails, with workers and without", async () => {
  for (const workers of [0, 2]) {
    await survives(workers, async (context) => {
      const error = await failure(
        launchKernel(context, { module, export: "polls" }, { groups: 3, timeout: 120 }),
      );
      assertEquals([error.code, error.details["expected"]], ["timeout", 120]);
    });
  }
});

Deno.test("a kernel that polls, or waits for others, does not count as hung", async () => {
  await survives(2, async (context) => {
    const settings = { groupSize: 2, stallTimeout: 700, timeout: 2000 };
    const error = await failure(launchKernel(context, { module, export: "pollsAlone" }, settings));
    assertEquals([error.code, error.details["expected"]], ["timeout", 2000]);
  });
});

Deno.test("launches in processes are refused, as these share no memory", async () => {
  await using executor = processExecutor({ workers: 1 });
  await using context = createContext({ memory: "1MiB", executor });
  const error = await failure(launchKernel(context, { module, export: "later" }));
  assertEquals(error.code, "unsupported");
  assert(error.message.includes("the members of a launch share memory"), error.message);
  assertEquals(context.used, 0);
});

Deno.test("a kernel that catches what its barrier throws cannot hide that its group has ended", async () => {
  await survives(2, async (context) => {
    const error = await failure(launchKernel(context, { module, export: "stubborn" }, { groupSize: 2 }));
    assert(/one member has returned while another one waits/.test(error.message), error.message);
  });
});

Deno.test("a kernel that is not a function, is missing, or returns what cannot be sent is refused", async () => {
  await survives(1, async (context) => {
    const messages = [];
    for (const name of ["seven", "eight", "unsendable"]) {
      const error = await failure(launchKernel(context, { module, export: name }));
      assertEquals(error.code, "udf");
      messages.push(error.message.replaceAll(module, "MODULE").replace(/: [^:]*cloned.*$/, ""));
    }
    assertEquals(messages, [
      `Cannot launch kernel "seven": "seven" of MODULE is number, not a function`,
      messages[1],
      `Kernel "unsendable" failed in group 0, member 0: Cannot send the result of task 0 to the main thread`,
    ]);
    assert(messages[1]!.includes(`has no export "eight"`), messages[1]);
  });
});

Deno.test("a launch without memory is refused with the sum, and takes nothing", async () => {
  await using context = createContext({ memory: "64KiB", workers: 2 });
  const kernel = { module, export: "prefix" };
  const error = await failure(launchKernel(context, kernel, { groupSize: 2, localMemory: "1MiB" }));
  assertEquals([error.code, error.details.expected, context.used], ["over-budget", 2 ** 20 + 64, 0]);
  const big = await failure(launchKernel(context, kernel, { args: [new Float64Array(1e5)] } as never));
  assertEquals([big.code, context.used], ["over-budget", 0]);
});

Deno.test("progress counts groups, and an error in it ends the launch", async () => {
  await using context = createContext({ memory: "1MiB", workers: 2 });
  const seen: number[] = [];
  const kernel = { module, export: "later" };
  await launchKernel(context, kernel, {
    groups: 20,
    progressRate: 1000,
    onProgress: ({ groups, total }) => void seen.push(groups, total),
  });
  assertEquals(seen.slice(-2), [20, 20]);
  const onProgress = () => {
    throw new Error("enough");
  };
  const error = await assertRejects(() =>
    launchKernel(context, kernel, { groups: 1000, progressRate: 1000, onProgress })
  );
  assertEquals((error as Error).message, "enough");
});

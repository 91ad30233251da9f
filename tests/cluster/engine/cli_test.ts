/** The verbs of engines on the command line: bad input, forecasts, and what status and cancel say. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { cli, withFolder, writeNpy } from "../../cli/harness.ts";
import { hasRedis, RedisServer } from "./redis_server.ts";

async function scanIn(folder: string): Promise<string> {
  const path = `${folder}/scan.npy`;
  const samples = Uint16Array.from({ length: 16 * 16 * 64 }, (_, i) => i % 251);
  await writeNpy(path, "<u2", [16, 16, 8, 8], new Uint8Array(samples.buffer));
  return path;
}

Deno.test("words that contradict each other are refused before anything is opened", async () => {
  const nowhere = "redis://127.0.0.1:1";
  const cases: readonly (readonly [words: string[], code: number, text: RegExp])[] = [
    [["run", "com", "x.npy", "--engine", nowhere], 2, /--engine needs a store/],
    [
      ["run", "com", "x.npy", "--engine", nowhere, "--store", "s", "--shard", "1/2"],
      2,
      /leave one of them out/,
    ],
    [["run", "com", "x.npy", "--dry-run", "--storage-rate", "1GB/s"], 2, /needs --workers/],
    [["run", "com", "x.npy", "--workers", "2", "--storage-rate", "1GB/s"], 2, /is for --dry-run/],
    [["run", "com", "x.npy", "--dry-run", "--workers", "2", "--storage-rate", "0"], 2, /not a rate/],
    [["status", "nats://lab"], 1, /\[unsupported\].*begin with redis:/],
    [["status", "redis://:secret@lab/x"], 1, /\[invalid\].*not a number of a data base/],
    [["worker", nowhere, "--grace", "soon"], 2, /not a number of seconds/],
  ];
  for (const [words, code, text] of cases) {
    const outcome = await cli(words);
    assertEquals(outcome.code, code, `${words.join(" ")}: ${outcome.err}`);
    assertMatch(outcome.err, text);
    assert(!outcome.err.includes("secret"), outcome.err);
  }
});

Deno.test("a dry run says how long many workers take, from parts that it computes", async () => {
  await withFolder(async (folder) => {
    const words = ["run", "com", "sum", await scanIn(folder), "--partitions", "8", "--dry-run"];
    const { code, json, err } = await cli([...words, "--workers", "3", "--storage-rate", "20GB/s", "--json"]);
    assertEquals(code, 0, err);
    const [found] = json() as Record<string, number>[];
    const { bytes, workers, storageRate, rate, seconds, compute, merge, straggler, storage, engine } = found!;
    assertEquals([bytes, workers, storageRate], [32768, 3, 20e9]);
    assert(rate! > 0 && Math.abs(compute! - bytes! / (Math.min(3, found!.jobs!) * rate!)) < 1e-9);
    assertEquals(seconds, Math.max(compute!, storage!, engine!) + merge! + straggler!);
    const table = await cli([...words, "--workers", "1000", "--storage-rate", "20GB/s"]);
    assertMatch(table.out, /together .* limited by/);
    assertMatch(table.err, /leave \d+ workers without work/);
  });
});

Deno.test({
  name: "status shows runs and workers, cancel knows only runs that are there",
  ignore: !hasRedis(),
  sanitizeOps: false,
  sanitizeResources: false, // connections close when their servers are gone
  fn: async () => {
    await using server = await RedisServer.start();
    assertMatch((await cli(["status", server.url])).out, /no runs, no workers/);
    const missing = await cli(["cancel", server.url, "5f3a"]);
    assertEquals(missing.code, 1);
    assertMatch(missing.err, /\[not-found\] There is no run "5f3a"/);
    await withFolder(async (folder) => {
      const scan = await scanIn(folder);
      const worker = cli(["worker", server.url, "--idle", "2", "--json", "--workers", "0"]);
      const words = ["run", "sum", scan, "--partitions", "8", "--quiet", "-o", `${folder}/out/`];
      const run = await cli([
        ...words,
        "--engine",
        server.url,
        "--store",
        `${folder}/store`,
        "--priority",
        "7",
      ]);
      assertEquals(run.code, 0, run.err);
      const events = (await worker).json();
      assertEquals([(await worker).code, events.at(-1)?.event], [0, "end"]);
      assert(Number(events.at(-1)?.parts) > 1);
      const [line] = (await cli(["status", server.url, "--json"])).json();
      assertEquals([line?.state, line?.priority, line?.done], ["done", 7, line?.total]);
      const again = await cli([
        ...words,
        "--engine",
        server.url,
        "--store",
        `${folder}/store`,
      ]);
      assertEquals(again.code, 0, "all parts are there, no worker is needed");
    });
  },
});

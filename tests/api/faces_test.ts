/** A plan, a data set and a context show facts and explain themselves; what calls need of them is found inside. */

import "../fences/mod.ts";
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { createContext, open, plan, read, run, sumFrames, TilewiseError } from "@tilewise/tilewise";
import { planTiles } from "@tilewise/tilewise/hypercube";
import { arrayOf } from "@tilewise/tilewise/unstable/views";
import { boxMean, planMap } from "@tilewise/tilewise/views";
import { type Declaration, entryDocs } from "./entries.ts";

/** The members of an interface of the first entry. */
async function membersOf(name: string): Promise<string[]> {
  const symbol = (await entryDocs()).get(".")!.find((one) => one.name === name)!;
  const [{ def }] = symbol.declarations as [Declaration];
  const { methods, properties } = def as unknown as Record<string, readonly { readonly name: string }[]>;
  return [...properties ?? [], ...methods ?? []].map(({ name }) => name).sort();
}

Deno.test("a context shows its budget, what is in use, and how to end it", async () => {
  assertEquals(await membersOf("Context"), [
    "[Symbol.asyncDispose]",
    "explain",
    "memory",
    "peak",
    "settled",
    "used",
    "workers",
  ]);
});

Deno.test("a plan shows what will be read, held and given", async () => {
  assertEquals(await membersOf("Plan"), [ // and what all plans have: AnyPlan
    "bytesToRead",
    "dataset",
    "memory",
    "nativeDType",
    "resultTypes",
    "roi",
    "run",
    "udfs",
    "warnings",
  ]);
});

Deno.test("a data set shows no bytes, layouts and sources", async () => {
  const members = await membersOf("Dataset");
  for (const inside of ["layout", "beside", "corrections", "valid"]) {
    assert(!members.includes(inside), inside);
  }
  assert(members.includes("explain") && members.length <= 26, String(members));
});

Deno.test("what they explain", async () => {
  await using context = createContext({ memory: "1MiB", workers: 1 });
  assertEquals(context.explain(), "1 MiB for runs, 0 B in use, 0 B at most so far; 1 worker");
  assertEquals(Deno.inspect(context), context.explain());
  const scan = await open(Uint8Array.of(1, 2, 3, 4), {
    format: "raw",
    dtype: "uint8",
    nav: [2],
    sig: [1, 2],
  });
  const lines = scan.explain().split("\n");
  assert(lines.some((line) => /^frame +1 × 2 uint8, little endian$/.test(line)), scan.explain());
  const job = await plan(scan, { dp: sumFrames() }, { context });
  assertEquals(Deno.inspect(job), job.explain());
  assertEquals(job.udfs.map(({ key }) => key), ["dp"]);
  await run(job);
  await context.settled();
  assert(context.used === 0 && context.peak > 0 && context.peak <= job.memory.total, context.explain());
});

Deno.test("what only looks like one of them is refused", async () => {
  const scan = await open({ data: new Uint8Array(16), shape: [4, 4] });
  const context = { ...createContext({ workers: 0 }), memory: 2 ** 20, workers: 0 };
  const code = (error: unknown) => (error as TilewiseError).code;
  const filter = await assertRejects(
    () => planMap(scan, boxMean(), { context: context as never }),
    TilewiseError,
  );
  const tiles = assertThrows(() => planTiles({} as never, { context } as never), TilewiseError);
  const facts = { shape: scan.shape, dtype: scan.dtype } as never;
  const samples = await assertRejects(() => read(facts, ":"), TilewiseError, "as await open() gives it");
  const views = assertThrows(() => arrayOf(facts), TilewiseError, "as await open() gives it");
  assertEquals([filter, tiles, samples, views].map(code), ["invalid", "invalid", "invalid", "invalid"]);
});

Deno.test("a public name means one thing, whichever entry gives it", async () => {
  const places = new Map<string, Set<string>>();
  for (const symbols of (await entryDocs()).values()) {
    for (const { name, declarations } of symbols) {
      const known = places.get(name) ?? new Set();
      for (const { location } of declarations) known.add(location.filename);
      places.set(name, known);
    }
  }
  const several = [...places].filter(([, files]) => files.size > 1).map(([name]) => name);
  assertEquals(several, []);
});

/** Channels, times, places and axes that are chosen by name, in parts: the same result, of the same axes, as in one run. */

import { fileSink } from "../../src/views/sinks/registry.ts";
import { assert, assertEquals } from "@std/assert";
import type { AxisFacts } from "../../src/space/axes.ts";
import { open } from "../../src/formats/open.ts";
import { createContext } from "../../src/runner/context.ts";
import { mapViews } from "@tilewise/tilewise/views";
import { copySamples } from "../../src/views/operations/copy_samples.ts";
import { cli, withFolder } from "../cli/harness.ts";
import "../fences/mod.ts";
import { hasRedis, RedisServer } from "./engine/redis_server.ts";

const SHAPE = [3, 4, 2, 24, 30];
const AXES: readonly AxisFacts[] = [
  { name: "t", kind: "time", scale: 2.5, unit: "s" },
  { name: "z", kind: "space", scale: 2, unit: "µm" },
  { name: "channel", kind: "channel", names: ["DAPI", "GFP"] },
  { name: "y", kind: "space", scale: 0.5, unit: "µm" },
  { name: "x", kind: "space", scale: 0.25, unit: "µm" },
];

/** An OME-TIFF of times, planes and channels. */
async function imageIn(folder: string): Promise<string> {
  const data = Uint16Array.from({ length: 3 * 4 * 2 * 720 }, (_, i) => Math.imul(i, 0x9e3779b1) >>> 20);
  const path = `${folder}/five.ome.tif`;
  await using context = createContext({ workers: 0 });
  await mapViews(await open({ data, shape: SHAPE, axes: AXES }), copySamples(), {
    sink: fileSink(path),
    context,
  });
  return path;
}

/** Words before the source, flags, what is written, and the names of its axes. */
type Case = readonly [verb: string[], flags: string[], output: string, names: string[]];
const CASES: readonly Case[] = [
  [["map", "gaussian:sigma=1"], ["--channel", "GFP"], "a.npy", ["t", "z", "y", "x"]],
  [["map", "gaussian:sigma=1"], ["--channel", "0", "--time", "2", "--axes", "z,y,x"], "b.npy", [
    "z",
    "y",
    "x",
  ]],
  [["map", "median:radius=1"], ["--z", "3", "--time", "0", "--axes", "channel,y,x"], "c.npy", [
    "channel",
    "y",
    "x",
  ]],
  [["map", "gaussian:sigma=1"], ["--axes", "all"], "d.npy", AXES.map(({ name }) => name!)],
  [["run", "sumsig"], ["--channel", "GFP", "--time", "1"], "e.npy", ["z"]],
  [["run", "sum"], ["--z", "2", "--nav-axes", "channel,t"], "f.npy", ["y", "x"]],
  [["convert"], ["--z", "2"], "g.ome.zarr", ["t", "channel", "y", "x"]],
  [["convert"], ["--channel", "DAPI", "--time", "1"], "h.zarr", ["z", "y", "x"]],
];

const RUN = ["--workers", "0", "--quiet"];

/** A command for a source; that of a conversion names what it writes. */
function wordsOf([verb, flags, output]: Case, source: string, folder: string): string[] {
  const out = `${folder}/${output}`;
  return [...verb, source, ...(verb[0] === "convert" ? [out] : []), ...flags, ...RUN];
}

const toFile = ([verb, , output]: Case, folder: string) =>
  verb[0] === "convert" ? [] : ["-o", `${folder}/${output}`];

/** All files of a result, by their names. */
async function filesOf(path: string): Promise<Record<string, Uint8Array>> {
  if ((await Deno.stat(path)).isFile) return { "": await Deno.readFile(path) };
  const found: Record<string, Uint8Array> = {};
  for await (const { name } of Deno.readDir(path)) {
    for (const [below, bytes] of Object.entries(await filesOf(`${path}/${name}`))) {
      found[`${name}/${below}`] = bytes;
    }
  }
  return found;
}

async function ok(words: string[]): Promise<Record<string, unknown>> {
  const { code, err, json } = await cli([...words, "--json"]);
  assertEquals(code, 0, `${words.join(" ")}: ${err}`);
  return json().at(-1) as Record<string, unknown>;
}

/** The result in parts beside that of one run. */
async function same(one: Case, folder: string, parts: string, row: Record<string, unknown>): Promise<void> {
  const [, , output, names] = one;
  assertEquals(
    await filesOf(`${folder}/one/${output}`),
    await filesOf(`${folder}/${parts}/${output}`),
    output,
  );
  const { axes } = /\.zarr$/.test(output)
    ? await open(`${folder}/${parts}/${output}`)
    : row as { axes: AxisFacts[] };
  assertEquals(
    axes.map(({ name, scale, unit, names: labels }) => [name, scale, unit, labels]),
    names.map((name) => {
      const { scale, unit, names: labels } = AXES.find((axis) => axis.name === name)!;
      return [name, scale, unit, labels];
    }),
    output,
  );
}

Deno.test("what is chosen by name is computed in shards as in one run", async () => {
  await withFolder(async (folder) => {
    const source = await imageIn(folder);
    for (const part of ["one", "shards"]) await Deno.mkdir(`${folder}/${part}`);
    for (const one of CASES) {
      const store = `dir:${folder}/store_${one[2]}`;
      await ok([...wordsOf(one, source, `${folder}/one`), ...toFile(one, `${folder}/one`)]);
      for (const shard of ["2/2", "1/2"]) {
        await ok([...wordsOf(one, source, `${folder}/shards`), "--store", store, "--shard", shard]);
      }
      const row = await ok(["merge", store, "-o", `${folder}/shards/${one[2]}`, "--quiet"]);
      await same(one, folder, "shards", row);
    }
  });
});

Deno.test({
  name: "what is chosen by name is computed on an engine as in one run",
  ignore: !hasRedis(),
  sanitizeOps: false,
  sanitizeResources: false, // connections close when their servers are gone
  fn: async () => {
    await using server = await RedisServer.start();
    await withFolder(async (folder) => {
      const source = await imageIn(folder);
      for (const part of ["one", "engine"]) await Deno.mkdir(`${folder}/${part}`);
      const done = new AbortController();
      const worker = cli(["worker", server.url, "--json", "--workers", "0"], { signal: done.signal });
      try {
        for (const one of CASES) {
          await ok([...wordsOf(one, source, `${folder}/one`), ...toFile(one, `${folder}/one`)]);
          const on = ["--engine", server.url, "--store", `dir:${folder}/store_${one[2]}`];
          const words = [
            ...wordsOf(one, source, `${folder}/engine`),
            ...toFile(one, `${folder}/engine`),
            ...on,
          ];
          await same(one, folder, "engine", await ok(words));
        }
      } finally {
        done.abort();
      }
      assertEquals((await worker).code, 0);
    });
  },
});

Deno.test("names that are not there are refused before parts are planned", async () => {
  await withFolder(async (folder) => {
    const source = await imageIn(folder);
    const store = ["--store", `dir:${folder}/store`, "--shard", "1/2", "--quiet"];
    for (
      const [words, message] of [
        [["map", "gaussian:sigma=1", source, "--channel", "Cy5"], 'channel has no "Cy5"'],
        [["run", "sum", source, "--channel", "Cy5"], 'channel has no "Cy5"'],
        [["run", "sum", source, "--time", "7"], 't has no "7"; there are 0 to 2'],
        [["map", "gaussian:sigma=1", source, "--axes", "energy"], "energy"],
        [["convert", source, `${folder}/x.zarr`, "--z", "9"], 'z has no "9"'],
      ] as const
    ) {
      const { code, err } = await cli([...words, ...store]);
      assertEquals(code, 1, err);
      assert(err.includes(message), err);
    }
    const there = await Deno.stat(`${folder}/store`).then(() => true, () => false);
    assertEquals(there, false, "nothing is planned");
  });
});

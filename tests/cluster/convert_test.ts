/** Conversions in parts: the files of one machine, byte by byte. */

import "../fences/mod.ts";
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { TilewiseError } from "../../src/errors.ts";
import { processExecutor } from "../../src/executor/process/executor.ts";
import { open } from "../../src/formats/open.ts";
import { createContext } from "../../src/runner/context.ts";
import { copySamples } from "@tilewise/tilewise/unstable/views";
import { fileSink, gaussian, mapViews } from "@tilewise/tilewise/views";
import { endingsFor, targetAt } from "../../src/sinks/registry.ts";
import { workOf } from "../../src/cluster/manifest/work.ts";
import { computeInto } from "../../src/cluster/shards/compute.ts";
import { storeConversion } from "../../src/cluster/shards/create.ts";
import { mergeInto, mergeRun } from "../../src/cluster/shards/merge.ts";
import { readyRun } from "../../src/cluster/shards/ready.ts";
import { memoryStore } from "./memory/store.ts";
import { openStore } from "../../src/cluster/store/open.ts";
import { partName } from "../../src/cluster/store/node.ts";
import { cli, withFolder, writeNpy } from "../cli/harness.ts";
import { congruential } from "../udf/blobfinder/frames.ts";
import { digestOf } from "../views/sinks/data.ts";
import { onEngine } from "./on_engine.ts";

/** An image with noise, and a corner of zeros, whose chunks are not stored. */
async function imageIn(folder: string): Promise<string> {
  const chance = congruential(7);
  const samples = Uint16Array.from({ length: 2 * 150 * 130 }, (_, i) => {
    const value = Math.floor(900 * (chance.next().value ?? 0));
    return i % 130 < 70 && i % 19500 < 70 * 130 ? 0 : value;
  });
  const path = `${folder}/image.npy`;
  await writeNpy(path, "<u2", [2, 150, 130], new Uint8Array(samples.buffer));
  return path;
}

/** Names, flags, and the number of shards. */
const FILES: readonly (readonly [name: string, flags: readonly string[], shards: number])[] = [
  ["sharded.ome.zarr", ["--chunk", "1x32x32", "--shard-size", "2x64x64", "--levels", "3"], 7],
  ["sharded.zarr", ["--chunk", "1x16x32", "--shard-size", "20KiB", "--compression", "none"], 3],
  ["old.ome.zarr", ["--chunk", "1x64x64", "--zarr-format", "2", "--compression", "blosc"], 1],
  ["a.ome.zarr.zip", ["--chunk", "1x32x32"], 3],
  ["plain.tif", ["--tile", "32", "--compression", "none"], 3],
  ["levels.tif", ["--tile", "32", "--compression", "none", "--levels", "3"], 1],
  ["a.ome.tif", ["--tile", "32", "--compression", "zstd"], 1],
  ...endingsFor("frames").filter((ending) => !/xml|tif/.test(ending)).map((ending, n) =>
    [`a${ending}`, [], 1 + n % 3] as const
  ),
];

Deno.test("tilewise convert in shards, then merge: the files of one machine", async () => {
  await withFolder(async (folder) => {
    const source = await imageIn(folder);
    for (const [name, flags, n] of FILES) {
      const [local, merged] = [`${folder}/${name}`, `${folder}/merged/${name}`];
      const all = ["convert", source, local, ...flags, "--workers", "0", "--quiet"];
      assertEquals((await cli([...all, "--no-manifest"])).code, 0); // a.raw and a.bin share a.rpl
      const store = `dir:${folder}/store-${name}`;
      for (let i = n; i > 0; i--) {
        const { code, err } = await cli([...all, "--store", store, "--shard", `${i}/${n}`]);
        assertEquals(code, 0, err);
      }
      const { code, err } = await cli(["merge", store, "-o", merged, "--workers", "0"]);
      assertEquals(code, 0, err);
      const files = targetAt(name, "frames") && !name.endsWith(".tif")
        ? targetAt(name, "frames")!.sides ?? []
        : [];
      const stem = (path: string) => path.replace(/\.\w+$/, "");
      for (
        const [a, b] of [[merged, local], ...files.map((side) => [stem(merged) + side, stem(local) + side])]
      ) {
        assertEquals(await digestOf(a!), await digestOf(b!), b);
      }
    }
  });
});

Deno.test("what is missing is named, and a call without a shard makes the rest and the file", async () => {
  await withFolder(async (folder) => {
    const source = await imageIn(folder);
    const [name, flags] = FILES[0]!;
    const all = ["convert", source, `${folder}/${name}`, ...flags, "--workers", "0", "--quiet"];
    const stored = [...all, "--store", `${folder}/store`];
    assertEquals((await cli([...stored, "--shard", "2/3"])).code, 0);
    const early = await cli(["merge", `${folder}/store`, "-o", `${folder}/m.ome.zarr`, "--json"]);
    assertEquals(early.code, 1);
    assert((early.json()[0]!.missing as string[]).includes("0.0"));
    const other = await cli(["merge", `${folder}/store`, "-o", `${folder}/m.zarr`]);
    assertMatch(other.err, /the parts are of a \.ome\.zarr/);
    assertEquals((await cli(["merge", `${folder}/store`])).code, 2);
    const rest = await cli([...stored, "--json"]);
    assertEquals(rest.code, 0, rest.err);
    assertEquals(new Set(rest.json().map(({ outcome }) => outcome)), new Set(["new", "there", undefined]));
    await Deno.rename(`${folder}/${name}`, `${folder}/parts.ome.zarr`);
    await cli(all);
    assertEquals(await digestOf(`${folder}/parts.ome.zarr`), await digestOf(`${folder}/${name}`));
  });
});

Deno.test("frames without an image are zero, and shards say how many", async () => {
  await withFolder(async (folder) => {
    await Deno.writeFile(`${folder}/scan.raw`, Uint8Array.from({ length: 720 }, (_, i) => i % 251));
    const flags = ["--dtype", "uint16", "--nav", "3x4", "--sig", "5x6", "--sync-offset", "-2", "--quiet"];
    const all = ["convert", `${folder}/scan.raw`, `${folder}/scan.npy`, ...flags, "--workers", "0"];
    const local = await cli(all);
    const parts = await cli([...all, "--store", `${folder}/store`, "--shard", "1/1"]);
    assertEquals([parts.code, parts.err], [0, local.err]);
    assertMatch(parts.err, /blank frames: 2;/);
    await cli(["merge", `${folder}/store`, "-o", `${folder}/merged.npy`, "--quiet"]);
    assertEquals(await Deno.readFile(`${folder}/merged.npy`), await Deno.readFile(`${folder}/scan.npy`));
  });
});

Deno.test("conversions that have no parts are refused, with what to do", async () => {
  const cases: readonly (readonly [words: readonly string[], text: RegExp])[] = [
    [["a.jpg"], /Cannot write a\.jpg: the name must end with one of .*\.mib/],
    [["a.npy", "--roi", "0:3,0:3"], /--roi does not go with parts; convert the region/],
    [["a.npy", "--dark", "x.npy"], /--dark does not go with parts/],
  ];
  for (const [words, text] of cases) {
    const { code, err } = await cli(["convert", "none.npy", ...words, "--store", "s"]);
    assertEquals(code, 2, err);
    assertMatch(err, text);
  }
});

Deno.test("on an engine and worker processes, with a filter: the bytes of a run on one thread; damaged parts are refused", async () => {
  await withFolder(async (folder) => {
    const source = await imageIn(folder);
    await using inline = createContext({ workers: 0 });
    await using executor = processExecutor({ workers: 2 });
    await using context = createContext({ executor, memory: "64MiB" });
    const options = { chunk: [1, 64, 64], shard: [1, 128, 128], levels: 2 };
    const operation = gaussian({ sigma: 1.5 });
    const sink = fileSink(`${folder}/a.ome.zarr`, options);
    await mapViews(await open(source), operation, { sink, context: inline });
    const store = await openStore(`dir:${folder}/store`);
    const more = { file: options, operation, context };
    await onEngine(store, await storeConversion(store, source, "x.ome.zarr", more), context);
    await using run = await readyRun(store, { context });
    const { units } = workOf(run.manifest);
    await Deno.mkdir(`${folder}/merged`);
    await mergeInto(store, run, `${folder}/merged/a.ome.zarr`);
    assertEquals(await digestOf(`${folder}/merged/a.ome.zarr`), await digestOf(`${folder}/a.ome.zarr`));
    await assertRejects(() => mergeRun(store, run), TilewiseError, "mergeInto()");
    const bytes = await store.get(await partName(run.digest, units[0]!));
    bytes![bytes!.length - 1]! ^= 1;
    const flipped = { url: store.url, get: () => Promise.resolve(bytes), list: store.list.bind(store) };
    const error = await assertRejects(
      () => mergeInto(flipped as never, run, `${folder}/merged/b.ome.zarr`),
      TilewiseError,
    );
    assertEquals(error.code, "malformed");
    assertEquals([...Deno.readDirSync(`${folder}/merged`)].map(({ name }) => name), ["a.ome.zarr"]);
  });
});

Deno.test("a larger tiff than 4 GiB could need, from parts", async () => {
  await withFolder(async (folder) => {
    const source = await imageIn(folder);
    await using context = createContext({ workers: 0 });
    const file = { big: true, tile: 48 };
    const sink = fileSink(`${folder}/a.tif`, file);
    await mapViews(await open(source), copySamples(), { sink, context });
    const store = memoryStore();
    const { manifest } = await storeConversion(store, source, "x.tif", { file, context });
    await using run = await readyRun(store, { context });
    for (const unit of workOf(manifest).units) await computeInto(store, run, unit);
    await mergeInto(store, run, `${folder}/b.tif`);
    assertEquals(await Deno.readFile(`${folder}/b.tif`), await Deno.readFile(`${folder}/a.tif`));
  });
});

/** Operations over views in parts: the bits of one pass on one machine. */

import "../fences/mod.ts";
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { TilewiseError } from "../../src/errors.ts";
import { open } from "../../src/formats/open.ts";
import { createContext } from "../../src/runner/context.ts";
import type { DType } from "../../src/space/dtype.ts";
import type { NDArray } from "../../src/space/ndarray.ts";
import { sizeOf } from "../../src/space/shape.ts";
import {
  downSample,
  gaussian,
  localMaximum,
  mapViews,
  median,
  sobel,
  threshold,
} from "@tilewise/tilewise/views";

import { mapPlan, type MapPlanOptions } from "../../src/views/map/plan.ts";
import type { ViewOperations } from "../../src/views/operations/chain.ts";
import { mapManifest } from "../../src/cluster/kinds/map.ts";
import { commitManifest } from "../../src/cluster/manifest/read.ts";
import { workOf } from "../../src/cluster/manifest/work.ts";
import { computeInto } from "../../src/cluster/shards/compute.ts";
import { mergeRun } from "../../src/cluster/shards/merge.ts";
import { readyRun } from "../../src/cluster/shards/ready.ts";
import { memoryStore } from "./memory/store.ts";
import { cli, withFolder, writeNpy } from "../cli/harness.ts";
import { congruential } from "../udf/blobfinder/frames.ts";
import { digestOf } from "../views/sinks/data.ts";

async function imageIn(folder: string, shape: readonly number[]): Promise<string> {
  const chance = congruential(11);
  const samples = Uint16Array.from(
    { length: sizeOf(shape) },
    () => Math.floor(60000 * (chance.next().value ?? 0)),
  );
  const path = `${folder}/image.npy`;
  await writeNpy(path, "<u2", shape, new Uint8Array(samples.buffer));
  return path;
}

const CASES: Readonly<Record<string, readonly [readonly number[], ViewOperations<DType>, MapPlanOptions]>> = {
  "a chain over an image": [[1300, 70], [gaussian({ sigma: 2 }), sobel(), threshold({ value: 900 })], {}],
  "fewer rows than before": [[1301, 67], [downSample({ factor: 3 })], { border: "reflect" }],
  "planes of a stack, with a halo of planes": [[9, 40, 50], [localMaximum({ radius: 1 })], {
    border: "wrap",
  }],
  "tiles of one's own": [[900, 60], [median({ radius: 1 })], { tile: [37, 60], border: "constant", fill: 7 }],
};

for (const [name, [shape, operations, options]] of Object.entries(CASES)) {
  Deno.test(`views in parts: ${name}`, async () => {
    await withFolder(async (folder) => {
      const source = await imageIn(folder, shape);
      await using context = createContext({ workers: 0 });
      const dataset = await open(source);
      const expected = await mapViews(dataset, operations, { ...options, context });
      const plan = await mapPlan("map", dataset, operations, { ...options, context, blocks: "tiles" });
      const { manifest, data } = await mapManifest({ plan, source, open: {}, options });
      const store = memoryStore();
      await commitManifest(store, manifest, data);
      await using run = await readyRun(store, { context });
      const { units } = workOf(manifest);
      assert(units.length >= 2 && units.length === await plan.parts());
      for (const unit of units.toReversed()) await computeInto(store, run, unit);
      const result = await mergeRun(store, run) as NDArray;
      assertEquals([result.shape, result.dtype], [expected.shape, expected.dtype]);
      assertEquals([result.axes, result.values], [expected.axes, expected.values]);
      assertEquals(new Uint8Array(result.data.buffer), new Uint8Array(expected.data.buffer));
    });
  });
}

Deno.test("tilewise map in shards, then merge: the file of one machine", async () => {
  await withFolder(async (folder) => {
    const source = await imageIn(folder, [1300, 70]);
    const all = ["map", "gaussian:sigma=2", "sobel", source, "--workers", "0", "--quiet"];
    assertEquals((await cli([...all, "--no-picture", "-o", `${folder}/local.npy`])).code, 0);
    const store = `dir:${folder}/store`;
    for (const shard of ["3/3", "1/3"]) {
      const { code, err } = await cli([...all, "--store", store, "--shard", shard]);
      assertEquals(code, 0, err);
    }
    const early = await cli(["merge", store, "-o", `${folder}/merged.npy`, "--quiet"]);
    assertEquals(early.code, 1, early.err);
    assertEquals((await cli([...all, "--store", store, "--shard", "2/3"])).code, 0);
    const merged = await cli(["merge", store, "-o", `${folder}/merged.npy`, "--quiet"]);
    assertEquals(merged.code, 0, merged.err);
    assertEquals(await Deno.readFile(`${folder}/merged.npy`), await Deno.readFile(`${folder}/local.npy`));
    await Deno.mkdir(`${folder}/merged`);
    for (const ending of ["hspy", "fits"]) {
      const [path, there] = ["", "merged/"].map((at) => `${folder}/${at}local.${ending}`) as [string, string];
      assertEquals((await cli([...all, "--no-picture", "-o", path])).code, 0);
      assertEquals((await cli(["merge", store, "-o", there, "--quiet"])).code, 0);
      assertEquals(await Deno.readFile(there), await Deno.readFile(path));
    }
    const other = await cli(["merge", store, "-o", `${folder}/merged.png`, "--quiet"]);
    assertEquals(other.code, 2, other.err);
  });
});

Deno.test("tilewise map into a pyramid, and by functions of modules, in shards: the files of one machine", async () => {
  await withFolder(async (folder) => {
    const source = await imageIn(folder, [700, 70]);
    await Deno.writeTextFile(`${folder}/twice.ts`, "export const twice = (x: number) => 2 * x + 1;\n");
    await Deno.writeTextFile(`${folder}/mine.ts`, MINE);
    const cases: readonly (readonly [words: readonly string[], name: string, flags: readonly string[]])[] = [
      [["gaussian:sigma=2", "sobel"], "edges.ome.zarr", ["--chunk", "64x64", "--shard-size", "128x128"]],
      [[`${folder}/mine.ts#scale`, "box:radius=1"], "mine.npy", []],
    ];
    for (const [words, name, flags] of cases) {
      const all = ["map", ...words, source, ...flags, "--workers", "0", "--quiet"];
      const local = await cli([...all, "-o", `${folder}/${name}`, "--no-picture", "--no-manifest"]);
      assertEquals(local.code, 0, local.err);
      const named = name.endsWith(".npy") ? [] : ["-o", name];
      const stored = ["--store", `${folder}/store-${name}`];
      for (const shard of ["2/2", "1/2"]) {
        const { code, err } = await cli([...all, ...named, ...stored, "--shard", shard]);
        assertEquals(code, 0, err);
      }
      const merge = ["merge", stored[1]!, "-o", `${folder}/merged/${name}`, "--quiet"];
      const { code, err } = await cli([...merge, "--allow-modules"]);
      assertEquals(code, 0, err);
      assertEquals(await digestOf(`${folder}/merged/${name}`), await digestOf(`${folder}/${name}`));
      if (named.length > 0) continue;
      assertMatch((await cli(merge)).err, /permission|allow-modules/);
      await Deno.writeTextFile(`${folder}/twice.ts`, "export const twice = (x: number) => 3 * x;\n");
      assertMatch((await cli([...merge, "--allow-modules"])).err, /\[changed\].*twice\.ts/);
    }
  });
});

/** A function of views with an import. */
const MINE = `
import { twice } from "./twice.ts";
export function scale({ data, stride: [row, column] }, out) {
  const [rows, columns] = out.shape;
  for (let i = 0; i < rows * columns; i++) {
    out.data[i] = twice(data[Math.floor(i / columns) * row + (i % columns) * column]);
  }
}
`;

Deno.test("words that go with other files, or need the whole image, are refused", async () => {
  const cases: readonly (readonly [words: readonly string[], text: RegExp])[] = [
    [
      ["map", "sobel", "x.npy", "--compression", "zstd", "--shard", "1/2"],
      /--compression does not apply to parts of a \.npy/,
    ],
    [["map", "sobel", "x.npy", "-o", "a.tif", "--resume"], /--resume does not go with parts/],
    [
      ["map", "otsu", "x.npy", "--shard", "1/2"],
      /otsu cannot be computed in parts: it needs the whole image/,
    ],
    [["map", "sobel", "x.npy", "-o", "a.npy", "--shard", "1/2"], /a shard has no results of its own/],
    [["convert", "x.npy", "a.npy", "--compression", "zstd"], /--compression does not apply to a\.npy/],
    [["convert", "x.npy", "a.npy", "--tile", "64"], /--tile does not apply to a\.npy/],
  ];
  await withFolder(async (folder) => {
    const source = await imageIn(folder, [40, 30]);
    for (const [words, text] of cases) {
      const named = words.map((word) => word === "x.npy" ? source : word);
      const { code, err } = await cli([...named, "--store", `${folder}/store`]);
      assertEquals(code, 2, err);
      assertMatch(err, text);
    }
  });
});

Deno.test("operations that cannot be computed in parts are refused", async () => {
  await withFolder(async (folder) => {
    const source = await imageIn(folder, [40, 30]);
    await using context = createContext({ workers: 0 });
    const plan = await mapPlan("map", await open(source), [gaussian({ sigma: 1 })], {
      context,
      blocks: "tiles",
    });
    const here = { ...plan, operation: { ...plan.operation, here: true } };
    const error = await assertRejects(
      () => mapManifest({ plan: here, source, open: {}, options: {} }),
      TilewiseError,
      "function of this program",
    );
    assertEquals(error.code, "unsupported");
  });
});

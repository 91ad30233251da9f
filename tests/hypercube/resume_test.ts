/** Files of cubes that go on with an earlier run. */

import "../fences/mod.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { TilewiseError } from "../../src/errors.ts";
import { replaceWriteCalls, writeCalls } from "../../src/io/write/calls.ts";
import { hypercube } from "../../src/hypercube/cube/cube.ts";
import type { Provider } from "../../src/hypercube/providers/provider.ts";
import { toMemory } from "../../src/hypercube/providers/sinks/memory.ts";
import { toNpy } from "../../src/hypercube/providers/sinks/npy.ts";
import { toZarr } from "../../src/hypercube/providers/sinks/zarr.ts";
import { cubeFunction } from "../../src/hypercube/run/kernels/function.ts";
import type { CubeRunOptions } from "../../src/hypercube/run/run_cube.ts";
import { run as runCube } from "../../src/run.ts";
import { RunContext } from "../../src/runner/context.ts";
import { digestOf, withFolder } from "../views/sinks/data.ts";

const cube = hypercube({
  dimensions: { t: 20, y: 6, x: 8 },
  arrays: [
    { name: "image", shape: ["t", "y", "x"], dtype: "float32", role: "output" },
    { name: "sums", shape: ["t", "y"], dtype: "uint16", role: "output" },
  ],
});
const names = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();

/** Computes the cube in 20 tiles or more; fails in tile `stop`. Returns the tiles that were computed. */
async function run(sinks: (Provider | object)[], stop = Infinity, more: Partial<CubeRunOptions> = {}) {
  await using context = new RunContext({ workers: 0, memory: "4KiB" });
  const computed: number[] = [];
  const kernel = cubeFunction(({ tile, arrays: { image, sums }, extents: { t = [0, 0] } }) => {
    if (tile === stop) throw new Error("the power is gone");
    computed.push(tile);
    const [first] = t;
    for (let i = 0; i < image.data.length; i++) image.data[i] = first % 3 === 0 ? 0 : first * 1000 + i;
    for (let i = 0; i < sums.data.length; i++) sums.data[i] = first * 10 + i;
  }, { arrays: { image: "float32", sums: "uint16" } });
  const plan = { context, tile: ["t", "y"], largestTile: 210, inFlight: 1 };
  try {
    await runCube(cube, { kernel, sources: {}, sinks: sinks as Provider[], plan, ...more });
  } finally {
    await context.settled();
    assertEquals(context.arena.used, 0);
  }
  return computed;
}

const npy = (folder: string, resume?: string) =>
  toNpy({ image: `${folder}/image.npy`, sums: `${folder}/sums.npy` }, resume === undefined ? {} : { resume });
const zarr = (folder: string, resume?: string) =>
  toZarr(`${folder}/all.zarr`, { arrays: ["sums", "image"], ...(resume === undefined ? {} : { resume }) });

for (const [kind, sink] of [["npy files", npy], ["a Zarr group", zarr]] as const) {
  Deno.test(`${kind}: a run that goes on computes what is missing, and ends with the same bytes`, async () => {
    await withFolder(async (folder) => {
      const all = await run([sink(folder)]);
      assert(all.length >= 20, `${all.length} tiles`);
      const whole = await digestOf(folder);
      for (const name of names(folder)) await Deno.remove(`${folder}/${name}`, { recursive: true });
      for (const stop of [5, 12]) {
        const error = await assertRejects(() => run([sink(folder, "one")], stop), TilewiseError, "power");
        assertEquals(error.code, "udf");
        assert(names(folder).every((name) => name.endsWith(".partial")), String(names(folder)));
      }
      assertEquals(await run([sink(folder, "one")]), all.slice(12));
      assertEquals(await digestOf(folder), whole);
      assertEquals(await run([sink(folder, "one")]), all, "complete files are made again");
    });
  });

  Deno.test(`${kind}: parts that are damaged, cut off or of another run are not taken over`, async () => {
    await withFolder(async (folder) => {
      const all = await run([sink(folder)]);
      const whole = await digestOf(folder);
      for (const name of names(folder)) await Deno.remove(`${folder}/${name}`, { recursive: true });
      await assertRejects(() => run([sink(folder, "one")], 12), TilewiseError);
      for (const part of names(folder)) {
        const path = `${folder}/${part}/${kind === "npy files" ? "result" : "result/sums/c/1/0"}`;
        const bytes = await Deno.readFile(path);
        bytes[kind === "npy files" ? 128 + 50 : 8]! ^= 255;
        await Deno.writeFile(path, bytes);
      }
      const again = await run([sink(folder, "one")]);
      assert(again.length > all.length - 12 && again.length <= all.length, `${again.length} tiles`);
      assertEquals(await digestOf(folder), whole);
      await assertRejects(() => run([sink(folder, "one")], 12), TilewiseError);
      assertEquals(await run([sink(folder, "two")]), all);
      assert(names(folder).every((name) => !name.endsWith(".partial")), String(names(folder)));
    });
  });

  Deno.test(`${kind}: a full disk in the middle of a tile leaves what a later run goes on with`, async () => {
    await withFolder(async (folder) => {
      const all = await run([sink(folder)]);
      const whole = await digestOf(folder);
      for (const name of names(folder)) await Deno.remove(`${folder}/${name}`, { recursive: true });
      const calls = await writeCalls();
      let writes = 0;
      const writeAt: typeof calls.writeAt = (path, bytes, position) => {
        if (++writes < 5) return calls.writeAt(path, bytes, position);
        calls.writeAt(path, bytes.subarray(0, bytes.length >> 1), position);
        throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
      };
      const replaced = replaceWriteCalls({ ...calls, writeAt });
      const error = await assertRejects(() => run([sink(folder, "one")]), TilewiseError, "the disk is full");
      replaced[Symbol.dispose]();
      assertEquals(error.code, "io");
      const again = await run([sink(folder, "one")]);
      assertEquals(again, all.slice(all.length - again.length));
      assertEquals(await digestOf(folder), whole);
    });
  });
}

Deno.test("a run begins where all of its sinks can go on; one that cannot gets every tile", async () => {
  await withFolder(async (folder) => {
    await assertRejects(() => run([npy(folder, "one")], 15), TilewiseError);
    await assertRejects(() => run([zarr(folder, "one")], 7), TilewiseError);
    const image = toMemory("image");
    const tiles = await run([npy(folder, "one"), zarr(folder, "one"), image]);
    assertEquals(tiles[0], 0);
    assertEquals(image.array("image", "float32").data.some((value) => value > 0), true);
    await assertRejects(() => run([npy(folder, "one")], 15), TilewiseError);
    await assertRejects(() => run([zarr(folder, "one")], 7), TilewiseError);
    assertEquals((await run([npy(folder, "one"), zarr(folder, "one")]))[0], 7);
    assertEquals(names(folder), ["all.zarr", "image.npy", "sums.npy"]);
  });
});

Deno.test("outputs that do not come tile by tile cannot be resumed, which is said", async () => {
  await withFolder(async (folder) => {
    const merged = hypercube({
      dimensions: { t: 20 },
      arrays: [
        { name: "x", shape: ["t"], dtype: "float64", default: 1 },
        { name: "total", shape: [3], dtype: "float64", role: "output" },
      ],
    });
    await using context = new RunContext({ workers: 0, memory: "4KiB" });
    const kernel = cubeFunction(() => assert(false, "nothing is computed"), {
      arrays: { x: "float64", total: "float64" },
    });
    const plan = { context, tile: ["t"], largestTile: 128, inFlight: 1 };
    for (
      const sink of [
        toNpy({ total: `${folder}/a.npy` }, { resume: "one" }),
        toZarr(`${folder}/a.zarr`, { arrays: ["total"], resume: "one" }),
      ]
    ) {
      const options = { kernel, sources: {}, sinks: [sink], plan, merge: { total: "sum" } } as const;
      const error = await assertRejects(() => runCube(merged, options), TilewiseError, "tile by tile");
      assertEquals([error.code, error.details.option], ["unsupported", "resume"]);
    }
    for (const sink of [npy(folder, "one"), zarr(folder, "one")]) {
      await assertRejects(() => run([sink], 0, { ordered: false }), TilewiseError, "tile by tile"); // not: the power is gone
    }
    assertEquals(names(folder), []);
  });
});

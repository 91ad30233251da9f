/** Tiles that come in any order become the files of their array; those of a run that is stopped are gone on with. */

import "../fences/mod.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { TilewiseError } from "../../src/errors.ts";
import { open } from "../../src/formats/open.ts";
import { replaceWriteCalls, writeCalls } from "../../src/io/write/calls.ts";
import { hypercube, planTiles, toNpy } from "@tilewise/tilewise/hypercube";
import { cubeExpression } from "@tilewise/tilewise/unstable/hypercube";
import { run } from "../../src/run.ts";
import { copyBox } from "../../src/memory/copy_box.ts";
import { viewOf } from "../../src/memory/strided.ts";
import { createContext } from "../../src/runner/context.ts";
import { npyTiles } from "../../src/sinks/tiles/npy.ts";
import type { PlacedTile } from "../../src/sinks/chunks/placing.ts";
import { type TiledFiles, TileFiles } from "../../src/sinks/tiles/tile_files.ts";
import { zarrTiles } from "../../src/sinks/tiles/zarr.ts";
import { chunkedArray, group, numbers, storeFiles, texts } from "../../src/sinks/zarr/nodes.ts";
import { type Box, wholeBox } from "../../src/space/box.ts";
import { type DType, DTYPES, type TypedArray, zeros } from "../../src/space/dtype.ts";
import { type NDArray, ndarray } from "../../src/space/ndarray.ts";
import { type Shape, sizeOf, unravel } from "../../src/space/shape.ts";
import { copySamples } from "../../src/views/operations/copy_samples.ts";
import { mapViews } from "../../src/views/map/map_views.ts";
import { withFolder } from "../cli/harness.ts";
import { Random } from "../compare/data/random.ts";
import { cases } from "../suite/cases.ts";
import { digestOf, samplesOf } from "../views/sinks/data.ts";

/** An array, and how it is cut. */
interface Case {
  readonly shape: Shape;
  readonly dtype: DType;
  readonly samples: TypedArray;
  readonly chunk: Shape;
  readonly tiles: readonly PlacedTile[];
}

/** A case with whole chunks in every tile but the last ones. */
function drawn(random: Random): Case {
  const rank = 1 + Math.floor(3 * random.next());
  const shape = Array.from({ length: rank }, () => 1 + Math.floor(9 * random.next()));
  const dtype = DTYPES[Math.floor(DTYPES.length * random.next())]!;
  const chunk = shape.map((n) => 1 + Math.floor(Math.min(3, n) * random.next()));
  const tile = chunk.map((n) => n * (1 + Math.floor(3 * random.next())));
  const samples = samplesOf(shape, dtype), counts = shape.map((n, d) => Math.ceil(n / tile[d]!));
  const tiles = Array.from({ length: sizeOf(counts) }, (_, i) => {
    const origin = unravel(i, counts).map((at, d) => at * tile[d]!);
    return cutOut(samples, shape, dtype, {
      origin,
      shape: origin.map((o, d) => Math.min(tile[d]!, shape[d]! - o)),
    });
  });
  return { shape, dtype, samples, chunk, tiles };
}

function cutOut(samples: TypedArray, whole: Shape, dtype: DType, box: Box): PlacedTile {
  const data = zeros(dtype, sizeOf(box.shape));
  copyBox(viewOf(samples, dtype, whole), box, viewOf(data, dtype, box.shape), box.shape.map(() => 0));
  return { origin: box.origin, data: ndarray(data as never, box.shape, dtype) as NDArray };
}

/** The files of a case as npy, or as a Zarr group with one array. */
async function filesOf({ shape, dtype, chunk }: Case, kind: "npy" | "zarr"): Promise<TiledFiles> {
  if (kind === "npy") return npyTiles(dtype, shape);
  const facts = { shape, dtype, chunk, codec: { name: "zstd", level: 1 } };
  const nodes = [group("", {}), chunkedArray("a", facts)];
  return { kind: "folder", arrays: [await zarrTiles("a", facts)], documents: () => storeFiles(nodes) };
}

const boxOf = ({ origin, data: { shape } }: PlacedTile): Box => ({ origin, shape });

for (const kind of ["npy", "zarr"] as const) {
  const rounds = cases(20, 60);
  Deno.test(`${kind}: ${rounds} random arrays, from tiles in any order and from runs that were stopped`, async () => {
    const random = new Random(121, kind);
    await using context = createContext({ workers: 0 });
    const count = { tiles: 0, stopped: 0 };
    for (let n = 0; n < rounds; n++) {
      const given = drawn(random), { shape, dtype, samples, tiles } = given;
      await withFolder(async (folder) => {
        const path = `${folder}/a.${kind}`, files = await filesOf(given, kind);
        {
          await using whole = await TileFiles.open(path, files, { windows: [wholeBox(shape)] });
          const mixed = tiles.map((tile) => [random.next(), tile] as const).toSorted(([a], [b]) => a - b);
          for (const [, tile] of mixed) assert(await whole.put(0, 0, tile));
          await TileFiles.finish([whole]);
        }
        const found = await open(path, kind === "zarr" ? { array: "a" } : {});
        assertEquals((await mapViews(found, copySamples(), { context })).data, samples, `${shape} ${dtype}`);
        const expected = await digestOf(folder);
        await Deno.remove(path, { recursive: true });
        const boxes = () => tiles.map((tile) => [boxOf(tile)]);
        const coming = { windows: [wholeBox(shape)], resumed: { digest: "0123456789abcdef", tiles: boxes } };
        for (let next = 0; next < tiles.length;) {
          await using part = await TileFiles.open(path, await filesOf(given, kind), coming);
          assertEquals(part.completed, next, `${shape} ${dtype}`);
          next += 1 + Math.floor(tiles.length * random.next());
          for (const [i, tile] of tiles.slice(0, next).entries()) assert(await part.put(0, i, tile));
          if (next < tiles.length) assert(!await part.put(0, next + 1, tiles[next]!), "out of turn");
          part.flush();
          if (next >= tiles.length) await TileFiles.finish([part]);
          else count.stopped++;
        }
        assertEquals(await digestOf(folder), expected, `${shape} ${dtype}`);
        count.tiles += tiles.length;
      });
    }
    assert(count.tiles > 3 * rounds && count.stopped > rounds / 3, JSON.stringify(count));
  });
}

Deno.test("several files get their names together, also those that can be resumed", async () => {
  await withFolder(async (folder) => {
    const given = drawn(new Random(1));
    const paths = ["a", "b"].map((name) => `${folder}/${name}.npy`);
    for (const path of paths) await Deno.writeTextFile(path, "old");
    const resumed = { digest: "0123456789abcdef", tiles: () => given.tiles.map((tile) => [boxOf(tile)]) };
    const all = await Promise.all(paths.map(async (path) => {
      return await TileFiles.open(path, await filesOf(given, "npy"), { windows: [], resumed });
    }));
    const calls = await writeCalls();
    const rename: typeof calls.rename = (from, to) =>
      to === paths[1] ? Promise.reject(new Error("no")) : calls.rename(from, to);
    const replaced = replaceWriteCalls({ ...calls, rename });
    await assertRejects(() => TileFiles.finish(all), TilewiseError);
    replaced[Symbol.dispose]();
    for (const one of all) await one[Symbol.asyncDispose]();
    for (const path of paths) assertEquals(await Deno.readTextFile(path), "old");
  });
});

Deno.test("the root of a store has the documents of all below it, also of texts and of arrays without samples", () => {
  const nodes = [
    group("", { a: 1 }),
    texts("words", ["one", "µ"], ["n"]),
    numbers("none", "int16", new Int16Array(), ["m"]),
  ];
  const files = new Map(storeFiles(nodes));
  assertEquals([...files.keys()], ["zarr.json", "words/zarr.json", "words/c/0", "none/zarr.json"]);
  const { consolidated_metadata: { metadata } } = JSON.parse(files.get("zarr.json") as string);
  for (const name of ["words", "none"]) {
    assertEquals(metadata[name], JSON.parse(files.get(`${name}/zarr.json`) as string));
  }
  assertEquals(metadata.none.chunk_grid.configuration.chunk_shape, [1]);
  const { buffer } = files.get("words/c/0") as Uint8Array;
  assertEquals([...new Uint32Array(buffer)], [0x6f, 0x6e, 0x65, 0xb5, 0, 0]);
});

Deno.test("as many texts as an observation has times are not taken as arguments", () => {
  const [_, [, bytes]] = storeFiles([texts("words", new Array<string>(200_000).fill("same"), ["n"])]) as [
    unknown,
    [string, Uint8Array],
  ];
  assertEquals(bytes.length, 200_000 * 4 * 4);
  assertEquals(
    [...new Uint32Array(bytes.slice(-16).buffer)],
    [..."same"].map((letter) => letter.codePointAt(0)!),
  );
});

Deno.test("rows all over a file are written while it is open once per tile", async () => {
  const calls = await writeCalls();
  let opened = 0;
  using _ = replaceWriteCalls({ ...calls, hold: (path) => (opened++, calls.hold(path)) });
  const folder = await Deno.makeTempDir();
  const cube = hypercube({
    dimensions: { y: 500, z: 8 },
    arrays: [{ name: "t", shape: ["y", "z"], dtype: "float64", role: "output" }],
  });
  await using context = createContext({ workers: 0 });
  const plan = planTiles(cube, { context, tile: ["z"], largestTile: 2 * 500 * 8 });
  const sinks = [toNpy({ t: `${folder}/t.npy` })];
  await run(plan, { kernel: cubeExpression({ t: "y * z" }), sources: {}, sinks });
  assertEquals(opened, 4);
  const { data } = await mapViews(await open(`${folder}/t.npy`), copySamples(), { context });
  assertEquals(Array.from(data, Number), Array.from({ length: 4000 }, (_, i) => (i >> 3) * (i & 7)));
  await Deno.remove(folder, { recursive: true });
});

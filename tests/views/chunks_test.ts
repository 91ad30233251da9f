/** Arrays in chunks: operations read every chunk once and share it; the results are those of plain arrays. */

import "../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import { processExecutor } from "../../src/executor/process/executor.ts";
import { RunContext } from "../../src/runner/context.ts";
import { BORDERS } from "../../src/space/border.ts";
import { gridOf } from "../../src/space/box.ts";
import type { Shape } from "../../src/space/shape.ts";
import { ChunkStore, chunkUses, storeBytes } from "../../src/views/chunks/store.ts";
import { mapViews } from "../../src/views/map/map_views.ts";
import { planMap } from "../../src/views/map/plan.ts";
import { run } from "../../src/run.ts";
import { localMaximum } from "../../src/views/operations/local_extremes.ts";
import { chunkedArray, memoryArray } from "./data.ts";

const CASES: readonly (readonly [shape: Shape, chunk: Shape, tile: Shape])[] = [
  [[23], [4], [6]],
  [[20, 31], [8, 16], [7, 9]],
  [[20, 31], [5, 40], [20, 31]],
  [[5, 12, 13], [2, 5, 4], [2, 6, 13]],
  [[2, 3, 9, 8], [1, 2, 4, 8], [1, 3, 5, 4]],
];
const sample = (i: number) => (i * 7919 + 13) % 251;

Deno.test("an array in chunks gives what a plain one gives, for every border, tiling and number of workers", async () => {
  for (const workers of [0, 3]) {
    await using context = new RunContext({ workers });
    for (const [shape, chunk, tile] of CASES) {
      for (const [n, border] of Object.keys(BORDERS).entries()) {
        if (workers > 0 && n % 2 === 1) continue;
        const { array, seen } = chunkedArray(shape, "uint16", chunk, sample);
        const options = { border, tile, context };
        const operation = localMaximum({ radius: 3 });
        const { data } = await mapViews(array, operation, options);
        const plain = await mapViews(memoryArray(shape, "uint16", seen), operation, options);
        assertEquals(data, plain.data, `${shape} ${chunk} ${tile} ${border} ${workers}`);
      }
    }
    await context.settled();
    assertEquals(context.arena.used, 0);
  }
});

Deno.test("processes, which share no memory, decode for themselves", async () => {
  await using context = new RunContext({ executor: processExecutor({ workers: 2 }) });
  const { array, seen } = chunkedArray([40, 50], "int16", [16, 16], sample);
  const options = { tile: [16, 16], border: "reflect", context };
  const { data } = await mapViews(array, localMaximum(), options);
  assertEquals(data, (await mapViews(memoryArray([40, 50], "int16", seen), localMaximum(), options)).data);
});

Deno.test("a plan holds the chunks of a row of tiles, and says so; a small budget makes it hold fewer", async () => {
  const { array } = chunkedArray([512, 4096], "uint16", [64, 64], sample);
  await using context = new RunContext({ memory: "16MiB", workers: 2 });
  const plan = await planMap(array, localMaximum({ radius: 2 }), { tile: [64, 512], context });
  assertEquals(plan.memory.chunks, 2 * 64 + 10 + 2 + 10); // two rows, what a view touches of the third, two workers
  assert(plan.explain().includes("MiB for 150 decoded chunks, which workers share"), plan.explain());
  const { data } = await run(plan);
  await using small = new RunContext({ memory: "2MiB", workers: 2 });
  const tight = await planMap(array, localMaximum({ radius: 2 }), { tile: [64, 512], context: small });
  assert(tight.memory.chunks < 100, tight.explain());
  let rows = 0;
  for await (const band of run(tight)) {
    assertEquals(band.data, data.subarray(band.origin[0]! * 4096, band.origin[0]! * 4096 + band.data.length));
    rows += band.shape[0]!;
  }
  assertEquals(rows, 512);
});

Deno.test("where not all chunks fit that are needed again, a plan holds those that fit a third of the budget", async () => {
  const { array } = chunkedArray([128, 16384], "uint8", [64, 64], sample);
  const chunksIn = async (mebibytes: number) => {
    await using context = new RunContext({ memory: mebibytes * 2 ** 20, workers: 2 });
    const { memory } = await planMap(array, localMaximum({ radius: 2 }), { tile: [16, 64], context });
    return memory.chunks;
  };
  assertEquals(await chunksIn(5), 2 * 256 + 2 + 2 + 1); // two rows, and what two workers are ahead by: all
  assertEquals(await chunksIn(4), Math.floor(4 * 2 ** 20 / 3 / (64 * 64)));
  assertEquals(await chunksIn(3), 6 + 2); // those of a view, and one for each worker
});

function storeOf(slots: number): ChunkStore {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
  const store = new ChunkStore(memory, { offset: 1024, chunk: 64, slots });
  store.clear();
  assert(storeBytes(64, slots) < 60000);
  return store;
}

Deno.test("the store of chunks: the one that was used least recently leaves, none that is in use does", () => {
  const store = storeOf(2);
  const fill = (cell: number) => {
    const held = store.take(cell, false);
    assert(typeof held === "object" && held.fill, `${cell} ${JSON.stringify(held)}`);
    store.loaded(held);
    return held;
  };
  const there = (cell: number) => {
    const held = store.take(cell, false);
    assert(typeof held === "object" && !held.fill, `${cell} ${JSON.stringify(held)}`);
    store.release(held);
  };
  const [a, b] = [fill(0), fill(7)];
  assertEquals(store.take(9, false), "none");
  store.release(a);
  store.release(b);
  there(0);
  store.release(fill(9)); // takes the place of 7
  there(0);
  there(9);
  store.release(fill(7)); // takes the place of 0
  there(9);
});

Deno.test("the store of chunks: one that was used as often as it is needed leaves before all others", () => {
  const store = storeOf(2);
  const use = (cell: number, uses: number, isThere: boolean) => {
    const held = store.take(cell, false, uses);
    assert(typeof held === "object" && held.fill !== isThere, `${cell} ${JSON.stringify(held)}`);
    if (held.fill) store.loaded(held);
    store.release(held);
  };
  use(0, 3, false);
  use(7, 2, false);
  use(0, 3, true);
  use(7, 2, true); // the last use: used last, but not needed any more
  use(9, 2, false); // takes the place of 7
  use(0, 3, true);
  use(7, 2, false); // takes the place of 0, whose last use that was; counts anew
  use(9, 2, true);
});

Deno.test("uses of chunks are the views that touch them", () => {
  for (const [n, tile, chunk, front, back] of smallAxes()) {
    const grid = gridOf([n], [tile]);
    const [uses] = chunkUses({ grid, halo: { front: [front], back: [back] } }, [chunk]);
    const expected = Array.from({ length: Math.ceil(n / chunk) }, (_, k) => {
      const touches = (i: number) => {
        const [start, stop] = [i * tile - front, Math.min(n, (i + 1) * tile) + back];
        return Array.from({ length: stop - start }, (_, x) => start + x)
          .some((x) => x < n && Math.floor(x / chunk) === k);
      };
      return Array.from({ length: grid.counts[0]! }, (_, i) => i).filter(touches).length;
    });
    assertEquals(uses, expected, `${[n, tile, chunk, front, back]}`);
  }
});

Deno.test("a store as large as the plan says fills every chunk once, row by row", async () => {
  await using context = new RunContext({ workers: 0, memory: "4MiB" });
  const sizes = [4, 8, 16].flatMap((chunk) =>
    [8, 12, 32].flatMap((tile) => [0, 1, 5, 9].map((r) => [chunk, tile, r]))
  );
  for (const [chunk, tile, radius] of sizes as [number, number, number][]) {
    const shape = [96, 160];
    const { array } = chunkedArray(shape, "uint16", [chunk, chunk], sample);
    const operation = localMaximum({ radius });
    const { views, memory } = await planMap(array, operation, { tile: [tile, 2 * tile], context });
    const uses = chunkUses(views, [chunk, chunk]);
    const store = storeOf(memory.chunks);
    const counts = shape.map((n) => Math.ceil(n / chunk));
    let fills = 0;
    for (const index of rowMajor(views.grid.counts)) {
      const [ys, xs] = index.map((i, d) => {
        const size = views.grid.tile[d]!;
        const [start, stop] = [Math.max(0, i * size - radius), Math.min(shape[d]!, (i + 1) * size + radius)];
        return Array.from({ length: counts[d]! }, (_, k) => k)
          .filter((k) => k * chunk < stop && (k + 1) * chunk > start);
      });
      for (const y of ys!) {
        for (const x of xs!) {
          const held = store.take(y * counts[1]! + x, false, uses[0]![y]! * uses[1]![x]!);
          assert(typeof held === "object");
          if (held.fill) store.loaded(held);
          store.release(held);
          fills += Number(held.fill);
        }
      }
    }
    assertEquals(fills, counts[0]! * counts[1]!, `${[chunk, tile, radius]} in ${memory.chunks}`);
  }
});

/** Sizes of arrays, tiles, chunks and halos along one dimension: all small ones. */
function* smallAxes(): Generator<readonly [number, number, number, number, number]> {
  for (let n = 1; n <= 7; n++) {
    for (let tile = 1; tile <= 4; tile++) {
      for (let chunk = 1; chunk <= 4; chunk++) {
        for (let front = 0; front <= 3; front++) {
          for (let back = 0; back <= 3; back++) yield [n, tile, chunk, front, back];
        }
      }
    }
  }
}

function* rowMajor([rows, columns]: Shape): Generator<Shape> {
  for (let y = 0; y < rows!; y++) for (let x = 0; x < columns!; x++) yield [y, x];
}

Deno.test("the store of chunks: who waits for a chunk gets it, or fills it if the other one failed", () => {
  const store = storeOf(3);
  const first = store.take(4, false);
  assert(typeof first === "object" && first.fill);
  assertEquals(store.take(4, false), "busy");
  store.failed(first);
  const second = store.take(4, true);
  assert(typeof second === "object" && second.fill);
  store.loaded(second);
  const third = store.take(4, true);
  assert(typeof third === "object" && !third.fill);
  assertEquals(third.pointer, second.pointer);
});

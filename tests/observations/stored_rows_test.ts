/** Rows of stored arrays: any chunks, blocks and ranges give the rows that are stored, with memory that does not grow with chunks. */

import "../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { ZarrTree } from "../../src/formats/zarr/tree.ts";
import { StoredRows } from "../../src/observations/rows/rows.ts";
import { box } from "../../src/space/box.ts";
import { withFolder } from "../cli/harness.ts";

const WIDTH = 3;

/** Rows of numbers in chunks, as Zarr without filters: row r has the numbers from WIDTH · r on. */
async function write(folder: string, rows: number, chunk: readonly [number, number]): Promise<ZarrTree> {
  const head = { zarr_format: 2, shape: [rows, WIDTH], chunks: chunk, dtype: "<f8", order: "C" };
  await Deno.mkdir(`${folder}/a`, { recursive: true });
  await Deno.writeTextFile(`${folder}/.zgroup`, '{"zarr_format": 2}');
  const more = { compressor: null, filters: null, fill_value: 0 };
  await Deno.writeTextFile(`${folder}/a/.zarray`, JSON.stringify({ ...head, ...more }));
  for (let i = 0; i * chunk[0] < rows; i++) {
    for (let j = 0; j * chunk[1] < WIDTH; j++) {
      const samples = Float64Array.from(
        { length: chunk[0] * chunk[1] },
        (_, at) => WIDTH * (i * chunk[0] + Math.floor(at / chunk[1])) + j * chunk[1] + at % chunk[1],
      );
      await Deno.writeFile(`${folder}/a/${i}.${j}`, new Uint8Array(samples.buffer));
    }
  }
  return await ZarrTree.open(folder);
}

Deno.test("any chunks, ranges and lists of rows give the rows that are stored", async () => {
  const sizes = fc.record({
    rows: fc.integer({ min: 1, max: 40 }),
    chunk: fc.tuple(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 3 })),
    block: fc.integer({ min: 8, max: 40 * 24 }),
    seed: fc.array(fc.nat(1000), { minLength: 2, maxLength: 8 }),
    isList: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(sizes, async ({ rows, chunk, block, seed, isList }) => {
      await withFolder(async (folder) => {
        const layout = await (await write(folder, rows, chunk)).layout("a");
        const list = isList ? seed.map((n) => n % rows) : undefined;
        await using stored = new StoredRows(layout, list, block);
        const count = list?.length ?? rows;
        for (const n of seed) {
          const start = n % count, stop = start + 1 + n % (count - start), column = n % WIDTH;
          const part = box([column], [WIDTH - column]);
          const found = await stored.read(start, stop, part);
          const expected = Array.from({ length: stop - start }, (_, i) => list?.[start + i] ?? start + i)
            .flatMap((row) => [0, 1, 2].slice(column).map((c) => WIDTH * row + c));
          assertEquals([...found as Float64Array], expected);
        }
      });
    }),
    { numRuns: 12 },
  );
});

Deno.test("rows of large chunks are held once, with a block beside them", async () => {
  await withFolder(async (folder) => {
    const rows = 2 ** 17, tree = await write(folder, rows, [rows, WIDTH]), bytes = 8 * WIDTH * rows;
    const { memory } = new StoredRows(await tree.layout("a"));
    assert(memory > bytes && memory < bytes + 1.1 * 2 ** 20, `${memory} for a chunk of ${bytes}`);
  });
});

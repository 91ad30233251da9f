import { assert, assertEquals } from "@std/assert";
import { read } from "@tilewise/tilewise";
import { openAll } from "@tilewise/tilewise/formats";
import { storedPieces } from "../../src/pictures/mod.ts";
import { PYRAMID_CELLS, PYRAMID_SIDE, samplePyramid } from "../../src/samples/mod.ts";

async function drawn(): Promise<Blob> {
  const steps = samplePyramid();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return new Blob(await storedPieces(value, "sample.ome.tif", "auto"));
  }
}

Deno.test("the sample of cells is a pyramid, in which each level has the means of the one before", async () => {
  const arrays = await openAll(await drawn());
  assertEquals(
    arrays[0]!.levels.map(({ shape }) => shape),
    [2048, 1024, 512, 256].map((side) => [side, side]),
  );
  const [big, small] = await Promise.all([2, 3].map(async (level) => (await read(arrays[level]!)).data));
  const sample = (data: unknown, i: number) => (data as Uint16Array)[i]!;
  for (const i of [0, 5, 100, 255]) {
    const at = 2 * 512 * i + 2 * i;
    const sum = [at, at + 1, at + 512, at + 513].reduce((sum, place) => sum + sample(big, place), 0);
    assert(Math.abs(sample(small, 256 * i + i) - sum / 4) <= 0.5, String(i));
  }
});

Deno.test("as many cells are seen as were drawn", async () => {
  const [{ data }] = await Promise.all([read((await openAll(await drawn()))[0]!)]);
  const bright = Uint8Array.from(data as Uint16Array, (value) => value > 320 ? 1 : 0);
  let cells = 0;
  for (let i = 0; i < bright.length; i++) {
    if (bright[i] === 0) continue;
    cells++;
    const open = [i];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (bright[at] !== 1) continue;
      bright[at] = 0;
      open.push(at - 1, at + 1, at - PYRAMID_SIDE, at + PYRAMID_SIDE);
    }
  }
  assertEquals(cells, PYRAMID_CELLS);
});

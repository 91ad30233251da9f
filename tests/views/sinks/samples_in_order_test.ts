/** Rows of tiles come in the order of chunks, and their samples are shown in that of the array. */

import { assert, assertEquals } from "@std/assert";
import { gridOf } from "../../../src/space/box.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import { showShape, sizeOf, stridesOf, unravel } from "../../../src/space/shape.ts";
import { blockBox, rowsOfTiles } from "../../../src/views/map/blocks.ts";
import { RunContext } from "../../../src/runner/context.ts";
import { mapViews } from "../../../src/views/map/map_views.ts";
import { withBeside } from "../../../src/views/map/sink.ts";
import { copySamples } from "../../../src/views/operations/copy_samples.ts";
import { SamplesInOrder } from "../../../src/views/sinks/chunks/samples_in_order.ts";
import { endingsFor } from "../../../src/sinks/registry.ts";
import { fileSink } from "../../../src/views/sinks/registry.ts";
import { arrayWith, withFolder } from "./data.ts";
import { drawing } from "./every_sink.ts";

/** A file in memory, which knows how far it has been written. */
function waitingFile() {
  const bytes = new Uint8Array(2 ** 16), facts = { size: 0 };
  const write = Object.assign((part: Uint8Array, position: number) => {
    bytes.set(part, position);
    facts.size = Math.max(facts.size, position + part.length);
  }, { hold: () => ({ [Symbol.dispose]() {} }) });
  const read = (into: Uint8Array, position: number) =>
    into.set(bytes.subarray(position, position + into.length));
  return { facts, waiting: () => Promise.resolve({ write, read }) };
}

Deno.test("samples of rows of tiles are shown in their order, and no more than a band waits", async () => {
  const draw = drawing(171);
  let waited = 0;
  for (let round = 0; round < 300; round++) {
    const shape = Array.from({ length: 1 + draw(4) }, () => 1 + draw(7));
    const tile = shape.map((n) => 1 + draw(n));
    const text = `${showShape(shape)} in tiles of ${showShape(tile)}`;
    const blocks = rowsOfTiles(gridOf(shape, tile)), strides = stridesOf(shape);
    const found: number[] = [], { facts, waiting } = waitingFile();
    const see = (bytes: Uint8Array) => {
      assertEquals(bytes.byteOffset % 2, 0);
      found.push(...new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2));
    };
    const samples = new SamplesInOrder({ shape, dtype: "uint16" }, see, waiting);
    for (let n = 0; n < sizeOf(blocks.counts); n++) {
      const { origin, shape } = blockBox(blocks, n);
      const data = Uint16Array.from({ length: sizeOf(shape) }, (_, i) => {
        return unravel(i, shape).reduce((sum, x, d) => sum + (origin[d]! + x) * strides[d]!, 0);
      });
      await samples.put({ ...ndarray(data, shape, "uint16"), origin });
    }
    assertEquals(found, Array.from({ length: sizeOf(shape) }, (_, i) => i), text);
    const band = tile.findIndex((n) => n > 1);
    assert(facts.size <= 2 * sizeOf([...tile.slice(0, band + 1), ...shape.slice(band + 1)]), text);
    if (facts.size > 0) waited++;
  }
  assert(waited > 50);
});

for (const ending of endingsFor("results").filter((ending) => /zarr|zspy/.test(ending))) {
  Deno.test(`chunks of several large images show their samples in order, without these in memory: ${ending}`, async () => {
    const array = await arrayWith([2, 1500, 2900], "uint16");
    await using context = new RunContext({ workers: 2, memory: "12MiB" });
    await withFolder(async (folder) => {
      let [at, differs] = [0, 0];
      const whole = new Uint8Array(array.samples.buffer as ArrayBuffer);
      const see = (bytes: Uint8Array) => {
        for (const byte of bytes) if (byte !== whole[at++]) differs++;
      };
      const file = fileSink(`${folder}/a${ending}`, { chunk: [2, 64, 64], compression: "none" });
      const sink = withBeside(file as never, () => Promise.resolve([]), see);
      await mapViews(array, copySamples(), { sink, context });
      assertEquals([at, differs], [whole.length, 0]);
      assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), [`a${ending}`]);
    });
  });
}

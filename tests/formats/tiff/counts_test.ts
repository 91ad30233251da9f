/**
 * Byte counts of strips that are missing, or 0 though a strip has an offset, follow from what comes next in the file.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import { openAllStored as openAll } from "../../../src/formats/open.ts";
import { wholeBox } from "../../../src/space/box.ts";
import { type Container, makeTiff, type Making, sampleAt } from "./make.ts";

const STRIPS: Making = { height: 20, width: 17, samples: 3, bits: 16, rowsPerStrip: 6 };
const TILES: Making = { ...STRIPS, tile: [8, 8] };

/** Tables of byte counts, in entries of the directory; the counts themselves are not used. */
const TABLES: Readonly<Record<string, Pick<Making, "entries" | "without">>> = {
  "no table": { without: [279, 325] },
  "a table of zeros": { entries: [[279, 4, [0, 0, 0, 0]]] },
  "zeros of two bytes": { entries: [[279, 3, [0, 0, 0, 0]]] },
};

async function samplesOf(making: Making, container: Container): Promise<number[]> {
  const [dataset] = await openAll(makeTiff([making], container));
  const { data } = await readBox(dataset!, wholeBox(dataset!.shape));
  return Array.from(data, Number);
}

const expected = Array.from({ length: 20 * 17 * 3 }, (_, i) => sampleAt(i, STRIPS));

for (const [what, table] of Object.entries(TABLES)) {
  Deno.test(`strips with ${what} of byte counts are read`, async () => {
    for (const compression of [1, 8, 32773]) {
      for (const container of [{}, { isBigEndian: true }, { isBig: true }]) {
        assertEquals(await samplesOf({ ...STRIPS, ...table, compression }, container), expected);
      }
    }
  });
}

Deno.test("strips behind the end of the table of byte counts are read", async () => {
  for (const compression of [1, 8, 32773]) {
    const whole = makeTiff([{ ...STRIPS, compression }]);
    const view = new DataView(whole.buffer);
    const directory = view.getUint32(4, true);
    for (let i = 0; i < view.getUint16(directory, true); i++) {
      const entry = directory + 2 + 12 * i;
      if (view.getUint16(entry, true) === 279) view.setUint32(entry + 4, 2, true); // values stay where they are
    }
    const [dataset] = await openAll(whole);
    const { data } = await readBox(dataset!, wholeBox(dataset!.shape));
    assertEquals(Array.from(data, Number), expected);
  }
});

Deno.test("tiles with an offset and a byte count of 0 were never written, as GDAL has it", async () => {
  const zeros = new Array(9).fill(0);
  const found = await samplesOf({ ...TILES, compression: 8, entries: [[325, 4, zeros]] }, {});
  assertEquals(found, expected.map(() => 0));
});

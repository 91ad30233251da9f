/**
 * Files that are damaged or hostile end in typed errors that name file, place, what was expected and what was found, before
 * memory is taken for what they claim.
 *
 * @module
 */

import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import { TilewiseError } from "../../../src/errors.ts";
import { open, openAll } from "../../../src/formats/open.ts";
import { box, wholeBox } from "../../../src/space/box.ts";
import { sampleAt } from "./make.ts";
import { makeTiff, type Making } from "./make.ts";

const SMALL: Making = { height: 8, width: 8, tile: [8, 8] };
const STRIPS: Making = { height: 8, width: 8, rowsPerStrip: 2 };

async function refused(bytes: Uint8Array<ArrayBuffer>, code: TilewiseError["code"]): Promise<TilewiseError> {
  const before = Deno.memoryUsage().rss;
  const error = await assertRejects(async () => {
    for (const dataset of await openAll(new File([bytes], "bad.tif"))) {
      await readBox(dataset, wholeBox(dataset.shape));
    }
  }, TilewiseError);
  assert(Deno.memoryUsage().rss - before < 64 * 2 ** 20);
  assertEquals(error.code, code, error.message);
  assertStringIncludes(error.message, "bad.tif");
  const { expected, found, offset } = error.details;
  assert(expected !== undefined && found !== undefined, error.message);
  assert(offset === undefined || Number.isSafeInteger(offset));
  return error;
}

/** What is wrong, the file, and the code of its error. */
const CASES: readonly (readonly [what: string, image: Making, code: TilewiseError["code"]])[] = [
  ["tiles of width 0", { ...SMALL, entries: [[322, 4, [0]]] }, "malformed"],
  ["tiles of height 0", { ...SMALL, entries: [[323, 4, [0]]] }, "malformed"],
  ["no bits", { ...SMALL, entries: [[258, 3, [0]]] }, "malformed"],
  ["a thousand bits", { ...SMALL, entries: [[258, 3, [1000]]] }, "malformed"],
  ["no samples", { ...SMALL, entries: [[277, 3, [0]]] }, "malformed"],
  ["no width", { ...SMALL, entries: [[256, 4, [0]]] }, "malformed"],
  ["strips of no rows", { ...STRIPS, entries: [[278, 4, [0]]] }, "malformed"],
  ["no offsets", { ...STRIPS, without: [273] }, "malformed"],
  ["an offset behind the end", { ...SMALL, entries: [[324, 4, [10 ** 9]]] }, "truncated"],
  ["a strip that sticks out", { ...STRIPS, entries: [[273, 4, [8, 16, 24, 1000]]] }, "truncated"],
  ["fewer offsets than strips", { ...STRIPS, entries: [[273, 4, [8, 16]]] }, "malformed"],
  ["fewer counts than strips", { ...STRIPS, compression: 8, entries: [[279, 4, [8, 8]]] }, "malformed"],
  ["counts too small", { ...STRIPS, entries: [[279, 4, [16, 16, 16, 3]]] }, "malformed"],
  ["2^31 rows of strips", { ...STRIPS, entries: [[257, 4, [2 ** 31 - 1]]] }, "malformed"],
  [
    "an image of exabytes",
    { ...SMALL, entries: [[256, 4, [2 ** 31 - 1]], [257, 4, [2 ** 31 - 1]]] },
    "malformed",
  ],
  [
    "a bomb of deflate",
    {
      ...SMALL,
      compression: 8,
      entries: [[256, 4, [30_000]], [257, 4, [30_000]], [322, 4, [30_000]], [323, 4, [30_000]]],
    },
    "malformed",
  ],
  ["a giant tile", { ...SMALL, entries: [[322, 4, [2 ** 20]], [323, 4, [2 ** 20]]] }, "malformed"],
  ["too little in a tile", { ...SMALL, compression: 8, entries: [[322, 4, [16]]] }, "malformed"],
  ["planes of kind 3", { ...SMALL, samples: 3, entries: [[284, 3, [3]]] }, "malformed"],
  ["a fill order of 3", { ...SMALL, entries: [[266, 3, [3]]] }, "malformed"],
];

for (const [what, image, code] of CASES) {
  Deno.test(`a file with ${what} is refused`, async () => {
    for (const container of [{}, { isBig: true }, { isBigEndian: true }]) {
      await refused(makeTiff([image], container), code);
    }
  });
}

Deno.test("directories that form a loop are refused, in the chain and below", async () => {
  const bytes = makeTiff([SMALL, SMALL]);
  const view = new DataView(bytes.buffer);
  const first = view.getUint32(4, true);
  const second = view.getUint32(first + 2 + 12 * view.getUint16(first, true), true);
  view.setUint32(second + 2 + 12 * view.getUint16(second, true), first, true);
  assertStringIncludes((await refused(bytes, "malformed")).message, "loop");
  const below = makeTiff([{ ...SMALL, entries: [[330, 13, [first]]] }]);
  const own = new DataView(below.buffer).getUint32(4, true);
  const looped = makeTiff([{ ...SMALL, entries: [[330, 13, [own]]] }]);
  assertStringIncludes((await refused(looped, "malformed")).message, "loop");
});

Deno.test("a chain of ten thousand tiny directories takes no time to speak of", async () => {
  const count = 10_000;
  const bytes = new Uint8Array(8 + 18 * count);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x002a4949, true);
  for (let i = 0; i <= count; i++) {
    const at = i === 0 ? 4 : 8 + 18 * (i - 1) + 14;
    view.setUint32(at, i === count ? 0 : 8 + 18 * i, true);
    if (i < count) view.setUint16(8 + 18 * i, 1, true);
  }
  const started = performance.now();
  const error = await assertRejects(() => openAll(bytes), TilewiseError);
  assertEquals(error.code, "malformed");
  assert(performance.now() - started < 5000);
});

Deno.test("a file cut off at any byte is read as it was, or refused", async () => {
  const whole = makeTiff([{ ...STRIPS, samples: 3, bits: 16, compression: 8, predictor: 2 }, SMALL]);
  let read = 0;
  for (let end = 0; end < whole.length; end++) {
    try {
      const [dataset] = await openAll(whole.slice(0, end));
      const { data } = await readBox(dataset!, wholeBox(dataset!.shape));
      assertEquals(data[5], sampleAt(5, { ...STRIPS, bits: 16 }));
      read++;
    } catch (error) {
      assert(error instanceof TilewiseError && error.code !== "corrupt", `${end}: ${error}`);
    }
  }
  assert(read <= 8, `${read} of ${whole.length} cuts are read`); // only the offset of the next directory may be missing
});

Deno.test("tiles that were never written have the value for no data", async () => {
  const image: Making = { height: 6, width: 6, bits: 16, tile: [4, 4], sparse: [1, 2] };
  for (const container of [{}, { isBigEndian: true }]) {
    const dataset = await open(makeTiff([{ ...image, entries: [[42113, 2, "513"]] }], container));
    const at = async (y: number, x: number) => (await readBox(dataset, box([y, x], [1, 1]))).data[0];
    assertEquals([await at(0, 4), await at(5, 0)], [513, 513]);
    assertEquals([await at(1, 2), await at(5, 5)], [sampleAt(8, image), sampleAt(35, image)]);
  }
});

/**
 * Files that are damaged or hostile end in typed errors that name file, place, what was expected and what was found, before
 * memory is taken for what they claim.
 *
 * @module
 */

import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import { TilewiseError } from "../../../src/errors.ts";
import { openAllStored as openAll, openStored as open } from "../../../src/formats/open.ts";
import { box, wholeBox } from "../../../src/space/box.ts";
import { held } from "../../memory/held.ts";
import { sampleAt } from "./make.ts";
import { makeTiff, type Making } from "./make.ts";
import { measured } from "../../fuzz/clock.ts";

const SMALL: Making = { height: 8, width: 8, tile: [8, 8] };
const STRIPS: Making = { height: 8, width: 8, rowsPerStrip: 2 };

async function refused(bytes: Uint8Array<ArrayBuffer>, code: TilewiseError["code"]): Promise<TilewiseError> {
  const before = held();
  const error = await assertRejects(async () => {
    for (const dataset of await openAll(new File([bytes], "bad.tif"))) {
      await readBox(dataset, wholeBox(dataset.shape));
    }
  }, TilewiseError);
  assert(held() - before < 64 * 2 ** 20);
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
  ["a count of 0 with nothing behind it", {
    ...STRIPS,
    compression: 8,
    entries: [[273, 4, [8, 8, 8, 10 ** 9]], [279, 4, [8, 8, 8, 0]]],
  }, "truncated"],
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
  ["offsets that are fractions", { ...STRIPS, entries: [[273, 5, [8, 9, 10, 11.5]]] }, "malformed"],
  ["a width of 8.5", { ...SMALL, entries: [[256, 5, [8.5]]] }, "malformed"],
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

/** The images of a file of which a part is damaged, and the warning of each about that. */
async function withWarning(
  bytes: Uint8Array<ArrayBuffer>,
  names: readonly string[],
  text: string,
): Promise<void> {
  const found = await openAll(new File([bytes], "bad.tif"));
  assertEquals(found.map(({ array }) => array), names);
  for (const { warnings } of found) {
    assertEquals(warnings.length, 1);
    assertStringIncludes(warnings[0]!, "bad.tif");
    assertStringIncludes(warnings[0]!, text);
  }
  const first = await open(new File([bytes], "bad.tif"));
  assertEquals(first.array, names[0]);
  assertEquals((await readBox(first, box([0, 0], [1, 1]))).data[0], sampleAt(0, SMALL));
}

/** Where the offset behind directory number `n` lies. */
function linkBehind(bytes: Uint8Array<ArrayBuffer>, n: number): number {
  const view = new DataView(bytes.buffer);
  let at = 4;
  for (let i = 0; i <= n; i++) {
    const directory = view.getUint32(at, true);
    at = directory + 2 + 12 * view.getUint16(directory, true);
  }
  return at;
}

Deno.test("directories that form a loop end there, in the chain and below", async () => {
  const bytes = makeTiff([SMALL, SMALL]);
  const view = new DataView(bytes.buffer);
  view.setUint32(linkBehind(bytes, 1), view.getUint32(4, true), true);
  await withWarning(bytes, ["ifd0", "ifd1"], "loop");
  const below = makeTiff([{ ...SMALL, entries: [[330, 13, [8]]] }]);
  const own = new DataView(below.buffer).getUint32(4, true);
  await withWarning(makeTiff([{ ...SMALL, entries: [[330, 13, [own]]] }]), ["ifd0"], "loop");
});

Deno.test("a damaged page leaves those before it, and no stack of those that are left", async () => {
  const behind = makeTiff([SMALL, SMALL, SMALL]);
  new DataView(behind.buffer).setUint32(linkBehind(behind, 1), 10 ** 9, true);
  await withWarning(behind, ["ifd0", "ifd1"], "a directory cannot lie there");
  const noBits: Making = { ...SMALL, entries: [[258, 3, [0]]] };
  await withWarning(makeTiff([SMALL, noBits, SMALL]), ["ifd0", "ifd2"], "bits per sample");
  const few: Making = { ...STRIPS, entries: [[273, 4, [8, 16]]] };
  await withWarning(makeTiff([SMALL, few, SMALL]), ["ifd0", "ifd2"], "4 strips");
  await refused(makeTiff([noBits, SMALL]), "malformed");
  const error = await assertRejects(() => open(makeTiff([few, { ...SMALL, width: 7 }])), TilewiseError);
  assertEquals(error.code, "malformed");
});

Deno.test("a page whose samples are cut off is refused, and leaves the others to those who name them", async () => {
  const bytes = makeTiff([SMALL, { ...SMALL, entries: [[324, 4, [10 ** 9]]] }, SMALL]);
  await refused(bytes, "truncated");
  assertEquals((await open(bytes, { array: "ifd2" })).shape, [8, 8]);
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
  const spent = measured();
  const error = await assertRejects(() => openAll(bytes), TilewiseError);
  assertEquals(error.code, "malformed");
  assert(spent().milliseconds < 5000);
});

Deno.test("a file cut off at any byte is read as it was, or refused", async () => {
  const whole = makeTiff([{ ...STRIPS, samples: 3, bits: 16, compression: 8, predictor: 2 }, SMALL]);
  let read = 0;
  for (let end = 0; end < whole.length; end++) { // where the second image is cut off, the first is left
    try {
      const [dataset] = await openAll(whole.slice(0, end));
      const { data } = await readBox(dataset!, wholeBox(dataset!.shape));
      assertEquals(data[5], sampleAt(5, { ...STRIPS, bits: 16 }));
      if (dataset!.warnings.length === 0) read++;
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

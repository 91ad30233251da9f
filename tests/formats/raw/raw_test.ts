import { assertEquals, assertStringIncludes } from "@std/assert";
import { type OpenOptions, openStored as open } from "../../../src/formats/open.ts";
import { counting, failure, join } from "../helpers.ts";
import { readAll } from "../read_all.ts";

const U8: OpenOptions = { dtype: "uint8", sig: [2, 3] };

Deno.test("raw frames with file header, frame header and footer", async () => {
  const frame = (n: number) => join(Uint8Array.of(200, 201), counting(6, 10 * n), Uint8Array.of(255));
  const bytes = join(Uint8Array.of(1, 2, 3), frame(0), frame(1), frame(2));
  const scan = await open(bytes, { ...U8, headerBytes: 3, frameHeaderBytes: 2, frameFooterBytes: 1 });
  assertEquals([scan.shape, scan.images, scan.warnings.length], [[3, 2, 3], 3, 0]);
  assertEquals(await readAll(scan), join(counting(6), counting(6, 10), counting(6, 20)));
});

Deno.test("several raw files are one stack", async () => {
  const files = [counting(12), counting(6, 12), counting(18, 18)];
  const scan = await open(files, { ...U8, nav: [2, 3] });
  assertEquals(scan.layout.files.map(({ start, end }) => [start, end]), [[0, 2], [2, 3], [3, 6]]);
  assertEquals(await readAll(scan), counting(36));
});

Deno.test("a scan may have more or fewer positions than there are images", async () => {
  const more = await open(counting(18), { ...U8, nav: [2, 2] });
  assertEquals([more.frames, more.images, more.warnings.length], [4, 3, 1]);
  assertStringIncludes(more.warnings[0]!, "stay blank");
  assertEquals(await readAll(more), join(counting(18), new Uint8Array(6)));
  const fewer = await open(counting(18), { ...U8, nav: [2] });
  assertStringIncludes(fewer.warnings[0]!, "not shown");
  assertEquals(await readAll(fewer), counting(12));
});

Deno.test("sync offsets shift sixteen images as LiberTEM does", async () => {
  const options: OpenOptions = { dtype: "uint8", sig: [1], nav: [4, 4] };
  const shown = async (
    syncOffset: number,
  ) => [...await readAll(await open(counting(16, 1), { ...options, syncOffset }))];
  assertEquals(await shown(-3), [0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
  assertEquals(await shown(2), [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 0, 0]);
  for (const syncOffset of [-15, 15]) await open(counting(16), { ...options, syncOffset });
  for (const syncOffset of [-16, 16, 0.5, NaN]) {
    await failure(open(counting(16), { ...options, syncOffset }), "invalid");
  }
});

Deno.test("byte order comes from the option or the mark, which must agree", async () => {
  const bytes = Uint8Array.of(1, 2);
  const order = async (options: OpenOptions) => (await open(bytes, { sig: [1], ...options })).byteOrder;
  assertEquals(await order({ dtype: "uint16" }), "little");
  assertEquals(await order({ dtype: ">u2" }), "big");
  assertEquals(await order({ dtype: "uint16", byteOrder: "big" }), "big");
  await failure(open(bytes, { sig: [1], dtype: "<u2", byteOrder: "big" }), "invalid");
  await failure(open(bytes, { sig: [1], dtype: "uint12" }), "invalid");
});

Deno.test("packed bits take the smallest type that holds them", async () => {
  const bytes = Uint8Array.of(0x12, 0x34, 0x56, 0xab, 0xcd, 0xef);
  const scan = await open(bytes, { bits: 12, sig: [2] });
  assertEquals([scan.dtype, scan.shape], ["uint16", [2, 2]]);
  assertEquals(new Uint16Array((await readAll(scan)).buffer), Uint16Array.of(0x412, 0x563, 0xdab, 0xefc));
  assertEquals((await open(bytes, { bits: 8, sig: [6], dtype: "int8" })).layout.storage, {
    kind: "contiguous",
  });
  assertEquals((await open(bytes, { bits: 24, sig: [2] })).dtype, "uint32");
  await failure(open(bytes, { bits: 12, sig: [2], dtype: "float32" }), "invalid");
  for (const bits of [0, 33, 1.5]) await failure(open(bytes, { bits, sig: [2] }), "invalid");
});

Deno.test("a size that is not a whole number of frames says what there is and what would fit", async () => {
  const error = await failure(open(counting(20), { ...U8, nav: [2, 2] }), "truncated");
  for (
    const part of ["20 bytes", "takes 6", "3 frames", "leave 2 bytes", "2 × 2 takes 24", "headerBytes 2"]
  ) {
    assertStringIncludes(error.message, part);
  }
  const { found, frameBytes, completeFrames, remainder } = error.details;
  assertEquals([found, frameBytes, completeFrames, remainder], [20, 6, 3, 2]);
  const twice = await failure(open(counting(45), { dtype: "uint16", nav: [5], sig: [3, 3] }), "truncated");
  assertStringIncludes(twice.message, "a dtype of 1 bytes");
  const part = await open(counting(20), { ...U8, allowTruncated: true });
  assertEquals([part.images, part.warnings.length], [3, 1]);
  await failure(open([counting(20), counting(6)], { ...U8, allowTruncated: true }), "truncated");
  await failure(open(counting(5), { ...U8, allowTruncated: true }), "truncated");
  await failure(open(counting(5), { ...U8, headerBytes: 9 }), "truncated");
  await failure(open(new Uint8Array(), U8), "truncated");
});

Deno.test("raw frames that are not described are refused", async () => {
  const bytes = counting(12);
  assertStringIncludes(
    (await failure(open(bytes, { format: "raw" }), "invalid")).message,
    "shape of a frame",
  );
  assertStringIncludes((await failure(open(bytes, { format: "raw", sig: [6] }), "invalid")).message, "type");
  const wrong: OpenOptions[] = [
    { sig: [0, 3] },
    { sig: [-1] },
    { sig: [1.5] },
    { nav: [0] },
    { nav: [NaN] },
    { headerBytes: -1 },
    { frameHeaderBytes: 0.5 },
    { frameFooterBytes: Infinity },
  ];
  for (const options of wrong) await failure(open(bytes, { ...U8, ...options }), "invalid");
  for (const size of [2 ** 52, 2 ** 40]) {
    await failure(open(bytes, { dtype: "uint8", sig: [size, size] }), "overflow");
    await failure(open(bytes, { ...U8, nav: [size, size] }), "overflow");
  }
});

import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { TilewiseError } from "../../src/errors.ts";
import { boxSize } from "../../src/space/box.ts";
import { type DType, dtypeInfo } from "../../src/space/dtype.ts";
import { type Shape, sizeOf } from "../../src/space/shape.ts";
import { bordersAreClear } from "./clear_borders.ts";
import { negotiate, type NegotiationRequest, type TileWish } from "../../src/dataset/tiling/negotiate.ts";

type Row = [name: string, request: NegotiationRequest, tile: Shape, slices?: number];

const tile: TileWish = { name: "tile", method: "tile" };
const best: TileWish = { name: "best", method: "tile", totalBytes: "bestFit" };
const frame: TileWish = { name: "frame", method: "frame" };
const partition: TileWish = { name: "partition", method: "partition" };

function ask(
  sigShape: Shape,
  partitionFrames: number,
  dtype: DType,
  udfs: TileWish[],
  more: Partial<NegotiationRequest> = {},
): NegotiationRequest {
  const readDType = more.readDType ?? dtype;
  const needsDecode = more.needsDecode ?? readDType !== dtype;
  return { sigShape, partitionFrames, dtype, udfs, ...more, readDType, needsDecode };
}

const f4 = { readDType: "float32" } as const;
const copy = { needsDecode: true };
const a = (udfs: TileWish[], more: Partial<NegotiationRequest> = f4) =>
  ask([256, 256], 2048, "uint16", udfs, more);
const c = (udfs: TileWish[]) => ask([1024, 1024], 128, "float32", udfs);
const d = (udfs: TileWish[]) => ask([2048, 2048], 25, "uint8", udfs, f4);
const excluded = [[100, 7], [31, 200]];
const hdf5 = (udfs: TileWish[], base: Shape, frames: number, more: Partial<NegotiationRequest> = {}) =>
  ask([256, 256], frames, "float32", udfs, { ...copy, baseShape: base, ...more });
const chunked = { minSigPixels: 1024, ioMaxBytes: 256e6 };
const contiguousHdf5 = { minSigPixels: 32 * 4096 / 4 };
const k2 = (udfs: TileWish[], more: Partial<NegotiationRequest> = {}) =>
  ask([1860, 2048], 8, "uint16", udfs, { ...f4, baseShape: [930, 16], ...more });

const ROWS: readonly Row[] = [
  ["A1 float32", a([tile]), [32, 32, 256], 8],
  ["A2 native", a([tile], {}), [2048, 256, 256], 1],
  ["A3 best fit", a([best]), [32, 32, 256]],
  ["A4 native best fit", a([best], {}), [64, 32, 256]],
  ["A5 frame", a([frame]), [4, 256, 256]],
  ["A6 partition", a([partition]), [2048, 256, 256]],
  ["A7 tile and frame", a([tile, frame]), [4, 256, 256]],
  ["A8 depth max", a([{ ...tile, depth: "max" }]), [32, 32, 256]],
  ["A9 depth 7, 300000 B", a([{ ...tile, depth: 7, totalBytes: 300000 }]), [9, 32, 256]],
  ["A10 native with ROI", a([tile], copy), [64, 32, 256]],
  ["C1 default", c([tile]), [128, 1024, 1024]],
  ["C2 best fit", c([best]), [64, 4, 1024], 256],
  ["C3 frame", c([frame]), [1, 1024, 1024]],
  ["D1 float32", d([tile]), [16, 8, 2048], 256],
  ["D2 frame", d([frame]), [1, 2048, 2048]],
  ["E tile", ask([17, 23], 7, "float32", [tile]), [7, 17, 23]],
  ["E best", ask([17, 23], 7, "float32", [best]), [7, 17, 23]],
  ["E frame", ask([17, 23], 7, "float32", [frame]), [7, 17, 23]],
  ["E partition", ask([17, 23], 7, "float32", [partition]), [7, 17, 23]],
  ["F one signal dimension", ask([2000], 128, "float32", [tile]), [128, 2000]],
  ["G1 excluded", a([tile], { ...f4, excluded }), [34, 30, 256], 9],
  [
    "G2 excluded, depth 4",
    a([{ ...tile, depth: 4, totalBytes: 65536 }], { ...f4, excluded }),
    [2, 30, 256],
  ],
  ["G3 dark frame only", a([tile], f4), [32, 32, 256]],
  ["H1 sync −5", a([tile], copy), [64, 32, 256]],
  ["H2 sync +5", a([tile], {}), [2048, 256, 256]],
  ["I1 tile", hdf5([tile], [1, 256], 512, contiguousHdf5), [8, 128, 256]],
  ["I1 frame", hdf5([frame], [1, 256], 512, contiguousHdf5), [4, 256, 256]],
  [
    "I1 ROI",
    hdf5([tile], [1, 256], 512, { ...contiguousHdf5, veto: () => [1, 256, 256] }),
    [1, 256, 256],
  ],
  ["I2 default", hdf5([tile], [32, 32], 512, chunked), [512, 256, 256]],
  ["I2 best fit", hdf5([best], [32, 32], 512, chunked), [256, 32, 32], 64],
  ["I3 default", hdf5([tile], [32, 32], 128, chunked), [128, 256, 256]],
  [
    "I3 best fit",
    hdf5([best], [32, 32], 128, { ...chunked, veto: () => [4, 256, 256] }),
    [4, 256, 256],
  ],
  ["I4 best fit", hdf5([best], [8, 8], 512, chunked), [256, 128, 8]],
  ["K1 tile", k2([tile]), [8, 1860, 16], 128],
  ["K1 frame", k2([frame]), [1, 1860, 2048]],
  ["K2", k2([{ ...best, depth: 128 }], { excluded: [[930, 16]] }), [4, 1860, 32]],
  ["T1 best", ask([128, 128], 128, "float32", [best]), [64, 32, 128]],
  ["T1 frame", ask([128, 128], 128, "float32", [frame]), [16, 128, 128]],
  ["T1 partition", ask([128, 128], 128, "float32", [partition]), [128, 128, 128]],
  ["T2 memory", ask([144, 144], 1024, "float32", [best]), [65, 28, 144]],
  ["T2 base", ask([264, 264], 2048, "float32", [best], { baseShape: [8, 264] }), [124, 8, 264]],
];

for (const [name, request, expected, slices] of ROWS) {
  Deno.test(`negotiate ${name} gives ${expected.join(" × ")}`, () => {
    const scheme = negotiate(request);
    assertEquals(scheme.tileShape, expected);
    assertEquals(scheme.depth, expected[0]!);
    if (slices !== undefined) assertEquals(scheme.slices.length, slices);
    assert(scheme.why.length >= 3);
  });
}

Deno.test("pieces narrower than a frame are no stretch of it, unless one function needs whole frames", () => {
  const wishes = (udfs: TileWish[]) =>
    negotiate(k2(udfs.map((udf) => ({ ...udf, contiguous: true })))).tileShape;
  assertEquals(wishes([tile]), [8, 1860, 16]);
  assertEquals(wishes([tile, best]), wishes([tile]));
  const whole = negotiate(k2([{ ...frame, contiguous: true }])).tileShape;
  assertEquals(wishes([tile, frame]), whole);
  assertEquals(wishes([frame, tile]), whole);
});

Deno.test("a buffered reader is the same as a copy (A11)", () => {
  assertEquals(negotiate(a([tile], copy)).tileShape, [64, 32, 256]);
});

function refused(request: NegotiationRequest, words: RegExp): void {
  const error = assertThrows(() => negotiate(request), TilewiseError);
  assertEquals(error.code, "invalid");
  assert(words.test(error.message), error.message);
}

Deno.test("a veto to an odd signal size warns, and is refused with excluded pixels", () => {
  const veto = ([depth, , width]: Shape) => [depth!, 16, width!];
  const scheme = negotiate(a([tile], { ...f4, veto }));
  assertEquals(scheme.tileShape, [32, 16, 256]);
  assert(/neither the negotiated nor the full/.test(scheme.warnings[0]!));
  refused(a([tile], { ...f4, veto, excluded }), /excluded pixel/);
});

Deno.test("tiles that do not fit, are too large, or are no multiple of the base are refused", () => {
  refused(a([tile], { ...f4, veto: () => [1, 257, 256] }), /do not fit/);
  refused(a([tile], { ...f4, veto: () => [64, 256, 256] }), /more than the limit of 1 MiB/);
  refused(a([tile], { ...f4, baseShape: [16, 256], veto: () => [1, 24, 256] }), /not a multiple/);
  refused(a([tile], { ...f4, veto: () => [1, 256] }), /not a tile shape/);
});

Deno.test("excluded pixels may force one frame that is too large: that is a warning", () => {
  assertEquals(negotiate(d([tile])).warnings, []);
  const forced = negotiate({ ...d([tile]), excluded: Array.from({ length: 700 }, (_, i) => [2 * i, 2 * i]) });
  assertEquals(forced.tileShape, [1, 2048, 2048]);
  assert(/excluded pixels leave no smaller/.test(forced.warnings[0]!));
});

Deno.test("requests that cannot be right are refused", () => {
  refused(a([]), /at least one UDF/);
  refused({ ...a([tile]), partitionFrames: 0 }, /partitions of 0 frames/);
  refused({ ...a([tile]), sigShape: [256, 0] }, /256 × 0/);
  refused({ ...a([tile]), baseShape: [4] }, /base shape/);
  refused({ ...a([tile]), excluded: [[256, 0]] }, /not in a frame/);
  refused(a([{ ...tile, depth: 0 }]), /1 or more/);
});

// Property: over random requests.

const wish: fc.Arbitrary<TileWish> = fc.record({
  name: fc.constantFrom("a", "b"),
  method: fc.constantFrom("tile", "tile", "frame", "partition"),
  depth: fc.oneof(fc.integer({ min: 1, max: 200 }), fc.constant("max" as const)),
  totalBytes: fc.oneof(fc.integer({ min: 1, max: 1 << 21 }), fc.constantFrom("bestFit", "max")),
});

const request: fc.Arbitrary<NegotiationRequest> = fc.record({
  sigShape: fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 3 }),
  partitionFrames: fc.integer({ min: 1, max: 300 }),
  dtype: fc.constantFrom<DType[]>("uint8", "uint16", "float32"),
  readDType: fc.constantFrom<DType[]>("float32", "float64"),
  needsDecode: fc.boolean(),
  udfs: fc.array(wish, { minLength: 1, maxLength: 3 }),
  contiguous: fc.boolean(),
  targetBytes: fc.integer({ min: 1, max: 1 << 16 }),
  bad: fc.array(fc.array(fc.nat(), { minLength: 3, maxLength: 3 }), { maxLength: 5 }),
}).map(({ bad, contiguous, ...rest }) => ({
  ...rest,
  udfs: rest.udfs.map((one) => ({ ...one, contiguous })),
  excluded: bad.map((at) => rest.sigShape.map((n, dim) => at[dim]! % n)),
}));

Deno.test("slices cover every pixel once, tiles keep the limit, borders stay clear of excluded pixels", () => {
  fc.assert(
    fc.property(request, (asked) => {
      const scheme = negotiate(asked);
      const covered = new Uint8Array(sizeOf(asked.sigShape));
      for (const { origin, shape } of scheme.slices) {
        forEachPixel(origin, shape, asked.sigShape, (flat) => covered[flat]!++);
      }
      assert(covered.every((n) => n === 1));
      assertEquals(scheme.slices.reduce((n, slice) => n + boxSize(slice), 0), covered.length);
      assert(bordersAreClear(scheme.tileShape.slice(1), asked.sigShape, asked.excluded!));
      assert(scheme.depth >= 1 && scheme.depth <= asked.partitionFrames);
      const contiguous = asked.udfs.every((one) => one.contiguous);
      if (!contiguous && asked.excluded!.length === 0) assert(withinLimits(asked, scheme.tileShape));
    }),
    { numRuns: 1500, seed: 42 },
  );
});

/** The largest of: a frame, a partition (where allowed), 1 MiB. */
function withinLimits(
  { sigShape, partitionFrames, readDType, needsDecode, udfs }: NegotiationRequest,
  shape: Shape,
) {
  const item = dtypeInfo(readDType).itemSize;
  const partitionBytes = sizeOf(sigShape) * partitionFrames * item;
  const free = !needsDecode || udfs.some((one) => one.method === "partition");
  return sizeOf(shape) * item <= (free ? Math.max(partitionBytes, 1 << 20) : 1 << 20);
}

function forEachPixel(
  origin: Shape,
  shape: Shape,
  whole: Shape,
  visit: (flat: number) => void,
  d = 0,
  base = 0,
) {
  if (d === whole.length) return visit(base);
  for (let i = 0; i < shape[d]!; i++) {
    forEachPixel(origin, shape, whole, visit, d + 1, base * whole[d]! + origin[d]! + i);
  }
}

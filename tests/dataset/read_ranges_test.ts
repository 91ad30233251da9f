import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { type Box, box, gridOf, isContiguous, tileBoxes } from "../../src/space/box.ts";
import { sizeOf } from "../../src/space/shape.ts";
import { fileOf, pixelRuns, type ReadRangeRequest, readRanges } from "../../src/dataset/layout/frame_part.ts";

// Two files, 4 frames after a header of 16 bytes and 2 frames; u2 of 4 × 8; 8 + 64 + 4 bytes per frame.
const example: ReadRangeRequest = {
  start: 0,
  stop: 6,
  depth: 3,
  slices: [box([0, 0], [2, 8]), box([2, 0], [2, 8])],
  files: [{ start: 0, end: 4, headerBytes: 16 }, { start: 4, end: 6, headerBytes: 0 }],
  sigShape: [4, 8],
  bitsPerPixel: 16,
  frameHeaderBytes: 8,
  frameFooterBytes: 4,
};

const brief = (request: ReadRangeRequest) =>
  [...readRanges(request)].map(({ tile, slice, ranges }) => ({
    origin: tile.origin,
    shape: tile.shape,
    slice,
    ranges: ranges.map(({ file, start, stop }) => [file, start, stop]),
  }));

Deno.test("read ranges of all frames of the example", () => {
  assertEquals(brief(example), [
    { origin: [0, 0, 0], shape: [3, 2, 8], slice: 0, ranges: [[0, 24, 56], [0, 100, 132], [0, 176, 208]] },
    { origin: [0, 2, 0], shape: [3, 2, 8], slice: 1, ranges: [[0, 56, 88], [0, 132, 164], [0, 208, 240]] },
    { origin: [3, 0, 0], shape: [3, 2, 8], slice: 0, ranges: [[0, 252, 284], [1, 8, 40], [1, 84, 116]] },
    { origin: [3, 2, 0], shape: [3, 2, 8], slice: 1, ranges: [[0, 284, 316], [1, 40, 72], [1, 116, 148]] },
  ]);
});

const ONE: Partial<ReadRangeRequest> = { slices: [box([0, 0], [2, 8])] };
const CASES: readonly [string, Partial<ReadRangeRequest>, number, number, number[][]][] = [
  ["ROI", { roi: [1, 4, 5] }, 0, 3, [[0, 100, 132], [1, 8, 40], [1, 84, 116]]],
  ["ROI, partition [3, 6)", { roi: [1, 4, 5], start: 3 }, 1, 2, [[1, 8, 40], [1, 84, 116]]],
  ["sync +2 reads [2, 5)", { syncOffset: 2, stop: 3 }, 0, 3, [[0, 176, 208], [0, 252, 284], [1, 8, 40]]],
  ["sync −2 reads [−2, 1)", { syncOffset: -2, stop: 3 }, 2, 1, [[0, 24, 56]]],
];

for (const [name, more, origin, depth, ranges] of CASES) {
  Deno.test(`read ranges of the example: ${name}`, () => {
    assertEquals(brief({ ...example, ...ONE, ...more }), [
      { origin: [origin, 0, 0], shape: [depth, 2, 8], slice: 0, ranges },
    ]);
  });
}

Deno.test("12 bits per pixel make a 2 × 8 slice 24 bytes", () => {
  const { ranges } = [...readRanges({ ...example, ...ONE, bitsPerPixel: 12, start: 1 })][0]!;
  assertEquals(ranges[0]!.stop - ranges[0]!.start, 24);
  assertEquals(ranges[0]!.start, 16 + 2 * 8 + 4 + 48);
});

Deno.test("partitions in the blank part of a scan read nothing", () => {
  assertEquals(brief({ ...example, syncOffset: -3, stop: 3 }), []);
  assertEquals(brief({ ...example, syncOffset: 4, start: 2 }), []);
  assertEquals(brief({ ...example, start: 6, stop: 9 }), []);
});

Deno.test("a slice is one run exactly when it is contiguous", () => {
  const whole = [3, 2, 4];
  for (
    const shape of [[1, 1, 2], [2, 2, 4], [1, 2, 4], [1, 2, 3], [2, 1, 4], [3, 2, 4], [3, 1, 1], [1, 1, 4]]
  ) {
    const slice = box([0, 0, 0], shape);
    assertEquals(pixelRuns(slice, whole).length === 1, isContiguous(slice, whole), `${shape}`);
  }
  assertEquals(pixelRuns(box([0, 1, 0], [2, 1, 4]), whole), [{ start: 4, length: 4 }, {
    start: 12,
    length: 4,
  }]);
});

Deno.test("a file is found by any of its images", () => {
  const files = [0, 3, 4, 9].map((start, i, all) => ({ start, end: all[i + 1] ?? 12, headerBytes: 0 }));
  assertEquals(Array.from({ length: 12 }, (_, i) => fileOf(files, i)), [0, 0, 0, 1, 2, 2, 2, 2, 2, 3, 3, 3]);
});

// An independent reader: it writes the files down byte by byte and looks up where each pixel went.

interface Scan {
  readonly request: ReadRangeRequest;
  /** Per image and pixel: file and byte offset of its first byte. */
  readonly places: [number, number][][];
}

function writeDown(request: ReadRangeRequest): [number, number][][] {
  const { files, sigShape, bitsPerPixel, frameHeaderBytes = 0, frameFooterBytes = 0 } = request;
  const places: [number, number][][] = [];
  files.forEach((file, number) => {
    let at = file.headerBytes;
    for (let image = file.start; image < file.end; image++) {
      at += frameHeaderBytes;
      places.push(Array.from({ length: sizeOf(sigShape) }, () => {
        const place: [number, number] = [number, at];
        at += bitsPerPixel / 8;
        return place;
      }));
      at += frameFooterBytes;
    }
  });
  return places;
}

const scan: fc.Arbitrary<Scan> = fc.record({
  sigShape: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }),
  tile: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 3, maxLength: 3 }),
  files: fc.array(fc.record({ images: fc.nat(4), headerBytes: fc.nat(9) }), { minLength: 1, maxLength: 4 }),
  bitsPerPixel: fc.constantFrom(8, 12, 16, 32),
  frameHeaderBytes: fc.nat(5),
  frameFooterBytes: fc.nat(5),
  depth: fc.integer({ min: 1, max: 5 }),
  frames: fc.integer({ min: 1, max: 14 }),
  range: fc.tuple(fc.nat(14), fc.nat(14)),
  mask: fc.option(fc.array(fc.boolean(), { minLength: 14, maxLength: 14 }), { nil: undefined }),
  syncOffset: fc.integer({ min: -8, max: 8 }),
}).map(({ tile, files, mask, range, frames, bitsPerPixel, ...rest }) => {
  // Packed samples are whole bytes only when rows are even.
  const sigShape = bitsPerPixel === 12
    ? [...rest.sigShape.slice(0, -1), 2 * rest.sigShape.at(-1)!]
    : rest.sigShape;
  const cut = sigShape.map((n, d) => Math.min(n, tile[d]! * (bitsPerPixel === 12 ? 2 : 1)));
  const start = Math.min(range[0], range[1], frames);
  let next = 0;
  const request: ReadRangeRequest = {
    ...rest,
    bitsPerPixel,
    sigShape,
    start,
    stop: Math.min(Math.max(range[0], range[1]), frames),
    files: files.map(({ images, headerBytes }) => ({ start: next, end: next += images, headerBytes })),
    slices: [...tileBoxes(gridOf(sigShape, cut))],
    ...(mask ? { roi: mask.flatMap((on, i) => on && i < frames ? [i] : []) } : {}),
  };
  return { request, places: writeDown(request) };
});

Deno.test("read ranges hold the bytes of every pixel, where an independent reader finds them", () => {
  fc.assert(
    fc.property(scan, ({ request, places }) => {
      const { start, stop, roi, syncOffset = 0, slices, bitsPerPixel, sigShape, depth } = request;
      const selected = (n: number) => !roi || Array.from(roi).includes(n);
      const shown: { image: number; compressed: number }[] = [];
      for (let n = start; n < stop; n++) {
        const before = Array.from({ length: n }, (_, i) => i).filter(selected).length;
        if (selected(n) && places[n + syncOffset]) shown.push({ image: n + syncOffset, compressed: before });
      }
      const tiles = [...readRanges(request)];
      assertEquals(tiles.length, Math.ceil(shown.length / depth) * slices.length);
      tiles.forEach(({ tile, slice, ranges }, t) => {
        const block = shown.slice(Math.floor(t / slices.length) * depth).slice(0, depth);
        assertEquals(slice, t % slices.length);
        assertEquals(tile.origin, [block[0]!.compressed, ...slices[slice]!.origin]);
        assertEquals(tile.shape, [block.length, ...slices[slice]!.shape]);
        const expected = block.flatMap(({ image }) =>
          pixelsOf(slices[slice]!, sigShape).map((p) => places[image]![p]!)
        );
        assertEquals(
          bytesOf(expected, bitsPerPixel),
          ranges.flatMap(({ file, start, stop }) =>
            Array.from({ length: stop - start }, (_, i) => `${file}:${start + i}`)
          ),
        );
      });
    }),
    { numRuns: 1000, seed: 5 },
  );
});

function pixelsOf({ origin, shape }: Box, whole: readonly number[]): number[] {
  return Array.from({ length: sizeOf(whole) }, (_, p) => p).filter((p) => {
    let rest = p;
    for (let d = whole.length - 1; d >= 0; d--) {
      const at = rest % whole[d]!;
      if (at < origin[d]! || at >= origin[d]! + shape[d]!) return false;
      rest = Math.floor(rest / whole[d]!);
    }
    return true;
  });
}

/** The bytes that pixels touch, each once, in order. */
function bytesOf(places: [number, number][], bits: number): string[] {
  const bytes = places.flatMap(([file, at]) => {
    const last = Math.ceil(at + bits / 8);
    return Array.from({ length: last - Math.floor(at) }, (_, i) => `${file}:${Math.floor(at) + i}`);
  });
  assert(bytes.length > 0);
  return [...new Set(bytes)];
}

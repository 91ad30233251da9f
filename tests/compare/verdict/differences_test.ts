/** The rows of differences on purpose: what each excuses, and that it excuses nothing else. */

import "../../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import type { ErrorCode } from "../../../src/errors.ts";
import * as blobs from "../../../src/udf/builtin/blobfinder/mod.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import { createContext } from "../../../src/runner/context.ts";
import { type Mismatch, numbersOf, type Results } from "../compare.ts";
import { randomSubject } from "../data/data.ts";
import { Random } from "../data/random.ts";
import { DIFFERENCES } from "./differences.ts";
import { excuses, type Found } from "./excuses.ts";
import { openData, writeData } from "../data/files.ts";
import type { Case, DataSpec } from "../data/spec.ts";
import { NO_SCAN, truthOf } from "../data/truth.ts";
import { compute, type Opened } from "../work.ts";
import { WORKS } from "../works/index.ts";

const RUN = { onWorkers: false } as const;

const DATA: DataSpec = {
  nav: [2, 2],
  sig: [24, 26],
  dtype: "uint16",
  byteOrder: "little",
  pattern: "field",
  seed: 3,
  file: "raw",
  images: 4,
  syncOffset: 0,
};

function list(...values: number[]) {
  return ndarray(Float64Array.from(values), [values.length], "float64");
}

function rowsOf(found: Found): string[] {
  return excuses(found, DIFFERENCES).map(({ name }) => name);
}

function values(name: string, ours: Results, theirs: Results, at: readonly number[]): Mismatch {
  return { name, what: "values", text: "", at, ours: ours[name]!, theirs: theirs[name]! };
}

Deno.test("rows can be asked about comparisons of every work that have no results", () => {
  for (let run = 0; run < 50; run++) {
    const subject = randomSubject(1, run);
    const truth = truthOf(subject);
    for (const work of WORKS.filter(({ suits }) => suits?.(subject) ?? true)) {
      const params = work.params(new Random(1, run, work.word), subject);
      for (const what of ["missing", "refused", "peer refused", "not compared"] as const) {
        const mismatch = { name: "", what, text: "", at: [] };
        const at = { ...subject, word: work.word, params };
        excuses({ mismatch, at, truth: work.alone ? NO_SCAN : truth }, DIFFERENCES);
      }
    }
  }
});

Deno.test("geometry without a pixel is excused where the peer has nothing, too", () => {
  const ring =
    "we refuse: Cannot make a ring: frames of [24, 26] have no pixel from 5 to 7 px around (90, 2)";
  const found = (
    theirs: Results,
    text = ring,
    params: Case["params"] = {},
    code: ErrorCode = "invalid",
  ): Found => ({
    mismatch: { name: "", what: "refused", code, text, at: [] },
    at: { data: DATA, run: RUN, word: "generators", params },
    truth: NO_SCAN,
    theirs,
  });
  const isExcused = (...given: Parameters<typeof found>) => rowsOf(found(...given)).length > 0;
  assertEquals(rowsOf(found({ mask: list(NaN, NaN) })), ["geometry without a pixel"]);
  assert(isExcused({ intensity: list(0, 0) }));
  assert(isExcused({ raw_com: list(9, 9), raw_shifts: list(0, 0) }));
  assert(!isExcused({ mask: list(0, 1) }));
  assert(!isExcused({}));
  assert(!isExcused({ mask: list(0, 0) }, "we refuse: Cannot make a ring"));
  assert(!isExcused({ mask: list(0, 0) }, ring, {}, "corrupt"));
  const moved = "we refuse: Cannot shift masks by (24, 0): no pixel of them is left in frames of [24, 26]";
  assert(isExcused({ intensity: list(0, 0) }, moved));
  assert(!isExcused({ intensity: list(0, 3) }, moved));
  const stack = { mask: ndarray(Float64Array.of(0, 0, 1, 1), [2, 1, 2], "float64") };
  assert(isExcused(stack, ring, { name: "stampDisks" }));
  assert(!isExcused(stack, ring, { name: "circular" }));
  const hole = "we refuse: Cannot make a hole: frames of [24, 26] have no pixel within 0.1 px of (3.5, 3.5)";
  assert(isExcused({ intensity: list(5) }, hole, { real: { cy: 3.5, cx: 3.5, r: 0.1 } }));
  assert(!isExcused({ intensity: list(5) }, hole, { real: { cy: 3.5, cx: 3.5, r: 1 } }));
});

Deno.test("a mask of one row more is excused, one of two is not", () => {
  const isExcused = (rows: number) => {
    const [ours, theirs] = [18, rows].map((n) => ndarray(new Uint8Array(n), [n, 1], "bool"));
    const mismatch = { name: "mask", what: "shape", text: "", at: [], ours: ours!, theirs: theirs! } as const;
    const at = { data: DATA, run: RUN, word: "generators", params: {} };
    return rowsOf({ mismatch, at, truth: NO_SCAN, theirs: {} }).length > 0;
  };
  assert(isExcused(19));
  assert(!isExcused(20));
  assert(!isExcused(17));
});

Deno.test("an infinite elevation is excused in the middle of three steps alone", () => {
  const found = (steps: number, place: readonly [number, number], elevation = Infinity): Found => {
    const ours = { peak_elevations: list(0) };
    const theirs = { peak_elevations: list(elevation), refineds: list(...place) };
    const params = { pattern: { kind: "circular", radius: 2 }, peaks: [[8.5, 11]], steps };
    const at = { data: DATA, run: RUN, word: "correlate-sparse", params };
    return { mismatch: values("peak_elevations", ours, theirs, [0]), at, truth: NO_SCAN, ours, theirs };
  };
  assertEquals(rowsOf(found(1, [8.05, 10.95])), ["peaks in the middle of three steps"]);
  assertEquals(rowsOf(found(1, [8.2, 10.9])), []); // a corner is 1.5 px away
  assertEquals(rowsOf(found(1, [8.05, 10.95], 1.2)), []);
  assertEquals(rowsOf(found(2, [8.05, 10.95])), []);
});

Deno.test("sums of boxes are excused where ours are those of the samples", () => {
  const data: DataSpec = { ...DATA, sig: [4, 5, 6] };
  const truth = truthOf({ data, run: RUN });
  const sums = truth.present.map((position) => truth.samples(position).reduce((sum, x) => sum + x, 0));
  const found = (off: number, params: Case["params"], sig = data.sig): Found => {
    const ours = { sum: list(...sums.map((sum) => sum + off)) };
    const theirs = { sum: list(...sums.map((sum) => sum + 3)) };
    const at = { data: { ...data, sig }, run: RUN, word: "own-moments", params };
    return { mismatch: values("sum", ours, theirs, [0, 1, 2, 3]), at, truth, ours, theirs };
  };
  assertEquals(rowsOf(found(0, { totalBytes: 500 })), ["boxes of frames of three dimensions"]);
  assertEquals(rowsOf(found(0.01, { totalBytes: 500 })), []);
  assertEquals(rowsOf(found(0, { totalBytes: 1000 })), []); // a whole frame
  assertEquals(rowsOf(found(0, {})), []);
  assertEquals(rowsOf(found(0, { totalBytes: 500 }, [20, 6])), []);
});

Deno.test("the disk that nobody gives is excused in narrow frames, where ours is that of one pixel", () => {
  const data: DataSpec = { ...DATA, sig: [4, 26] };
  const truth = truthOf({ data, run: RUN });
  const pixels = truth.present.map((position) => truth.samples(position)[26 + 5]!); // of row 1, column 5
  const found = (off: number, params: Case["params"] = { cy: 1.2, cx: 5 }, sig = data.sig): Found => {
    const ours = { intensity: list(...pixels.map((pixel) => pixel + off)) };
    const at = { data: { ...data, sig }, run: RUN, word: "disk", params };
    const mismatch = values("intensity", ours, { intensity: list(0, 0, 0, 0) }, [0, 1, 2, 3]);
    return { mismatch, at, truth, ours };
  };
  assertEquals(rowsOf(found(0)), ["the usual disk of narrow frames"]);
  assertEquals(rowsOf(found(1)), []);
  assertEquals(rowsOf(found(0, { cy: 1.2, cx: 5, r: 0.1 })), []);
  assertEquals(rowsOf(found(0, { cy: 1.2, cx: 5 }, [8, 13])), []); // a usual radius of 1.2 px
  const waves = { data: { ...data, dtype: "complex64", pattern: "fractions" }, run: RUN } as const;
  const parts = truthOf(waves).samples(0).subarray(2 * (26 + 5), 2 * (26 + 5) + 2);
  const ofWaves = (real: number, imaginary: number): Found => {
    const ours = { intensity: ndarray(Float64Array.of(real, imaginary), [1], "complex128") };
    const mismatch = values("intensity", ours, { intensity: list(0, 0) }, [0, 1]);
    const at = { ...waves, word: "disk", params: { cy: 1.2, cx: 5 } };
    return { mismatch, at, truth: truthOf(waves), ours };
  };
  assertEquals(rowsOf(ofWaves(parts[0]!, parts[1]!)), ["the usual disk of narrow frames"]);
  assertEquals(rowsOf(ofWaves(parts[0]!, parts[0]!)), []);
});

Deno.test("a cropped template is excused where the peer has found what it finds", async () => {
  const pattern = { kind: "gradient-background", radius: 1.5, outer: 3 } as const;
  const params = { pattern, peaks: [[8.5, 11], [15, 13]], upsample: false, shifts: null, steps: 3 };
  const opened = await openedData();
  const work = WORKS.find(({ word }) => word === "correlate-sparse")!;
  const ours = await work.ours(opened, params);
  const theirs = await compute(
    opened,
    blobs.correlatePattern({
      pattern: croppedCone(),
      peaks: [[8.5, 11], [15, 13]],
      method: "sparse",
      steps: 3,
    }),
  );
  await opened.context[Symbol.asyncDispose]();
  await Deno.remove(opened.folder, { recursive: true });
  const found = (other: Results, given: Case["params"] = params): Found => {
    const at = { data: DATA, run: RUN, word: "correlate-sparse", params: given };
    const mismatch = values("peak_values", ours, other, [...ours.peak_values!.data.keys()]);
    return { mismatch, at, truth: opened.truth, ours, theirs: other };
  };
  assert(
    ours.peak_values!.data.some((value, i) =>
      Math.abs(Number(value) - Number(theirs.peak_values!.data[i])) > 1
    ),
  );
  assertEquals(rowsOf(found(theirs)), ["cropped templates"]);
  const moved = list(...numbersOf(theirs.peak_values!).map((value) => value + 0.1));
  assertEquals(rowsOf(found({ ...theirs, peak_values: moved })), []);
  assertEquals(rowsOf(found(theirs, { ...params, pattern: { ...pattern, search: 4 } })), []); // there is room
});

/** The cone with a ring as the peer crops it: 7 of 8 pixels, its centre at pixel 4 instead of 3. */
function croppedCone(): blobs.MatchPattern {
  const cone = blobs.radialGradientBackgroundSubtractionPattern({ radius: 1.5, outer: 3 });
  const whole = blobs.patternMask(cone, [8, 8]).data;
  const cropped = Float64Array.from({ length: 49 }, (_, i) => Number(whole[8 * Math.floor(i / 7) + i % 7]));
  return blobs.userTemplate({ template: ndarray(cropped, [7, 7], "float64"), search: 3.5 });
}

async function openedData(): Promise<Opened> {
  const folder = await Deno.makeTempDir();
  const dataset = await openData(DATA, await writeData(DATA, folder));
  const subject = { data: DATA, run: RUN };
  return { ...subject, dataset, truth: truthOf(subject), context: createContext({ workers: 0 }), folder };
}

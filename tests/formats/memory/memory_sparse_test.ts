/** Sparse matrices in memory: row by row or entry by entry, in any order, the same as dense frames. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { TilewiseError } from "../../../src/errors.ts";
import { type OpenInput, type OpenOptions, openStored as open } from "../../../src/formats/open.ts";
import type { IndexList } from "../../../src/formats/memory/inputs.ts";
import { type DType, type TypedArray, zeros } from "../../../src/space/dtype.ts";
import { createContext } from "../../../src/runner/context.ts";
import { pickFrames } from "../../../src/udf/builtin/pick_frames.ts";
import { sumPixels } from "../../../src/udf/builtin/sum_pixels.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { csrFiles, sparseCounts } from "../../udf/csr_data.ts";
import { toSparse } from "../../udf/plan/sparse_inputs.ts";

const [NAV, SIG, FRAMES, PIXELS] = [[4, 6], [5, 7], 24, 35] as const;
const VALUES = sparseCounts(FRAMES, PIXELS);
const REAL = [
  "bool",
  "uint8",
  "int16",
  "uint16",
  "int32",
  "uint64",
  "int64",
  "float16",
  "float32",
  "float64",
] as const;

async function frames(scan: StoredDataset, workers = 0): Promise<number[]> {
  await using context = createContext({ memory: 2 ** 24, workers });
  const { it } = await run(await plan(scan, { it: pickFrames() }, { context }));
  return Array.from(it!.intensity!.data as ArrayLike<number>, Number);
}

function typed(dtype: DType, numbers: ArrayLike<number>): TypedArray {
  const array = zeros(dtype, numbers.length);
  const big = array instanceof BigInt64Array || array instanceof BigUint64Array;
  for (let i = 0; i < numbers.length; i++) array[i] = big ? BigInt(numbers[i]!) : numbers[i]!;
  return array;
}

async function refused(source: unknown, options: OpenOptions, ...words: string[]): Promise<void> {
  const error = await assertRejects(() => open(source as OpenInput, options), TilewiseError);
  assert(["invalid", "unsupported"].includes(error.code), error.message);
  for (const word of words) assertStringIncludes(error.message, word);
}

for (const workers of [0, 2]) {
  Deno.test(`entries of every type, in any order, are the frames they stand for, ${workers} workers`, async () => {
    for (const dtype of REAL) {
      const values = dtype === "bool" ? VALUES.map((v) => v > 0 ? 1 : 0) : VALUES;
      const { coo, csr } = toSparse(typed(dtype, values), PIXELS);
      for (const input of [{ coo }, { csr }]) {
        const scan = await open({ ...input, nav: NAV, sig: SIG, dtype });
        assertEquals([scan.shape, scan.dtype, scan.detection.format], [[...NAV, ...SIG], dtype, "memory"]);
        assertEquals(
          await frames(scan, workers),
          Array.from(typed(dtype, values) as Float64Array, Number),
          dtype,
        );
      }
    }
  });
}

Deno.test("places may be in any array of whole numbers", async () => {
  const { coo, csr } = toSparse(VALUES, PIXELS);
  const kinds: ((list: IndexList) => IndexList)[] = [
    (list) => Array.from(list as ArrayLike<number>),
    ...[Uint8Array, Int8Array, Uint16Array, Int32Array, Uint32Array, Float64Array].map(
      (kind) => (list: IndexList) => kind.from(list as ArrayLike<number>),
    ),
    ...[BigInt64Array, BigUint64Array].map((kind) => (list: IndexList) =>
      kind.from(Array.from(list as ArrayLike<number>, BigInt))
    ),
  ];
  for (const as of kinds) {
    const { rows, columns, data } = coo;
    const scan = await open({ coo: { rows: as(rows), columns: as(columns), data }, nav: NAV, sig: SIG });
    assertEquals(await frames(scan), [...VALUES]);
    const indptr = as(Float64Array.from(csr.indptr as ArrayLike<number>).map((n) => Math.min(n, 120)));
    const some = await open({ csr: { ...csr, indptr, indices: as(csr.indices) }, nav: NAV, sig: SIG });
    assertEquals((await frames(some)).length, FRAMES * PIXELS);
  }
});

Deno.test("entries with the same place are added up, in the order in which they came", async () => {
  const rows = [1, 0, 1, 1, 0], columns = [2, 1, 2, 0, 1];
  const coo = { rows, columns, data: Float32Array.of(1e8, 4, 1, 7, 0.5) };
  assertEquals(await frames(await open({ coo, nav: [2], sig: [3] })), [
    0,
    4.5,
    0,
    7,
    0,
    Math.fround(1e8 + 1),
  ]);
  const counts = { rows, columns, data: Uint8Array.of(200, 4, 55, 7, 5) };
  assertEquals(await frames(await open({ coo: counts, nav: [2], sig: [3] })), [0, 9, 0, 7, 0, 255]);
  const csr = { indptr: [0, 2, 4], indices: [1, 1, 0, 0], data: Uint8Array.of(200, 55, 3, 4) };
  assertEquals(await frames(await open({ csr, nav: [2], sig: [3] })), [0, 255, 0, 7, 0, 0]);
  const truth = { rows: [0, 0], columns: [1, 1], data: Uint8Array.of(1, 1) };
  assertEquals(await frames(await open({ coo: truth, nav: [1], sig: [3], dtype: "bool" })), [0, 1, 0]);
});

Deno.test("a sum of entries that the type cannot hold is an error, not another number", async () => {
  const coo = { rows: [0, 0], columns: [1, 1], data: Uint8Array.of(200, 56) };
  const scan = await open({ coo, nav: [1], sig: [3] });
  const error = await assertRejects(() => frames(scan), TilewiseError, "add up to 256");
  assertEquals(error.code, "malformed");
});

Deno.test("any matrix gives the frames of its sum of entries", async () => {
  const matrices = fc.record({
    images: fc.integer({ min: 1, max: 9 }),
    pixels: fc.integer({ min: 1, max: 20 }),
    entries: fc.array(fc.tuple(fc.nat(), fc.nat(), fc.integer({ min: -9, max: 9 })), { maxLength: 60 }),
  });
  await fc.assert(
    fc.asyncProperty(matrices, async ({ images, pixels, entries }) => {
      const expected = new Array<number>(images * pixels).fill(0);
      const places = entries.map(([r, c, v]) => [r % images, c % pixels, v] as const);
      for (const [r, c, v] of places) expected[r * pixels + c]! += v;
      const coo = {
        rows: places.map(([r]) => r),
        columns: places.map(([, c]) => c),
        data: Int16Array.from(places, ([, , v]) => v),
      };
      assertEquals(await frames(await open({ coo, nav: [images], sig: [pixels] })), expected);
    }),
    { numRuns: 60, seed: 3 },
  );
});

Deno.test("nothing is copied where the rows ascend, and entries of other orders only once", async () => {
  const { csr } = toSparse(VALUES, PIXELS);
  const { indptr, indices, data } = csr;
  const rows = Int32Array.from(
    indices as Int32Array,
    (_, e) => (indptr as Float64Array).findLastIndex((n) => n <= e),
  );
  const bufferOf = ({ layout }: StoredDataset) => {
    const { source } = layout.files[0]!;
    return source.kind === "bytes" ? source.bytes.buffer : undefined;
  };
  const sorted = await open({ coo: { rows, columns: indices, data }, nav: NAV, sig: SIG });
  assertEquals(bufferOf(sorted), data.buffer);
  assertEquals(bufferOf(await open({ csr, nav: NAV, sig: SIG })), data.buffer);
  const { coo } = toSparse(VALUES, PIXELS);
  assert(bufferOf(await open({ coo, nav: NAV, sig: SIG })) instanceof SharedArrayBuffer);
});

Deno.test("facts, blank positions and surplus entries are as of a file of rows", async () => {
  const { rows, indices, data } = csrFiles(VALUES, PIXELS, "uint16");
  const csr = {
    indptr: rows,
    indices: new Int32Array(indices.buffer),
    data: new Uint16Array(data.buffer),
  };
  const scan = await open({ csr, sig: SIG, syncOffset: -2, name: "events" });
  const entries = VALUES.filter((v) => v !== 0).length;
  assertEquals([scan.source, scan.navShape, scan.metadata.entries], ["events", [FRAMES], entries]);
  assertEquals(scan.backends, ["csr"]);
  const { it } = await run(await plan(scan, { it: sumPixels() }));
  assertEquals([...it!.intensity!.valid!].slice(0, 4), [0, 0, 1, 1]);
  const wide = await open({ csr: { ...csr, indptr: rows.subarray(0, 11) }, sig: SIG });
  assertEquals(wide.frames, 10);
  assertStringIncludes(wide.warnings.join(), "after the last row belong to no frame");
});

Deno.test("what is not a matrix is refused: which number of which list, and what would do", async () => {
  const data = Uint8Array.of(1, 2, 3);
  const coo = { rows: [0, 1, 1], columns: [0, 5, 4], data };
  const csr = { indptr: [0, 1, 3], indices: [0, 5, 4], data };
  const shape = { nav: [2], sig: [2, 3] };
  await refused(
    { coo: { ...coo, columns: [0, 6, 4] }, ...shape },
    {},
    "number 1 of its columns is 6",
    "from 0 to 5",
  );
  await refused(
    { coo: { ...coo, rows: [0, 2, 1] }, ...shape },
    {},
    "number 1 of its rows is 2",
    "from 0 to 1",
  );
  await refused({ coo: { ...coo, rows: [0, -1, 1] }, ...shape }, {}, "number 1 of its rows is -1");
  await refused({ coo: { ...coo, rows: Float64Array.of(0, 0.5, 1) }, ...shape }, {}, "is 0.5");
  await refused({ coo: { ...coo, rows: [0, NaN, 1] }, ...shape }, {}, "is NaN");
  await refused(
    { coo: { ...coo, rows: BigInt64Array.of(0n, 2n ** 60n, 1n) }, ...shape },
    {},
    "1152921504606846976",
  );
  await refused({ coo: { ...coo, rows: [0, 1] }, ...shape }, {}, "3 samples and 2 places");
  await refused({ coo: { ...coo, rows: "011" }, ...shape }, {}, "typed array or a list");
  await refused({ csr: { ...csr, indptr: [0, 2, 1] }, ...shape }, {}, "number 2 of its indptr is 1, after 2");
  await refused({ csr: { ...csr, indptr: [0, 2, 4] }, ...shape }, {}, "number of entries, which is 3");
  await refused({ csr: { ...csr, indptr: [0] }, ...shape }, {}, "one more than there are images");
  await refused({ csr: { ...csr, indices: [0, 5, 9] }, ...shape }, {}, "number 2 of its indices is 9");
  await refused({ csr, nav: [2] }, {}, "without sig");
  await refused({ coo, sig: [2, 3] }, {}, "without nav");
  await refused({ coo, ...shape }, { sigDims: 2 }, "give nav and sig");
  await refused({ coo, ...shape, dtype: "uint16" }, {}, "its samples are uint8");
  await refused(
    { coo: { ...coo, data: new Float32Array(6) }, ...shape, dtype: "complex64" },
    {},
    "real samples",
  );
  await refused({ coo, ...shape, shape: [2, 2, 3] }, {}, "has no member", "shape");
  await refused({ coo, ...shape }, { frameHeaderBytes: 1 }, "option frameHeaderBytes");
});

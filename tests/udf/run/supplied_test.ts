/** Corrections that come with a data set: applied by default, left out or replaced when asked for. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { StoredDataset } from "../../../src/dataset/dataset.ts";
import { frameBytes, type FrameLayout } from "../../../src/dataset/layout/layout.ts";
import { loadSupplied, type SuppliedCorrections } from "../../../src/dataset/supplied.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import { sumFrames } from "../../../src/udf/builtin/sum_frames.ts";
import { createContext } from "../../../src/runner/context.ts";
import type { CorrectionsInput } from "../../../src/udf/plan/corrections.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { memoryScan } from "../data.ts";

const SIG = [2, 3];
const SAMPLES = Array.from({ length: 24 }, (_, i) => 10 * i + i % 7);
const DARK = [1, 2, 3, 4, 5, 6];
const GAIN = [2, 0.5, 1, 1, 1, 3];

/** One frame in memory, big endian behind a header. */
function frame(values: number[]): FrameLayout {
  const view = new DataView(new ArrayBuffer(5 + 4 * values.length));
  values.forEach((value, i) => view.setFloat32(5 + 4 * i, value));
  return {
    files: [{
      source: { kind: "bytes", name: "map", bytes: new Uint8Array(view.buffer) },
      start: 0,
      end: 1,
      headerBytes: 5,
    }],
    sigShape: SIG,
    dtype: "float32",
    byteOrder: "big",
    frameHeaderBytes: 0,
    frameFooterBytes: 0,
    storedBytes: frameBytes(SIG, "float32"),
    storage: { kind: "contiguous" },
  };
}

function scanWith(corrections: SuppliedCorrections): StoredDataset {
  return new StoredDataset({ ...memoryScan(SAMPLES, [4], SIG, "uint16"), corrections });
}

const supplied = { dark: frame(DARK), gain: frame(GAIN), excluded: [[0, 2]], why: ["maps of this test"] };

async function sum(dataset: StoredDataset, corrections?: CorrectionsInput): Promise<[number[], string]> {
  await using context = createContext({ memory: 2 ** 24, workers: 0 });
  const planned = await plan(dataset, { sum: sumFrames() }, {
    context,
    ...(corrections ? { corrections } : {}),
  });
  return [[...(await run(planned)).sum!["intensity"]!.data as Float64Array], planned.explain()];
}

function plain(dark: number[], gain: number[]): number[] {
  return DARK.map((_, p) =>
    [0, 1, 2, 3].reduce((total, f) => total + (SAMPLES[6 * f + p]! - dark[p]!) * gain[p]!, 0)
  );
}

Deno.test("a run applies what the data set brings, and says so", async () => {
  const [found, explained] = await sum(scanWith(supplied));
  const expected = plain(DARK, GAIN);
  expected[2] = [0, 1, 2, 3].map((f) => [1, 4, 5].map((p) => (SAMPLES[6 * f + p]! - DARK[p]!) * GAIN[p]!))
    .reduce((total, near) => total + Math.fround(near.reduce((a, b) => a + b) / 3), 0);
  found.forEach((value, p) =>
    assert(Math.abs(value - expected[p]!) < 1e-3, `${p}: ${value}, ${expected[p]}`)
  );
  assert(/correct +samples, now float32.*dark frame.*gain map.*1 dead pixels/.test(explained), explained);
  assert(explained.includes("maps of this test") && explained.includes('corrections: "none"'));
});

Deno.test('"none" leaves them out', async () => {
  const [found, explained] = await sum(scanWith(supplied), "none");
  assertEquals(found, plain([0, 0, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1]));
  assert(!explained.includes("correct "), explained);
});

Deno.test("corrections of the caller replace them as a whole", async () => {
  const dark = ndarray(Float32Array.from(DARK, (v) => 10 * v), SIG, "float32");
  const [found, explained] = await sum(scanWith(supplied), { dark });
  assertEquals(found, plain(DARK.map((v) => 10 * v), [1, 1, 1, 1, 1, 1]));
  assert(explained.includes("as the caller said"), explained);
});

Deno.test("a data set without any is read as it is stored", async () => {
  const [found] = await sum(memoryScan(SAMPLES, [4], SIG, "uint16"));
  assertEquals(found, plain([0, 0, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1]));
});

Deno.test("the type of the samples follows", async () => {
  await using context = createContext({ memory: 2 ** 24, workers: 0 });
  const types = async (corrections?: CorrectionsInput) =>
    (await plan(scanWith(supplied), { sum: sumFrames() }, {
      context,
      ...(corrections ? { corrections } : {}),
    }))
      .udfs[0]!.meta.nativeDType;
  assertEquals([await types(), await types("none")], ["float32", "uint16"]);
});

Deno.test("they are read once; a map that cannot be read is an error, and tried again", async () => {
  assertEquals(await loadSupplied(supplied), await loadSupplied(supplied));
  const cut = { ...frame(DARK), files: [{ ...frame(DARK).files[0]!, headerBytes: 20 }] };
  const broken = { dark: cut, why: [] };
  await assertRejects(() => sum(scanWith(broken)));
  await assertRejects(() => sum(scanWith(broken)));
  assertEquals((await sum(scanWith(broken), "none"))[0].length, 6);
});

/** Kept samples: the results of runs are those of the file, also where positions show no image or an invalid one. */

import "../../fences/mod.ts";
import { assertEquals, assertRejects } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { openStored as open } from "../../../src/formats/open.ts";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { createContext } from "../../../src/runner/context.ts";
import { centreOfMass } from "../../../src/udf/builtin/centre_of_mass.ts";
import { pickFrames } from "../../../src/udf/builtin/pick_frames.ts";
import { standardDeviation } from "../../../src/udf/builtin/standard_deviation.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { keepSamples } from "../../../src/udf/run/keep.ts";
import { run } from "../../../src/run.ts";
import { congruential } from "../blobfinder/frames.ts";

const RAW = { format: "raw", sig: [12, 9] } as const;

function noise(samples: number): Float64Array {
  const random = congruential(7);
  return Float64Array.from({ length: samples }, () => Math.floor(900 * random.next().value!));
}

async function bitsOf(dataset: StoredDataset, roi?: readonly (readonly number[])[]): Promise<unknown> {
  await using context = createContext({ workers: 0 });
  const udfs = { com: centreOfMass(), pick: pickFrames(), dev: standardDeviation() };
  const results = await run(await plan(dataset, udfs, { context, ...(roi ? { roi } : {}) }));
  return Object.entries(results).map(([key, result]) =>
    Object.entries(result).map(([name, { data, valid, shape, dtype }]) => [
      key,
      name,
      shape,
      dtype,
      new Uint8Array(data.buffer, data.byteOffset, data.byteLength),
      valid,
    ])
  );
}

Deno.test("kept samples give the bits of the file for every sync offset, byte order, validity and region", async () => {
  const values = noise(7 * 12 * 9);
  const swapped = Uint16Array.from(values, (v) => (v & 255) << 8 | v >> 8);
  const scans: Promise<StoredDataset>[] = [-6, -3, -1, 0, 2, 6].flatMap((syncOffset) => [
    open(new Uint8Array(swapped.buffer), {
      ...RAW,
      dtype: "uint16",
      byteOrder: "big",
      nav: [2, 4],
      syncOffset,
    }),
    open({ data: Float32Array.from(values), shape: [7, 12, 9], valid: Uint8Array.of(1, 0, 1, 1, 1, 0, 1) }, {
      nav: [3, 2],
      syncOffset,
    }),
  ]);
  for (const scan of await Promise.all(scans)) {
    const kept = await keepSamples(scan) as StoredDataset;
    assertEquals([kept.navShape, kept.dtype, kept.detection], [scan.navShape, scan.dtype, scan.detection]);
    assertEquals(await bitsOf(kept), await bitsOf(scan), `${scan} from ${scan.syncOffset}`);
    const roi = [[0, 1], [1, 1]];
    assertEquals(await bitsOf(kept, roi), await bitsOf(scan, roi), `${scan} from ${scan.syncOffset}, region`);
  }
});

Deno.test("samples that threads share already are not copied", async () => {
  const shared = new Uint16Array(new SharedArrayBuffer(2 * 3 * 12 * 9));
  const scan = await open({ data: shared, shape: [3, 12, 9] });
  assertEquals(await keepSamples(scan) === scan, true);
  const own = await open({ data: new Uint16Array(3 * 12 * 9), shape: [3, 12, 9] });
  assertEquals(await keepSamples(own) === own, false);
  const big = await open(new Uint8Array(shared.buffer), {
    ...RAW,
    dtype: "uint16",
    byteOrder: "big",
    nav: [3],
  });
  assertEquals(await keepSamples(big) === big, false);
});

Deno.test("what does not fit is refused with both sizes, and a signal stops it between blocks", async () => {
  const scan = await open({ data: new Uint8Array(2 * 12 * 9), shape: [2, 12, 9] });
  const error = await assertRejects(() => keepSamples(scan, { most: 215 }), TilewiseError, "at most 215 B");
  assertEquals([error.code, error.details.expected, error.details.found], ["over-budget", 216, 215]);
  const stop = new AbortController();
  const seen: number[] = [];
  const kept = keepSamples(scan, {
    signal: stop.signal,
    onBlock: (positions) => void (seen.push(positions), stop.abort()),
  });
  assertEquals((await assertRejects(() => kept, TilewiseError)).code, "aborted");
  assertEquals(seen, [2]);
});

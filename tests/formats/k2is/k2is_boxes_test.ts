/** K2IS: UDFs that take any box get parts of sectors, and give what the samples add up to. */

import "../../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import { visiblePositions } from "../../../src/dataset/sync.ts";
import { open } from "../../../src/formats/open.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import { noop } from "../../../src/udf/builtin/noop.ts";
import { standardDeviation } from "../../../src/udf/builtin/standard_deviation.ts";
import { sumFrames } from "../../../src/udf/builtin/sum_frames.ts";
import { sumPixels } from "../../../src/udf/builtin/sum_pixels.ts";
import { createContext } from "../../../src/runner/context.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { failure } from "../helpers.ts";
import { k2Files, k2Frame, k2List } from "./k2is_data.ts";

const list = k2List(
  k2Files({ images: 5, lead: [3, 3, 4, 2, 3, 5, 0, 31], junk: [0, 7, 0, 0, 0, 0, 0, 1], scan: [2, 3] }),
);

/** Sums over frames and over pixels, from the samples themselves. */
function plain(dataset: Awaited<ReturnType<typeof open>>, roi: Uint8Array) {
  const frames = new Float64Array(1860 * 2048);
  const pixels = new Map<number, number>();
  const { start, stop } = visiblePositions(dataset);
  for (let n = start; n < stop; n++) {
    if (!roi[n]) continue;
    const frame = k2Frame(n + dataset.syncOffset);
    frame.forEach((value, i) => frames[i]! += value);
    pixels.set(n, frame.reduce((sum, value) => sum + value, 0));
  }
  return { frames, pixels };
}

for (const [syncOffset, workers, partitions] of [[0, 0, 1], [-1, 1, 3], [1, 0, 2]] as const) {
  Deno.test(`sync offset ${syncOffset}, ${workers} workers, ${partitions} partitions: sums are exact`, async () => {
    const dataset = await open(list, { syncOffset });
    const mask = Uint8Array.of(1, 1, 1, 0, 1, 1);
    const { frames, pixels } = plain(dataset, mask);
    await using context = createContext({ memory: 512 * 2 ** 20, workers });
    const udfs = { frames: sumFrames(), pixels: sumPixels(), nothing: noop() };
    const planned = await plan(dataset, udfs, { context, partitions, roi: ndarray(mask, [2, 3], "bool") });
    assert(planned.scheme.boxes && planned.explain().includes("sector by sector"), planned.explain());
    const results = await run(planned);
    assertEquals(Float64Array.from(results.frames!.intensity!.data as Float64Array), frames);
    for (const [n, sum] of pixels) assertEquals(Number(results.pixels!.intensity!.data[n]), sum);
  });
}

Deno.test("beside a UDF that wants rows, with corrections, or in another shape, tiles are slabs and sums the same", async () => {
  const dataset = await open(list, { syncOffset: 0 });
  const { frames } = plain(dataset, new Uint8Array(6).fill(1));
  await using context = createContext({ memory: 1024 * 2 ** 20, workers: 0 });
  const both = await plan(dataset, { frames: sumFrames(), spread: standardDeviation() }, { context });
  const dark = ndarray(new Float32Array(1860 * 2048), [1860, 2048], "float32");
  const corrected = await plan(dataset, { frames: sumFrames() }, { context, corrections: { dark } });
  const reshaped = await plan(
    await open(list, { syncOffset: 0, sig: [3720, 1024] }),
    { frames: sumFrames() },
    { context },
  );
  for (const planned of [both, corrected, reshaped]) {
    assertEquals(planned.scheme.boxes ?? false, false);
    const { frames: found } = await run(planned);
    assertEquals(Float64Array.from(found!.intensity!.data as Float64Array), frames);
  }
});

for (
  const [what, change] of [
    ["another number", (header) => header.setUint32(16, 7)],
    ["another frame", (header) => header.setUint32(24, 1)],
  ] as [string, (header: DataView) => void][]
) {
  Deno.test(`a block with ${what} is an error of the run, which says where`, async () => {
    const block = (s: number, i: number, p: number, header: DataView) => {
      if (s === 2 && i === 1 && p === 20) change(header);
    };
    const dataset = await open(k2List(k2Files({ images: 3, scan: [1, 3], block })), { syncOffset: 0 });
    await using context = createContext({ memory: 512 * 2 ** 20, workers: 0 });
    const error = await failure(
      Promise.resolve(run(await plan(dataset, { sums: sumPixels() }, { context }))),
      "malformed",
    );
    assertEquals([error.details["image"], error.details["block"], error.details.offset], [1, 20, 52 * 22360]);
    assert(error.message.includes("scan_3.bin"), error.message);
    const rest = await run(await plan(dataset, { sums: sumPixels() }, { context, roi: [[0, 2]] }));
    const sum = k2Frame(2).reduce((total, value) => total + value, 0);
    assertEquals(Number(rest.sums!.intensity!.data[2]), sum);
  });
}

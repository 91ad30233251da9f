import { assertEquals, assertRejects } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import { mapDataset, pickFrame, sumOverRoi } from "../../../src/udf/run/shortcuts.ts";
import { both } from "../both.ts";
import { goldenScan, memoryScan, numbers } from "../data.ts";

const ROI = [[0, 1], [1, 2], [2, 0]];

both("the sum over a region is the golden one", async (context) => {
  const { data, shape, dtype } = await sumOverRoi(goldenScan(), ROI, { context });
  assertEquals([numbers(data).slice(0, 5), shape, dtype], [[19, 64, 58, 32, 17], [4, 5], "float64"]);
  const dark = ndarray(new Float32Array(20).fill(1), [4, 5], "float32");
  const corrected = await sumOverRoi(goldenScan(), ROI, { context, corrections: { dark } });
  assertEquals(numbers(corrected.data).slice(0, 5), [16, 61, 55, 29, 14]);
});

both("one frame, also where there is none", async (context) => {
  const scan = memoryScan([1, 2, 3, 4], [1, 3], [2, 1], "int16", { syncOffset: -1 });
  const found = await pickFrame(scan, [0, 1], { context });
  assertEquals([numbers(found.data), found.shape, found.dtype, found.valid], [
    [1, 2],
    [2, 1],
    "int16",
    undefined,
  ]);
  const blank = await pickFrame(scan, [0, 0], { context });
  assertEquals([numbers(blank.data), [...blank.valid!]], [[0, 0], [0, 0]]);
  await assertRejects(() => pickFrame(scan, [0, 3], { context }), TilewiseError, "not in a scan of 1 × 3");
});

both("a function of a module over a region, with progress", async (context) => {
  const seen: number[] = [];
  const values = await mapDataset(goldenScan(), import.meta.resolve("../builtin/map_functions.ts"), {
    context,
    roi: ROI,
    onProgress: ({ frames }) => seen.push(frames),
  });
  assertEquals(numbers(values.data).filter((value) => !isNaN(value)), [230, 230, 302]);
  assertEquals(seen.at(-1), 3);
  const signal = AbortSignal.abort();
  const stopped = mapDataset(goldenScan(), import.meta.resolve("../builtin/map_functions.ts"), {
    context,
    signal,
  });
  assertEquals((await assertRejects(() => stopped, TilewiseError)).code, "aborted");
});

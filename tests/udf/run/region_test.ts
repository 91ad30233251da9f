import { assertEquals, assertRejects } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import { mapFrames } from "../../../src/udf/builtin/map_frames.ts";
import { sumFrames } from "../../../src/udf/builtin/sum_frames.ts";
import { plan } from "../../../src/udf/run/plan.ts";
import { read } from "../../../src/udf/run/read.ts";
import { both } from "../both.ts";
import { goldenScan, memoryScan, numbers } from "../data.ts";

const ROI = [[0, 1], [1, 2], [2, 0]];
const FUNCTIONS = import.meta.resolve("../builtin/map_functions.ts");

both("the sum over a region is the golden one", async (context) => {
  const sum = async (options = {}) =>
    (await (await plan(goldenScan(), { it: sumFrames() }, { context, roi: ROI, ...options })).run()).it
      .intensity;
  const { data, shape, dtype } = await sum();
  assertEquals([numbers(data).slice(0, 5), shape, dtype], [[19, 64, 58, 32, 17], [4, 5], "float64"]);
  const dark = ndarray(new Float32Array(20).fill(1), [4, 5], "float32");
  assertEquals(numbers((await sum({ corrections: { dark } })).data).slice(0, 5), [16, 61, 55, 29, 14]);
});

both("one frame, also where there is none", async (context) => {
  const scan = memoryScan([1, 2, 3, 4], [1, 3], [2, 1], "int16", { syncOffset: -1 });
  const { data, shape, dtype, valid } = await read(scan, [0, 1], { context });
  assertEquals([numbers(data), shape, dtype, valid], [[1, 2], [2, 1], "int16", undefined]);
  const blank = await read(scan, [0, 0], { context });
  assertEquals([numbers(blank.data), [...blank.valid!]], [[0, 0], [0, 0]]);
});

both("a function of a module over a region, with progress", async (context) => {
  const seen: number[] = [];
  const onProgress = ({ frames }: { frames: number }) => void seen.push(frames);
  const planned = await plan(goldenScan(), { it: mapFrames(FUNCTIONS) }, { context, roi: ROI });
  const { result } = (await planned.run({ onProgress })).it;
  assertEquals(numbers(result!.data).filter((value) => !isNaN(value)), [230, 230, 302]);
  assertEquals(seen.at(-1), 3);
  const stopped = async () => await planned.run({ signal: AbortSignal.abort() });
  assertEquals((await assertRejects(stopped, TilewiseError)).code, "aborted");
});

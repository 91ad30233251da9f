/** Mistakes in functions of users over frames, and in masks. */

import "../../fences/mod.ts";

import {
  annularDetector,
  applyMasks,
  centreOfMass,
  createContext,
  crystallinity,
  diskDetector,
  expression,
  mapFrames,
  plan,
  run,
  sumFrames,
  udf,
} from "@tilewise/tilewise";
import { ndarray } from "@tilewise/tilewise/arrays";
import { auxData, type UdfRef } from "@tilewise/tilewise/udf";
import { context, type Mistake, runUdf, scan, testMistakes } from "./table.ts";

/** A frame and buffers as code without types sees them. */
type Frame = { data: number[] & Float32Array; sum(): number };
type Own = { sum: number[] & Float64Array; s: number[] & Float64Array };
type Objects = Record<string, unknown>;

const sigSum = { s: { kind: "sig", dtype: "float64" } };
const computed = async (it: UdfRef) => await run(await plan(scan, { it }, { context }));

const BUFFERS: readonly Mistake[] = [
  [
    "a kind that does not exist",
    () => runUdf({ buffers: { sum: { kind: "frame" } } }),
    "udf",
    'the option "buffers.sum.kind" is "frame"; it must be "nav", "sig" or "single"',
  ],
  ["no kind", () => runUdf({ buffers: { sum: {} } }), "udf", 'it must be "nav", "sig" or "single"'],
  [
    "a word in place of a declaration",
    () => runUdf({ buffers: { sum: "nav" } }),
    "udf",
    'declare it like { kind: "nav" }',
  ],
  [
    "a type as NumPy abbreviates it",
    () => runUdf({ buffers: { sum: { kind: "nav", dtype: "f8" } } }),
    "udf",
    'has dtype "f8"; known are bool, uint8',
  ],
  [
    "an option as LiberTEM has it",
    () => runUdf({ buffers: { sum: { kind: "nav", extra_shape: [2] } } }),
    "udf",
    'did you mean "extraShape"?',
  ],
  [
    "a number in place of a shape",
    () => runUdf({ buffers: { sum: { kind: "nav", extraShape: 2 } } }),
    "udf",
    "it must be a list of whole numbers",
  ],
  [
    "no buffers",
    () => runUdf({ buffers: undefined }),
    "udf",
    "it needs buffers and a process method",
  ],
  [
    "a list of buffers",
    () => runUdf({ buffers: ["sum"] }),
    "udf",
    "it must give an object with a member for each name",
  ],
  [
    "a sum over frames that nothing merges",
    () => runUdf({ buffers: { s: { kind: "sig" } } }),
    "udf",
    'declare merge: "sum", "min" or "max", or implement merge()',
  ],
  [
    "a rule that does not exist",
    () => runUdf({ buffers: { s: { kind: "sig", merge: "add" } } }),
    "udf",
    'it must be "sum", "min", "max" or "concat"',
  ],
  [
    "auxiliary data of another scan",
    () => runUdf({ aux: () => ({ shift: auxData(new Float32Array(3)) }) }),
    "udf",
    '"shift" has 3 numbers; as nav data of 8 × 8 float32 it needs 64',
  ],
  [
    "auxiliary data as a bare array",
    () => runUdf({ aux: () => ({ shift: new Float32Array(16) }) }),
    "udf",
    'auxiliary data "shift" is an array; write auxData(array)',
  ],
  [
    "auxiliary data as a list",
    () => auxData([1, 2] as never),
    "invalid",
    "auxData() takes a typed array or an array with a shape, not [1,2]",
  ],
  [
    "constants as a list",
    () => runUdf({ constants: () => ({ mask: [1, 2] }) }),
    "udf",
    'the constant "mask" is [1,2]; it must be a typed array',
  ],
  [
    "constants as one array",
    () => runUdf({ constants: () => new Float32Array(4) }),
    "udf",
    "constants() gave a Float32Array; it must give an object with a member for each name",
  ],
  [
    "constants that are not a function",
    () => runUdf({ constants: { mask: new Float32Array(4) } }),
    "udf",
    'its member "constants" is an object; it must be a function',
  ],
  [
    "an array in place of its length",
    () => runUdf({ scratch: () => ({ room: new Float32Array(4) }) }),
    "udf",
    "options are an object, such as { dtype: … }",
  ],
  ["a wish in capitals", () => runUdf({ tiling: { Depth: 4 } }), "udf", 'did you mean "depth"?'],
  [
    "a type of samples that does not exist",
    () => runUdf({ inputDType: "float" }),
    "udf",
    'inputDType "float" is not a dtype; known are native',
  ],
];

const PROCESS: readonly Mistake[] = [
  [
    "no function",
    () => runUdf({ processFrame: undefined }),
    "udf",
    "has none of processTile, processFrame, processPartition",
  ],
  [
    "a function as LiberTEM calls it",
    () => runUdf({ process_frame() {} }),
    "udf",
    'did you mean "processFrame"?',
  ],
  [
    "a number returned, not written",
    () => runUdf({ processFrame: ({ data }: Frame) => data[1] }),
    "udf",
    "which is ignored; write to the buffers that it is given, as in sum[0] = value, and return nothing",
  ],
  [
    "an object returned, not written",
    () => runUdf({ processFrame: ({ data }: Frame) => ({ sum: data[1] }) }),
    "udf",
    "processFrame() returned an object, which is ignored",
  ],
  [
    "a value in the place of a buffer",
    () => runUdf({ processFrame: ({ data }: Frame, own: Objects) => void (own["sum"] = data[0]) }),
    "udf",
    "write to the buffer, as in sum[0] = value or sum.set(values)",
  ],
  [
    "buffers looked for in this",
    () =>
      runUdf({
        processFrame(this: Own, { data }: Frame) {
          this.sum[0] = data[0]!;
        },
      }),
    "udf",
    'its buffers are "sum"',
  ],
  [
    "more numbers than a buffer has",
    () => runUdf({ processFrame: ({ data }: Frame, { sum }: Own) => sum.set(data) }),
    "udf",
    '"sum" has 1 number per frame',
  ],
  [
    "methods of NumPy",
    () => runUdf({ processFrame: (frame: Frame, { sum }: Own) => void (sum[0] = frame.sum()) }),
    "udf",
    "are typed arrays, which have reduce, map, set and fill",
  ],
  [
    "a list's push",
    () => runUdf({ processFrame: (_: Frame, { sum }: Own) => void sum.push(1) }),
    "udf",
    "are typed arrays, which have reduce, map, set and fill",
  ],
  [
    "samples replaced",
    () => runUdf({ processFrame: (frame: Objects) => void (frame["data"] = []) }),
    "udf",
    "compute with a copy, as tile.data.slice() makes it",
  ],
  [
    "samples changed",
    async () => {
      const it = udf(
        {
          name: "mine",
          ...{ buffers: { sum: { kind: "nav" } } },
          processFrame: ({ data }: Frame) => data.fill(7),
        } as never,
      );
      return await run(await plan(scan, { it, sum: sumFrames() }, { context }), { checkWrites: true });
    },
    "udf",
    "change a copy (slice), or declare writesTile: true",
  ],
  [
    "an async function",
    () => runUdf({ processFrame: async () => {} }),
    "udf",
    "Make it an ordinary function, and await what it needs before the run",
  ],
  [
    "a promise returned",
    () => runUdf({ processFrame: () => Promise.resolve() }),
    "udf",
    "processFrame() returned a promise, as async functions do, which is not awaited",
  ],
  ["a generator", () => runUdf({ *processFrame() {} }), "udf", "processFrame() is a generator function"],
  [
    "merged buffers returned",
    () =>
      runUdf({
        buffers: sigSum,
        processFrame: ({ data }: Frame, { s }: Own) => s.set(data),
        merge: (a: Own, b: Own) => ({ s: a.s.map((x, i) => x + b.s[i]!) }),
      }),
    "udf",
    "merge() returned an object, which is ignored; write to the buffers that it is given, as in s[0] = value",
  ],
  [
    "a list of results",
    () => runUdf({ results: ({ sum }: Own) => [sum] }),
    "udf",
    "it must return an object of results by name, such as { sum }",
  ],
  [
    "a number as a result",
    () =>
      runUdf({
        buffers: { all: { kind: "single", dtype: "float64", use: "result" } },
        results: () => ({ all: 5 }),
      }),
    "udf",
    "it must be a Float64Array, such as Float64Array.of(value)",
  ],
  [
    "a result of another length",
    () => runUdf({ results: () => ({ sum: new Float64Array(3) }) }),
    "udf",
    "needs 64 values, it was given 3",
  ],
  [
    "a result of another type",
    () => runUdf({ results: ({ sum }: Own) => ({ sum: Int32Array.from(sum) }) }),
    "udf",
    "it was given an Int32Array; numbers of another kind are not converted",
  ],
  [
    "a result that is not declared",
    () => runUdf({ results: ({ sum }: Own) => ({ mean: sum }) }),
    "udf",
    '"mean", which is not declared; declare it with use: "result"',
  ],
  [
    "an error of one's own",
    () =>
      runUdf({
        processFrame: () => {
          throw new Error("no peak");
        },
      }),
    "udf",
    'UDF "mine" failed in partition 0: no peak',
  ],
  [
    "a class, not an object of it",
    () => udf(class {} as never),
    "udf",
    "call it to make the UDF, or export it from a module and give the URL of that",
  ],
  ["the path of a module", () => udf("./mine.ts"), "udf", 'write import.meta.resolve("./mine.ts")'],
  [
    "a module without the export",
    () => computed(udf(import.meta.resolve("../../../src/version.ts"))),
    "udf",
    'has no export "default", it has VERSION',
  ],
  [
    "a function as a parameter",
    () => udf("file:///x.ts", { params: { f: () => 1 } } as never),
    "udf",
    "they can be numbers, texts, truth values, arrays, typed arrays, and plain objects",
  ],
  [
    "an object for workers",
    async () => {
      await using pool = createContext({ workers: 1 });
      const it = { name: "mine", buffers: { sum: { kind: "nav" } }, processFrame() {} } as const;
      return await run(await plan(scan, { it }, { context: pool }));
    },
    "udf",
    'export it from a module and pass udf(import.meta.resolve("./module.ts")), or use a context with workers: 0',
  ],
];

const FRAMES: readonly Mistake[] = [
  [
    "an async function of a frame",
    () => computed(mapFrames((async () => {}) as never)),
    "udf",
    "it must not be async: promises are not awaited",
  ],
  [
    "a function of a frame that returns nothing",
    () => computed(mapFrames((() => {}) as never)),
    "udf",
    "it returned undefined, which is not a number",
  ],
  [
    "the value of a function",
    () => mapFrames(5 as never),
    "udf",
    "Cannot map 5: give a function of a frame, or the URL of a module that exports it",
  ],
  [
    "values of different lengths",
    () => computed(mapFrames((frame) => frame.slice(0, frame[0] === 1 ? 1 : 2))),
    "udf",
    'lists of any length need dtype: "object"',
  ],
  [
    "a mask as a typed array",
    () => computed(applyMasks({ masks: [new Float32Array(64) as never] })),
    "invalid",
    "it must be an array with a shape, as ndarray() makes it",
  ],
  [
    "a mask as nested lists",
    () => computed(applyMasks({ masks: [[[1, 2], [3, 4]] as never] })),
    "invalid",
    "it must be an array with a shape, as ndarray() makes it",
  ],
  [
    "one mask without a list",
    () => applyMasks({ masks: ndarray(new Float32Array(64), [8, 8], "float32") as never }),
    "invalid",
    "it must be a list of masks",
  ],
  [
    "a mask of another frame",
    () => computed(applyMasks({ masks: [ndarray(new Float32Array(49), [7, 7], "float32")] })),
    "invalid",
    "Cannot use a mask of 7 × 7: frames are 8 × 8",
  ],
  ["no mask", () => computed(applyMasks({ masks: [] })), "invalid", "Cannot apply masks: give at least one"],
  [
    "a function as a mask",
    () => computed(applyMasks({ masks: [(() => 1) as never] })),
    "udf",
    "masks[0] is a function; parameters travel to workers",
  ],
  [
    "another word for an option",
    () => diskDetector({ radius: 3 } as never),
    "invalid",
    'diskDetector() has no option "radius"; there are cy, cx, r',
  ],
  [
    "a radius as text",
    () => diskDetector({ r: "3" as never }),
    "invalid",
    'the option "r" is "3"; it must be a number from 0',
  ],
  [
    "a disk outside of the frame",
    () => computed(diskDetector({ cy: 100, cx: 100, r: 2 })),
    "invalid",
    "frames of 8 × 8 have no pixel within 2 px of (100, 100)",
  ],
  [
    "a ring from outside to inside",
    () => computed(annularDetector({ ri: 5, ro: 2 })),
    "invalid",
    "ri must be less than ro",
  ],
  [
    "no options where some are needed",
    () => crystallinity(undefined as never),
    "invalid",
    "crystallinity() was given undefined: options are an object, such as { ri: … }",
  ],
  [
    "an option of another analysis",
    () => centreOfMass({ mask: 3 } as never),
    "invalid",
    'centreOfMass() has no option "mask"; there are cy, cx',
  ],
  [
    "a bracket left open",
    () => computed(expression("sum(x")),
    "invalid",
    'it ends at column 6; expected "," or ")"',
  ],
  [
    "a variable that does not exist",
    () => computed(expression("sum(y)")),
    "invalid",
    "There are x, row, col, frame",
  ],
];

testMistakes("buffers of a UDF", BUFFERS);
testMistakes("functions of a UDF", PROCESS);
testMistakes("frames and masks", FRAMES);

/** Mistakes in opening, planning, running and saving. */

import "../../fences/mod.ts";

import { createContext, open, plan, read, roi, run, save, sumFrames } from "@tilewise/tilewise";
import { ndarray } from "@tilewise/tilewise/arrays";
import { saveAll } from "@tilewise/tilewise/results";
import { context, inMemory, type Mistake, scan, testMistakes } from "./table.ts";

const folder = await Deno.makeTempDir({ prefix: "tilewise-" });
await Deno.writeTextFile(`${folder}/notes.txt`, "no samples");
await Deno.writeFile(`${folder}/empty.npy`, new Uint8Array());
Deno.test.afterAll(() => Deno.remove(folder, { recursive: true }));

const closed = createContext({ workers: 0 });
await closed[Symbol.asyncDispose]();

const four = new Uint8Array(64);
const square = ndarray(new Float64Array(4), [2, 2], "float64");
const sum = { sum: sumFrames() };
const planned = () => plan(scan, sum, { context });

const OPENING: readonly Mistake[] = [
  [
    "the path of a folder",
    () => open(folder),
    "not-a-file",
    "Cannot open FOLDER: it is a folder with 2 entries; open a file in it, such as empty.npy",
  ],
  [
    "a path that is not there",
    () => open(`${folder}/a.mib`),
    "not-found",
    "Cannot read FOLDER/a.mib: there is no such file",
  ],
  [
    "a file of text",
    () => open(`${folder}/notes.txt`),
    "unknown-format",
    'To read it as raw frames say what they are, as in { dtype: "uint16", sig: [256, 256] }',
  ],
  ["an empty file", () => open(`${folder}/empty.npy`), "unknown-format", "it is empty (0 bytes)"],
  [
    "no source",
    () => open(undefined as never),
    "invalid",
    "Cannot open undefined; give a path, a URL, a Blob",
  ],
  ["an empty name", () => open(""), "invalid", 'Cannot open "": give a path or a URL'],
  [
    "a promise of bytes",
    () => open(Promise.resolve(four) as never),
    "invalid",
    "Cannot open a promise (await it); give a path",
  ],
  [
    "an answer of fetch",
    () => open(new Response("x") as never),
    "invalid",
    "Cannot open a Response; give a path, a URL",
  ],
  [
    "a typed array alone",
    () => open(new Float32Array(16) as never),
    "invalid",
    "say its shape, as in open({ data, shape: [64, 64, 128, 128] })",
  ],
  [
    "a shape that does not fit",
    () => open({ ...inMemory, shape: [8, 8, 8, 9] }),
    "invalid",
    "its shape takes 8 × 8 × 8 × 9 = 4608 samples of uint16, its data has 4096",
  ],
  [
    "a list in place of a typed array",
    () => open({ data: [1, 2, 3, 4], shape: [2, 2] } as never),
    "invalid",
    "its data must be a typed array, such as a Float32Array, not [1,2,3,4]",
  ],
  [
    "text in place of sizes",
    () => open({ ...inMemory, shape: ["8", "8", "8", "8"] } as never),
    "invalid",
    "sizes are whole numbers",
  ],
  [
    "an array without its shape",
    () => open({ data: four } as never),
    "invalid",
    "without its shape: give shape, or sig (and nav)",
  ],
  [
    "raw frames without the size of a frame",
    () => open(four, { format: "raw", dtype: "uint8", nav: [4] }),
    "invalid",
    "without the shape of a frame, as in { sig: [256, 256] }",
  ],
  [
    "raw frames without their type",
    () => open(four, { format: "raw", nav: [4], sig: [4, 4] }),
    "invalid",
    'without the type of its samples, as in { dtype: "uint16" }',
  ],
  [
    "a type that does not exist",
    () => open(four, { dtype: "uint17", sig: [4, 4] } as never),
    "invalid",
    'Unknown dtype "uint17"; known are bool, uint8',
  ],
  [
    "a format that does not exist",
    () => open(four, { format: "mibb" } as never),
    "invalid",
    'There is no format "mibb"; there are blo, casacore',
  ],
  [
    "the scan as text",
    () => open(inMemory, { nav: "8x8" } as never),
    "invalid",
    'the option "nav" is "8x8"; it must be a list of whole numbers from 1, such as [256, 256]',
  ],
  [
    "the name that LiberTEM has",
    () => open(inMemory, { nav_shape: [8, 8] } as never),
    "invalid",
    'open() has no option "nav_shape"; there are format',
  ],
];

const PLANNING: readonly Mistake[] = [
  [
    "a data set that was not awaited",
    () => plan(open(inMemory) as never, sum),
    "invalid",
    "plan() takes a data set, as await open() gives it; it was given a promise; await it",
  ],
  [
    "a path in place of a data set",
    () => plan("scan.mib" as never, sum),
    "invalid",
    'as await open() gives it; it was given "scan.mib"',
  ],
  [
    "arguments in the other order",
    () => plan(sum as never, scan as never),
    "invalid",
    "plan() takes a data set, as await open() gives it",
  ],
  [
    "a UDF without a name for its results",
    () => plan(scan, sumFrames() as never),
    "invalid",
    "plan() takes an object that maps names to UDFs, such as { it: udf }",
  ],
  ["no UDF", () => plan(scan, {}), "invalid", "such as { sum: sumFrames() }, and was given none"],
  [
    "a function that was not called",
    () => plan(scan, { sum: sumFrames as never }),
    "invalid",
    '"sum" is a function, which is not a UDF; call it to make the UDF',
  ],
  [
    "the word of the command line",
    () => plan(scan, { sum: "sum" as never }),
    "invalid",
    "give what sumFrames(), udf() or mapFrames() return, or a UDF",
  ],
  [
    "an option of contexts",
    () => plan(scan, sum, { workers: 2 } as never),
    "invalid",
    'plan() has no option "workers"; there are roi, corrections',
  ],
  [
    "the context as the options",
    () => plan(scan, sum, context as never),
    "invalid",
    'plan() has no option "memory"; there are roi',
  ],
  [
    "options of a context as the context",
    () => plan(scan, sum, { context: { workers: 2 } as never }),
    "invalid",
    "it must be a context, as createContext() makes it",
  ],
  [
    "a mask of another scan",
    () => plan(scan, sum, { roi: [[true, false]] }),
    "invalid",
    "it has 2 positions, the scan has 64",
  ],
  [
    "a range as text",
    () => plan(scan, sum, { roi: "0:2" as never }),
    "invalid",
    'write roi.range("0:8,4:"), roi.mask(array) or roi.positions([[0, 1], [2, 3]])',
  ],
  [
    "a range with a dash",
    () => plan(scan, sum, { roi: roi.range("0-2") }),
    "invalid",
    "write start:stop for each dimension, as in 0:8,4:",
  ],
  [
    "a position outside of the scan",
    () => plan(scan, sum, { roi: [9, 9] }),
    "invalid",
    "Position (9, 9) is not in a scan of 8 × 8",
  ],
  [
    "a mask of floats",
    () => plan(scan, sum, { roi: new Float32Array(64) as never }),
    "invalid",
    "Cannot use a Float32Array as region of interest",
  ],
  [
    "too little memory",
    () => plan(scan, sum, { context: createContext({ memory: 100, workers: 0 }) }),
    "over-budget",
    "in 100 B: it needs 512 B of results",
  ],
  [
    "memory in other words",
    () => createContext({ memory: "64 megabytes" as never }),
    "invalid",
    "or a size in text such as 64MiB",
  ],
  [
    "a number as text",
    () => createContext({ workers: "2" as never }),
    "invalid",
    'the option "workers" is "2"; it must be a whole number from 0 to 1024',
  ],
];

const RUNNING: readonly Mistake[] = [
  [
    "a plan that was not awaited",
    () => run(planned() as never),
    "invalid",
    "run() takes a plan; it was given a promise; await it",
  ],
  [
    "a data set in place of a plan",
    () => run(scan as never),
    "invalid",
    "run() takes a plan; it was given a StoredDataset; plan(dataset, udfs) makes one",
  ],
  [
    "a context that is closed",
    async () => await run(await plan(scan, sum, { context: closed })),
    "invalid",
    "make another one with createContext()",
  ],
  [
    "the controller in place of its signal",
    async () => await run(await planned(), { signal: new AbortController() as never }),
    "invalid",
    "it must be an AbortSignal, such as controller.signal",
  ],
  [
    "a part that is not the newest",
    async () => {
      const parts = await Array.fromAsync(run(await plan(scan, sum, { context, partitions: 3 })));
      return parts[0]!.results;
    },
    "invalid",
    "look at `results` of a part before you ask for the next",
  ],
  [
    "reads what is not a data set",
    () => read({} as never),
    "invalid",
    "read() takes a data set, as await open() gives it",
  ],
];

const SAVING: readonly Mistake[] = [
  [
    "all results of a UDF",
    async () => await save((await run(await planned())).sum as never, `${folder}/a.npy`),
    "invalid",
    "it has the arrays intensity: take one of them",
  ],
  [
    "all results of a run",
    async () => await save(await run(await planned()) as never, `${folder}/a.npy`),
    "invalid",
    "take one of its arrays, such as sum.intensity",
  ],
  [
    "a typed array without its shape",
    () => save(new Float32Array(4) as never, `${folder}/a.npy`),
    "invalid",
    "ndarray(data, shape, dtype) makes one of it",
  ],
  [
    "an array that was not awaited",
    () => save(Promise.resolve(square) as never, `${folder}/a.npy`),
    "invalid",
    "with data, shape, stride and dtype; await it",
  ],
  [
    "a name without an ending",
    () => save(square, `${folder}/a`),
    "unsupported",
    "the name must end with one of .npy, .hspy",
  ],
  [
    "a format that is not written",
    () => save(square, `${folder}/a.jpg`),
    "unsupported",
    "the name must end with one of .npy, .hspy",
  ],
  [
    "a folder that is not there",
    () => save(square, `${folder}/b/a.npy`),
    "not-found",
    "Cannot write FOLDER/b/a.npy: its folder does not exist; make it first",
  ],
  [
    "a number as the name",
    () => save(square, 5 as never),
    "invalid",
    'the option "path" is 5; it must be a text',
  ],
  [
    "a colour map that does not exist",
    () => save(square, `${folder}/a.png`, { colormap: "viridus" as never }),
    "invalid",
    'is "viridus"; it must be one of gray, viridis',
  ],
  [
    "several arrays in a .npy",
    () => saveAll({ a: square }, `${folder}/a.npy`),
    "invalid",
    "only a .npz or .hspy holds them",
  ],
  [
    "a shape that does not fit the numbers",
    () => ndarray(new Float64Array(4), [2, 3], "float64"),
    "invalid",
    "from 4 numbers; it needs 6",
  ],
  [
    "a list of numbers",
    () => ndarray([1, 2, 3, 4] as never, [2, 2], "float64"),
    "invalid",
    "it must be a Float64Array, as float64 samples lie in",
  ],
  [
    "another type than the numbers have",
    () => ndarray(new Float64Array(4) as never, [2, 2], "float32"),
    "invalid",
    "it must be a Float32Array, as float32 samples lie in",
  ],
];

testMistakes("open", OPENING, folder);
testMistakes("plan", PLANNING);
testMistakes("run", RUNNING);
testMistakes("save", SAVING, folder);

/** Mistakes in filters, labels, cubes and observations. */

import { open, run } from "@tilewise/tilewise";
import { ndarray } from "@tilewise/tilewise/arrays";
import { cubeFunction, fromArrays, hypercube, toMemory } from "@tilewise/tilewise/hypercube";
import { openObservation } from "@tilewise/tilewise/observations";
import { dirtyImage, predict } from "@tilewise/tilewise/rime";
import {
  boxMean,
  fileSink,
  gaussian,
  labelImage,
  mapViews,
  measure,
  perSample,
  viewFunction,
} from "@tilewise/tilewise/views";
import { context, filtered, image, inMemory, type Mistake, testMistakes } from "./table.ts";

const mean = boxMean({ radius: 1 });

const FILTERS: readonly Mistake[] = [
  [
    "a data set that was not awaited",
    () => mapViews(open(inMemory) as never, mean),
    "invalid",
    "it was given a promise; await it",
  ],
  [
    "an array that was not opened",
    () => mapViews(ndarray(new Float32Array(4), [2, 2], "float32") as never, mean),
    "invalid",
    "await open(array) makes a data set of it",
  ],
  [
    "a path",
    () => mapViews("image.tif" as never, mean),
    "invalid",
    'mapViews() takes a data set, as await open() gives it, or an array, as arrayOf() makes it; it was given "image.tif"',
  ],
  [
    "a filter that was not called",
    () => filtered(boxMean),
    "invalid",
    "mapViews() takes an operation over views, such as boxMean(); it was given a function",
  ],
  [
    "the word of the command line",
    () => filtered("gaussian"),
    "invalid",
    'such as boxMean(); it was given "gaussian"',
  ],
  [
    "no filter",
    () => filtered([]),
    "invalid",
    "mapViews() takes a list with one operation or more, such as [boxMean()]",
  ],
  [
    "a radius as text",
    () => boxMean({ radius: "3" as never }),
    "invalid",
    "it must be a number of samples, or a list with one per dimension",
  ],
  [
    "a radius for more dimensions",
    () => filtered(boxMean({ radius: [1, 1, 1] })),
    "invalid",
    "an array of 16 × 16 takes 2 counts",
  ],
  [
    "no sigma",
    () => gaussian(undefined as never),
    "invalid",
    "gaussian() was given undefined: options are an object, such as { sigma: … }",
  ],
  ["a name in the plural", () => gaussian({ sigmas: 2 } as never), "invalid", 'did you mean "sigma"?'],
  [
    "a border that does not exist",
    () => filtered(mean, { border: "zero" }),
    "invalid",
    'Unknown border "zero"; known are constant, edge',
  ],
  [
    "a path as the sink",
    () => filtered(mean, { sink: "mean.npy" }),
    "invalid",
    'a sink such as fileSink("mean.npy")',
  ],
  [
    "a sink of no format",
    () => filtered(mean, { sink: fileSink("mean.xyz") }),
    "unsupported",
    "the name must end with one of .npy, .hspy",
  ],
  [
    "an async function of a view",
    () => filtered(viewFunction((async () => {}) as never)),
    "udf",
    "which is not awaited; make it an ordinary function",
  ],
  [
    "samples returned, not written",
    () => filtered(viewFunction((({ data }: { data: Float32Array }) => data.map(Math.sqrt)) as never)),
    "udf",
    "it returned a Float32Array, which is ignored; write to its second argument, as in out.data[i] = value",
  ],
  [
    "a function of samples that returns nothing",
    () => filtered(viewFunction(perSample((() => {}) as never))),
    "udf",
    "the function of perSample() returned nothing: it must return a number",
  ],
  [
    "a neighbour out of reach",
    () => filtered(viewFunction(perSample((at) => at(0, 3)), { radius: 1 })),
    "invalid",
    "at(0, 3) is not in the halo, whose radius is 1, 1; use whole distances within it, or views with a larger radius",
  ],
  [
    "labels with their count",
    async () => await measure(await labelImage(image, { threshold: 100, context }) as never, image),
    "invalid",
    "await open(it.labels) makes a data set of its labels",
  ],
  [
    "labels of another image",
    async () => {
      const { labels } = await labelImage(image, { threshold: 100, context });
      return await measure(await open(labels), await open({ data: new Float32Array(64), shape: [8, 8] }));
    },
    "invalid",
    "Cannot measure samples of 8 × 8 with labels of 16 × 16: both must have one shape",
  ],
  [
    "an image in place of labels",
    async () => await measure(await open({ data: new Float32Array(256), shape: [16, 16] }), image),
    "invalid",
    "labels are whole numbers, as labelImage() makes them",
  ],
];

const cube = hypercube({
  dimensions: { a: 3 },
  arrays: [{ name: "x", shape: ["a"], dtype: "float64" }, {
    name: "y",
    shape: ["a"],
    dtype: "float64",
    role: "output",
  }],
});
const kernel = cubeFunction(() => {}, { arrays: { x: "float64", y: "float64" } });
const sinks = [toMemory("y")];
const computed = (x: unknown) =>
  run(cube, { kernel, sources: [fromArrays({ x: x as Float64Array })], sinks, plan: { context } });
const [uvw, frequency, lm, stokes] = [
  Float64Array.of(1, 2, 3),
  Float64Array.of(1e9),
  new Float64Array(2),
  new Float64Array(4),
];

const CUBES: readonly Mistake[] = [
  [
    "no dimensions",
    () => hypercube({} as never),
    "invalid",
    "it must be an object of sizes by the names of dimensions",
  ],
  [
    "a dimension that does not exist",
    () => hypercube({ dimensions: { time: 3 }, arrays: [{ name: "x", shape: ["tim"], dtype: "float64" }] }),
    "invalid",
    'did you mean "time"?',
  ],
  [
    "an array of another length",
    () => computed(new Float64Array(2)),
    "invalid",
    "x must be 3 samples of float64; it is a Float64Array of 2",
  ],
  [
    "an array of another type",
    () => computed(new Float32Array(3)),
    "invalid",
    "x must be 3 samples of float64; it is a Float32Array of 3",
  ],
  [
    "an array that the sink does not have",
    () => toMemory("y").array("z", "float64"),
    "invalid",
    'There is no array "z" in memory; did you mean "y"?',
  ],
  [
    "an observation that is not there",
    () => openObservation("/none/day.ms"),
    "not-found",
    "Cannot read /none/day.ms: there is no such file",
  ],
  [
    "no coordinates",
    () => predict({ frequency, sky: { lm, stokes } } as never),
    "invalid",
    'predict(): the option "uvw" is undefined; it must be a list',
  ],
  [
    "fluxes of three parameters",
    () => predict({ uvw, frequency, sky: { lm, stokes: new Float64Array(3) } }),
    "invalid",
    "sky.stokes has 3 numbers; it must be 4",
  ],
  [
    "two coordinates per row",
    () => predict({ uvw: uvw.slice(1), frequency, sky: { lm, stokes } }),
    "invalid",
    "it must be a multiple of 3",
  ],
  [
    "one size of a pixel",
    () =>
      dirtyImage({ uvw, frequency, visibilities: Float64Array.of(1, 0) }, {
        pixels: [4, 4],
        cell: 1 as never,
      }),
    "invalid",
    "it must be two numbers of radians, not 0",
  ],
];

testMistakes("filters", FILTERS);
testMistakes("cubes and observations", CUBES);

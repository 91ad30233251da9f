/** For every call that takes options: a misspelt one, and the one that is meant. */

import { Arena } from "../../src/memory/arena.ts";
import { FILTER_ROWS } from "./filter_rows.ts";
import * as tilewise from "./tilewise.ts";
import * as cluster from "../../src/cluster/mod.ts";
import { memoryStore } from "../cluster/memory/store.ts";
import { launchKernel, memoryFiles, startHost } from "@tilewise/tilewise/channels";
import * as more from "@tilewise/tilewise/unstable/channels";
import * as notebook from "../../src/notebook/mod.ts";
import { goldenScan } from "../udf/data.ts";

/** A call with a misspelt option. */
export interface Row {
  /** The call, as the public surface has it. */
  readonly call: string;
  /** Calls it with the options. */
  readonly run: (options: never) => unknown;
  /** The options. */
  readonly options: object;
  /** Where the misspelt one is: its path. */
  readonly wrong: string;
  /** What is meant. */
  readonly meant: string;
}

const { blobs, masks, ndarray } = tilewise;
const channels = { ...more, launchKernel, memoryFiles, startHost };
const scan = goldenScan();
const store = memoryStore();
const tiles = tilewise.tileSource(scan);
const image = ndarray(new Float64Array(64), [8, 8], "float64");
const perFrame = ndarray(new Float64Array(24), [3, 4, 2], "float64");
const sum = () => ({ sum: tilewise.sumFrames() });
const planned = tilewise.plan(scan, sum());
const results = planned.then((plan) => tilewise.dryRun(plan));
const kernel = tilewise.kernelUdf({ source: "", buffers: { x: { kind: "nav" } } });
const pattern = blobs.circularPattern({ radius: 2 });
const lattice = { zero: [4, 4], a: [2, 0], b: [0, 2] } as const;
const gradientInput = {
  sky: { lm: new Float64Array(2), stokes: new Float64Array(4) },
  uvw: new Float64Array(3),
  frequency: Float64Array.of(1e9),
  residual: new Float64Array(8),
};
const predictInput = {
  uvw: Float64Array.of(1, 2, 3),
  frequency: Float64Array.of(1e9),
  sky: { lm: Float64Array.of(0, 0), stokes: Float64Array.of(1, 0, 0, 0) },
};
const imagingRows = { uvw: Float64Array.of(1, 2, 3), frequency: Float64Array.of(1e9) };
const visibilities = Float64Array.of(1, 0);
const imageGrid = { pixels: [2, 2], cell: [1e-4, 1e-4] } as const;
const observed = { antennas: [], frequencies: new Float64Array() } as never;
const baselineRows = { uvw: [1, 2, 3], antenna1: [0], antenna2: [1] };
const cube = tilewise.hypercube({ dimensions: { n: 4 }, arrays: [] });
const FRAME = [8, 8];
const centre = { cy: 4, cx: 4 };
const disk = { ...centre, r: 2 };
const ring = { ...centre, ro: 2, ri: 1 };

function* rows(
  call: string,
  run: (options: never) => unknown,
  ...cases: readonly (readonly [options: object, wrong: string, meant: string])[]
): Generator<Row> {
  for (const [options, wrong, meant] of cases) yield { call, run, options, wrong, meant };
}

const opening = [
  [{ syncoffset: 5 }, "syncoffset", "syncOffset"],
  [{ sync_offset: 5 }, "sync_offset", "syncOffset"],
  [{ allowmissing: true }, "allowmissing", "allowMissing"],
  [{ roots: "." }, "roots", "root"],
  [{ http: { header: {} } }, "http.header", "headers"],
  [{ http: { retry: { atempts: 3 } } }, "http.retry.atempts", "attempts"],
  [{ http: { timeOut: 3 } }, "http.timeOut", "timeout"],
] as const;
const correcting = [
  [{ corrections: { Dark: image } }, "corrections.Dark", "dark"],
  [{ corrections: { exclude: [] } }, "corrections.exclude", "excluded"],
] as const;
const analysing = [...correcting, [{ onprogress: () => {} }, "onprogress", "onProgress"]] as const;
const correlating = [
  [{ pattern, peaks: [[4, 4]], upsamle: 4 }, "upsamle", "upsample"],
  [{ pattern: { ...pattern, Radius: 3 }, peaks: [[4, 4]] }, "pattern.Radius", "radius"],
] as const;
const refining = [
  [{ pattern, ...lattice, indices: [[0, 0]], min_match: 4 }, "min_match", "minMatch"],
] as const;

/** All of them. */
export const ROWS: readonly Row[] = [
  ...rows("usePackages", (o) => tilewise.usePackages(o), [{ h5wasn: "x:" }, "h5wasn", "h5wasm"]),
  ...rows("new Arena", (o) => new Arena(o), [{ Budget: 64 }, "Budget", "budget"]),
  ...rows("processExecutor", (o) => tilewise.processExecutor(o), [{ worker: 1 }, "worker", "workers"]),
  ...rows("workerPool", (o) => tilewise.workerPool(o), [{ worker: 1 }, "worker", "workers"]),
  ...rows(
    "processExecutor",
    (o) => tilewise.processExecutor(o),
    [{ worker: 1 }, "worker", "workers"],
    [{ permissions: { reads: [] } }, "permissions.reads", "read"],
  ),
  ...rows("open", (o) => tilewise.open(new Uint8Array(4), o), ...opening),
  ...rows("openAll", (o) => tilewise.openAll(new Uint8Array(4), o), ...opening),
  ...rows("createContext", (o) => tilewise.createContext(o), [{ Memory: 64 }, "Memory", "memory"]),
  ...rows(
    "executionPlan",
    (o) => tilewise.executionPlan(o),
    [{ udfs: [], dataset: { name: "x", backends: ["dense"] }, allow: [] }, "allow", "allowed"],
  ),
  ...rows(
    "plan",
    (o) => tilewise.plan(scan, sum(), o),
    [{ Roi: [[0, 0]] }, "Roi", "roi"],
    [{ tilebytes: 4 }, "tilebytes", "tileBytes"],
    ...correcting,
  ),
  ...rows("run", async (o) => await tilewise.run(await planned, o), [
    { stalltimeout: 5 },
    "stalltimeout",
    "stallTimeout",
  ]),
  ...rows("inspect", (o) => tilewise.inspect(scan, tilewise.sumFrames(), o), [{ Roi: [] }, "Roi", "roi"]),
  ...rows("auxData", (o) => tilewise.auxData(new Float32Array(4), o), [
    { extra_shape: [2] },
    "extra_shape",
    "extraShape",
  ]),
  ...rows(
    "udf",
    (o) => tilewise.udf("file:///x.ts", o),
    [{ param: {} }, "param", "params"],
    [{ exports: "x" }, "exports", "export"],
  ),
  ...rows(
    "udf",
    (o) => tilewise.plan(scan, { it: tilewise.udf(o) }),
    [
      { name: "x", buffers: { x: { kind: "nav", extra_shape: [] } }, processFrame() {} },
      "buffers.x.extra_shape",
      "extraShape",
    ],
    [
      { name: "x", buffers: { x: { kind: "nav" } }, tiling: { total_bytes: 9 }, processFrame() {} },
      "tiling.total_bytes",
      "totalBytes",
    ],
    [{ name: "x", buffers: {}, processFrame() {}, get_results() {} }, "get_results", "results"],
  ),
  ...rows("checkKernel", (o) => tilewise.checkKernel(kernel, o), [
    { tolerence: 1 },
    "tolerence",
    "tolerance",
  ]),
  ...rows(
    "kernelUdf",
    (o) => tilewise.kernelUdf(o),
    [{ source: "", buffer: {} }, "buffer", "buffers"],
    [{ source: "", buffers: { x: { kind: "nav", extrashape: [] } } }, "buffers.x.extrashape", "extraShape"],
    [
      { source: "", buffers: {}, scratch: { x: { dtype: "int8", perpixel: 1 } } },
      "scratch.x.perpixel",
      "perPixel",
    ],
    [{ kernel: "min_max", Name: "x" }, "Name", "name"],
  ),
  ...rows("testUdf", (o) => tilewise.testUdf(tilewise.sumFrames(), o), [{ worker: 0 }, "worker", "workers"]),
  ...rows(
    "applyMasks",
    (o) => tilewise.applyMasks(o),
    [{ masks: [image], usesparse: true }, "usesparse", "useSparse"],
    [{ masks: [image, { ...ring, R: 3 }] }, "masks[1].R", "ro"],
    [{ masks: [{ make: "radialBins", ...centre, bin: 3 }] }, "masks[0].bin", "bins"],
    [{ masks: [{ module: "file:///x.ts", Params: {} }] }, "masks[0].Params", "params"],
  ),
  ...rows("centreOfMass", (o) => tilewise.centreOfMass(o), [{ flipy: true }, "flipy", "flipY"]),
  ...rows("annularDetector", (o) => tilewise.annularDetector(o), [{ Ro: 3 }, "Ro", "ro"]),
  ...rows("diskDetector", (o) => tilewise.diskDetector(o), [{ R: 3 }, "R", "r"]),
  ...rows("pointDetector", (o) => tilewise.pointDetector(o), [{ CY: 3 }, "CY", "cy"]),
  ...rows("rectangularDetector", (o) => tilewise.rectangularDetector(o), [{ heigth: 3 }, "heigth", "height"]),
  ...rows(
    "crystallinity",
    (o) => tilewise.crystallinity(o),
    [{ ri: 1, ro: 2, Real: disk }, "Real", "real"],
    [{ ri: 1, ro: 2, real: { ...disk, CX: 3 } }, "real.CX", "cx"],
  ),
  ...rows("fftOfFrames", (o) => tilewise.fftOfFrames(o), [{ reel: disk }, "reel", "real"]),
  ...rows(
    "fftOfSum",
    (o) => tilewise.fftOfSum(o),
    [{ reel: disk }, "reel", "real"],
    [{ real: { ...disk, R: 3 } }, "real.R", "r"],
  ),
  ...rows("fluctuation", (o) => tilewise.fluctuation(o), [{ RI: 3 }, "RI", "ri"]),
  ...rows("expression", (o) => tilewise.expression("sum(x)", o), [{ array: {} }, "array", "arrays"]),
  ...rows("mapFrames", (o) => tilewise.mapFrames((frame) => frame[0]!, o), [
    { dType: "int8" },
    "dType",
    "dtype",
  ]),
  ...rows("pixelValues", (o) => tilewise.pixelValues(o), [{ At: [[0, 0]] }, "At", "at"]),
  ...rows("radialFourier", (o) => tilewise.radialFourier(o), [{ maxorder: 3 }, "maxorder", "maxOrder"]),
  ...rows(
    "clusterFrames",
    (o) => tilewise.clusterFrames(scan, o),
    [{ n: 2, feature: 3 }, "feature", "features"],
    [{ n: 2, ring: { RO: 3 } }, "ring.RO", "ro"],
    [{ n: 2, corrections: { Dark: image } }, "corrections.Dark", "dark"],
  ),
  ...rows("exportDataset", (o) => tilewise.exportDataset(scan, "/nowhere/x.npy", o), ...analysing),
  ...rows("planExport", (o) => tilewise.planExport(scan, "/nowhere/x.npy", o), ...analysing),
  ...rows("localMaxima", (o) => tilewise.localMaxima(image, o), [
    { min_distance: 2 },
    "min_distance",
    "minDistance",
  ]),
  ...rows("read", (o) => tilewise.read(scan, [0, 0], o), ...analysing),
  ...rows(
    "runManifest",
    async (o) => tilewise.runManifest(await planned, await results, o),
    [{ file: {} }, "file", "files"],
    [{ command: { argument: [], folder: "x" } }, "command.argument", "arguments"],
  ),
  ...rows("save", (o) => tilewise.save(image, "/nowhere/x.png", o), [
    { colorMap: "gray" },
    "colorMap",
    "colormap",
  ]),
  ...rows("saveVectors", (o) => tilewise.saveVectors(image, image, "/nowhere/x.png", o), [
    { Text: {} },
    "Text",
    "text",
  ]),
  ...rows("planLoading", (o) => tilewise.planLoading(scan, o), [{ Radius: 1 }, "Radius", "radius"]),
  ...rows("openViews", (o) => tilewise.openViews(scan, o), [{ aheads: 1 }, "aheads", "ahead"]),
  ...rows("tileSource", (o) => tilewise.tileSource(scan, o), [{ tilesize: 64 }, "tilesize", "tileSize"]),
  ...rows("seadragonSource", (o) => tiles.then((source) => tilewise.seadragonSource(source, o)), [
    { colourmap: "gray" },
    "colourmap",
    "colormap",
  ]),
  ...rows("pixelsOf", (o) => tilewise.pixelsOf(image, o), [{ ranges: [0, 1] }, "ranges", "range"]),
  ...rows("tileLoader", (o) => tilewise.tileLoader("file:///a.ts", o), [
    { exports: "a" },
    "exports",
    "export",
  ]),
  ...rows("planViews", (o) => tilewise.planViews(tilewise.arrayOf(scan), o), [
    { tile: [1, 1, 4, 4], Radius: 1 },
    "Radius",
    "radius",
  ]),
  ...rows("predictMisses", (o) => tilewise.predictMisses(tilewise.gridOf([4], [2]), o), [
    { cacheTiles: 2, traverse: "snake" },
    "traverse",
    "traversal",
  ]),
  ...rows("bestTraversal", (o) => tilewise.bestTraversal(tilewise.gridOf([4], [2]), o), [
    { cacheTiles: 2, radii: 1 },
    "radii",
    "radius",
  ]),
  ...rows("histogramOf", (o) => tilewise.histogramOf(tilewise.arrayOf(scan), o), [{ bin: 5 }, "bin", "bins"]),
  ...rows("otsu", (o) => tilewise.otsu(tilewise.arrayOf(scan), o), [{ ranges: [0, 1] }, "ranges", "range"]),
  ...rows("measure", (o) => tilewise.measure(tilewise.arrayOf(scan), undefined, o), [
    { waits: true },
    "waits",
    "wait",
  ]),
  ...rows("labelImage", (o) => tilewise.labelImage(tilewise.arrayOf(scan), o), [
    { connectivty: 1 },
    "connectivty",
    "connectivity",
  ]),
  ...rows("planMap", (o) => tilewise.planMap(tilewise.arrayOf(scan), tilewise.boxMean(), o), [
    { boarder: "edge" },
    "boarder",
    "border",
  ]),
  ...rows("mapViews", (o) => tilewise.mapViews(tilewise.arrayOf(scan), tilewise.boxMean(), o), [
    { traversals: "snake" },
    "traversals",
    "traversal",
  ], [{ sinks: () => {} }, "sinks", "sink"]),
  ...rows("reduceViews", (o) => tilewise.reduceViews(tilewise.arrayOf(scan), tilewise.sampleRange(), o), [
    { boarder: "edge" },
    "boarder",
    "border",
  ]),
  ...rows("viewExpression", (o) => tilewise.viewExpression("x", o), [{ dType: "float32" }, "dType", "dtype"]),
  ...rows("threshold", (o) => tilewise.threshold(o), [{ valeu: 1 }, "valeu", "value"]),
  ...rows("convert", (o) => tilewise.convert(o), [{ dType: "int8" }, "dType", "dtype"]),
  ...rows("downSample", (o) => tilewise.downSample(o), [{ factors: 2 }, "factors", "factor"]),
  ...rows("boxMean", (o) => tilewise.boxMean(o), [{ Radius: 1 }, "Radius", "radius"]),
  ...rows("localMinimum", (o) => tilewise.localMinimum(o), [{ radii: 1 }, "radii", "radius"]),
  ...rows("localMaximum", (o) => tilewise.localMaximum(o), [{ radii: 1 }, "radii", "radius"]),
  ...rows("borderFunction", (o) => tilewise.borderFunction(() => 0, o), [
    { exports: "mirror" },
    "exports",
    "export",
  ]),
  ...rows("fileSink", (o) => tilewise.fileSink("a.zarr", o), [{ shards: [8, 8] }, "shards", "shard"], [
    { axes: [{ scales: 1 }] },
    "axes[0].scales",
    "scale",
  ]),
  ...rows("fileSink", (o) => tilewise.fileSink("a.ome.zarr", o), [{ level: 2 }, "level", "levels"]),
  ...rows("fileSink", (o) => tilewise.fileSink("a.ome.tif", o), [
    { predicter: true },
    "predicter",
    "predictor",
  ]),
  ...FILTER_ROWS,
  ...rows("viewFunction", (o) => tilewise.viewFunction(() => {}, o), [{ dType: "int8" }, "dType", "dtype"]),
  ...rows(
    "viewKernel",
    (o) => tilewise.viewKernel(o),
    [{ source: "", Radius: 1 }, "Radius", "radius"],
    [{ source: "", scratch: { a: { dtype: "int8", persample: 1 } } }, "scratch.a.persample", "perSample"],
  ),
  ...rows(
    "viewUdf",
    (o) => tilewise.viewUdf(o),
    [{ buffers: {}, processview: () => {}, processView: () => {} }, "processview", "processView"],
    [{ buffers: { a: { kind: "tile", Merge: "sum" } }, processView: () => {} }, "buffers.a.Merge", "merge"],
  ),
  ...rows("defineViewUdf", (o) => tilewise.defineViewUdf(o), [
    { buffers: { a: { kind: "tile", Dtype: "int8" } }, processView: () => {} },
    "buffers.a.Dtype",
    "dtype",
  ]),
  ...rows(
    "hypercube",
    (o) => tilewise.hypercube(o),
    [{ dimension: {}, arrays: [] }, "dimension", "dimensions"],
    [{ dimensions: { n: { size: 3, Lower: 1 } }, arrays: [] }, "dimensions.n.Lower", "lower"],
    [
      { dimensions: { n: 3 }, arrays: [{ name: "x", shape: ["n"], dtype: "int8", Role: "output" }] },
      "arrays[0].Role",
      "role",
    ],
    [{ dimensions: { n: { productsOf: [] } }, arrays: [] }, "dimensions.n.productsOf", "productOf"],
    [
      { dimensions: {}, arrays: [], properties: { x: { dtype: "int8", defaults: 1 } } },
      "properties.x.defaults",
      "default",
    ],
  ),
  ...rows("openObservation", (o) => tilewise.openObservation("none.ms", o), [
    { spectralwindow: 1 },
    "spectralwindow",
    "spectralWindow",
  ]),
  ...rows("fromObservation", (o) => tilewise.fromObservation({} as never, o), [
    { correlation: [] },
    "correlation",
    "correlations",
  ]),
  ...rows(
    "observedEquation",
    (o) => tilewise.observedEquation(predictInput.sky, observed, o),
    [{ compares: true }, "compares", "compare"],
  ),
  ...rows("compare", (o) => tilewise.compare(predictInput.sky, observed, o), [
    { precison: "f64" },
    "precison",
    "precision",
  ]),
  ...rows(
    "readBeam",
    (o) => tilewise.readBeam("$(corr)$(reim)", o),
    [{ feeds: "linear" }, "feeds", "feed"],
    [{ axes: { freqency: "NU" } }, "axes.freqency", "frequency"],
  ),
  ...rows("readSky", (o) => tilewise.readSky("none.txt", o), [{ formt: "list" }, "formt", "format"]),
  ...rows("beam", (o) => tilewise.beam(o), [{ outsides: "clamp" }, "outsides", "outside"]),
  ...rows("jonesFunction", (o) => tilewise.jonesFunction(() => {}, o), [{ param: {} }, "param", "params"]),
  ...rows("jonesKernel", (o) => tilewise.jonesKernel(o), [{ sourse: "" }, "sourse", "source"]),
  ...rows(
    "simulate",
    (o) => tilewise.simulate(gradientInput, o),
    [{ feeds: "linear" }, "feeds", "feed"],
    [{ smearing: { interval: 1, declinaton: 0 } }, "smearing.declinaton", "declination"],
  ),
  ...rows(
    "fitSources",
    (o) => tilewise.fitSources({ ...predictInput, observed: new Float64Array(8) }, o),
    [{ step: 3 }, "step", "steps"],
  ),
  ...rows("chiSquaredGradient", (o) => tilewise.chiSquaredGradient(gradientInput, o), [
    { feeds: "linear" },
    "feeds",
    "feed",
  ]),
  ...rows("baselinePairs", (o) => tilewise.baselinePairs(3, o), [
    { autoCorrelation: true },
    "autoCorrelation",
    "autoCorrelations",
  ]),
  ...rows("decomposeUvw", (o) => tilewise.decomposeUvw(baselineRows, o), [
    { antenna: 3 },
    "antenna",
    "antennas",
  ]),
  ...rows("dimension", (o) => tilewise.dimension("n", 3, o), [{ uper: 2 }, "uper", "upper"]),
  ...rows("planTiles", (o) => tilewise.planTiles(cube, o), [
    { tile: ["n"], inflight: 2 },
    "inflight",
    "inFlight",
  ]),
  ...rows(
    "run",
    (o) => tilewise.run(cube, o),
    [{ sink: {} }, "sink", "sinks"],
    [{ kernel: { module: "x", exports: "y" } }, "kernel.exports", "export"],
    [{ kernel: { module: "x", export: "y" }, sources: {}, sinks: {}, order: false }, "order", "ordered"],
  ),
  ...rows("fromArrays", (o) => tilewise.fromArrays({}, o), [{ Name: "x" }, "Name", "name"]),
  ...rows("fromDataset", (o) => tilewise.fromDataset(scan, o), [{ array: "x", axis: [] }, "axis", "axes"]),
  ...rows("checkViewKernel", (o) => tilewise.checkViewKernel(tilewise.median(), tilewise.median(), o), [
    { run: 1 },
    "run",
    "runs",
  ]),
  ...rows("toNpy", (o) => tilewise.toNpy({ x: "x.npy" }, o), [{ resumes: "a" }, "resumes", "resume"]),
  ...rows("toZarr", (o) => tilewise.toZarr("x.zarr", o), [
    { arrays: ["x"], compresion: "zstd" },
    "compresion",
    "compression",
  ]),
  ...rows("cached", (o) => tilewise.cached({ name: "x" }, o), [{ byte: 4 }, "byte", "bytes"]),
  ...rows("workerSource", (o) => tilewise.workerSource("file:///x.ts", o), [
    { param: {} },
    "param",
    "params",
  ]),
  ...rows(
    "cubeKernel",
    (o) => tilewise.cubeKernel(o),
    [{ sources: "" }, "sources", "source"],
    [{ source: "", param: {} }, "param", "params"],
  ),
  ...rows("cubeExpression", (o) => tilewise.cubeExpression({ y: "1" }, o), [
    { param: {} },
    "param",
    "params",
  ]),
  ...rows("cubeFunction", (o) => tilewise.cubeFunction(() => {}, o), [{ array: {} }, "array", "arrays"]),
  ...rows(
    "dirtyImage",
    (o) => tilewise.dirtyImage({ ...imagingRows, visibilities }, imageGrid, o),
    [{ weigthing: "uniform" }, "weigthing", "weighting"],
  ),
  ...rows(
    "planDirtyImage",
    (o) => tilewise.planDirtyImage({ ...imagingRows, visibilities }, imageGrid, o),
    [{ weigthing: "uniform" }, "weigthing", "weighting"],
  ),
  ...rows(
    "mainLobe",
    (o) => tilewise.mainLobe(imagingRows, imageGrid, o),
    [{ weigthing: "uniform" }, "weigthing", "weighting"],
  ),
  ...rows(
    "imagePlanes",
    (o) => tilewise.imagePlanes(observed, imageGrid, o).next(),
    [{ band: 2 }, "band", "bands"],
  ),
  ...rows(
    "planColumn",
    (o) => tilewise.planColumn(predictInput.sky as never, "x.ms", "MODEL_DATA", o),
    [{ feild: 1 }, "feild", "field"],
  ),
  ...rows(
    "pointSpread",
    (o) => tilewise.pointSpread(imagingRows, imageGrid, o),
    [{ normalise: true }, "normalise", "normalize"],
  ),
  ...rows(
    "degrid",
    (o) => tilewise.degrid(new Float64Array(4), imageGrid, imagingRows, o),
    [{ wterm: false }, "wterm", "wTerm"],
  ),
  ...rows(
    "planDegrid",
    (o) => tilewise.planDegrid(new Float64Array(4), imageGrid, imagingRows, o),
    [{ wterm: false }, "wterm", "wTerm"],
  ),
  ...rows(
    "planPredictionByGridding",
    (o) =>
      tilewise.planPredictionByGridding(
        { lm: new Float64Array(2), flux: new Float64Array(1) },
        imagingRows,
        o,
      ),
    [{ epsilom: 1e-3 }, "epsilom", "epsilon"],
  ),
  ...rows(
    "predictByGridding",
    (o) => tilewise.predictByGridding({ lm: new Float64Array(2), flux: new Float64Array(1) }, imagingRows, o),
    [{ epsilom: 1e-3 }, "epsilom", "epsilon"],
  ),
  ...rows("predictKernel", (o) => tilewise.predictKernel(o), [{ precison: "f64" }, "precison", "precision"]),
  ...rows("predictArrays", (o) => tilewise.predictArrays(o), [{ shape: [] }, "shape", "shapes"]),
  ...rows(
    "predict",
    (o) => tilewise.predict(predictInput, o),
    [{ polarized: true }, "polarized", "polarised"],
  ),
  ...rows("predict", (o) => tilewise.predict(predictInput.sky, observed, o), [
    { termInput: {} },
    "termInput",
    "termInputs",
  ]),
  ...rows(
    "planPredict",
    (o) => tilewise.planPredict(predictInput, o),
    [{ inflight: 2 }, "inflight", "inFlight"],
  ),
  ...rows("phaseArrays", (o) => tilewise.phaseArrays(o), [{ precison: "f64" }, "precison", "precision"]),
  ...rows("phaseKernel", (o) => tilewise.phaseKernel(o), [
    { Convention: "casa" },
    "Convention",
    "convention",
  ]),
  ...rows("masks.circular", (o) => masks.circular(FRAME, o), [
    { ...disk, antiAliased: true },
    "antiAliased",
    "antialiased",
  ]),
  ...rows("masks.ring", (o) => masks.ring(FRAME, o), [
    { ...ring, anti_aliased: true },
    "anti_aliased",
    "antialiased",
  ]),
  ...rows("masks.rectangular", (o) => masks.rectangular(FRAME, o), [
    { y: 0, x: 0, height: 1, with: 1 },
    "with",
    "width",
  ]),
  ...rows("masks.radialGradient", (o) => masks.radialGradient(FRAME, o), [{ ...disk, R: 1 }, "R", "r"]),
  ...rows(
    "masks.radialGradientBackgroundSubtraction",
    (o) => masks.radialGradientBackgroundSubtraction(image, o),
    [{ r: 1, ro: 2, Delta: 1 }, "Delta", "delta"],
  ),
  ...rows("masks.backgroundSubtraction", (o) => masks.backgroundSubtraction(FRAME, o), [
    { ...ring, Ri: 1 },
    "Ri",
    "ri",
  ]),
  ...rows("masks.polarMap", (o) => masks.polarMap(FRAME, o), [
    { ...centre, stretch_y: 2 },
    "stretch_y",
    "stretchY",
  ]),
  ...rows("masks.radialBins", (o) => masks.radialBins(FRAME, o), [
    { ...centre, normalise: true },
    "normalise",
    "normalize",
  ]),
  ...rows("masks.sparseRadialBins", (o) => masks.sparseRadialBins(FRAME, o), [
    { ...centre, bin: 2 },
    "bin",
    "bins",
  ]),
  ...rows("masks.radialFourierMasks", (o) => masks.radialFourierMasks(FRAME, o), [
    { ...centre, maxorder: 2 },
    "maxorder",
    "maxOrder",
  ]),
  ...rows("blobs.correlatePattern", (o) => blobs.correlatePattern(o), ...correlating),
  ...rows("blobs.featureVector", (o) => blobs.featureVector(o), [
    { pattern, peak: [[4, 4]] },
    "peak",
    "peaks",
  ]),
  ...rows("blobs.findPeaks", (o) => blobs.findPeaks(image, o), [
    { pattern, treshold: 1 },
    "treshold",
    "threshold",
  ]),
  ...rows("blobs.findLattices", (o) => blobs.findLattices({ positions: [] }, o), [
    { minangle: 3 },
    "minangle",
    "minAngle",
  ]),
  ...rows("blobs.findLattices", (o) => blobs.findLattices(o), [
    { positions: [], weigths: [] },
    "peaks.weigths",
    "weights",
  ]),
  ...rows("blobs.affinematch", (o) => blobs.affinematch(o, []), [
    { positions: [], weight: [] },
    "peaks.weight",
    "weights",
  ]),
  ...rows("blobs.fastmatch", (o) => blobs.fastmatch({ positions: [] }, lattice, o), [
    { tolerence: 3 },
    "tolerence",
    "tolerance",
  ]),
  ...rows("blobs.fitWarnings", (o) => blobs.fitWarnings({}, o), [
    { ...lattice, indices: [], pattern, tolerence: 3 },
    "tolerence",
    "tolerance",
  ]),
  ...rows("derive", (o) => tilewise.derive(tilewise.sumFrames(), o), [
    { results: () => ({}), buffer: {} },
    "buffer",
    "buffers",
  ]),
  ...rows("blobs.integratePeaks", (o) => blobs.integratePeaks(o), [
    { pattern, position: perFrame },
    "position",
    "positions",
  ]),
  ...rows("blobs.latticePoints", (o) => blobs.latticePoints(lattice, o), [
    { frame: [8, 8], max_radius: 3 },
    "max_radius",
    "maxRadius",
  ]),
  ...rows("blobs.circularPattern", (o) => blobs.circularPattern(o), [
    { radius: 3, Search: 3 },
    "Search",
    "search",
  ]),
  ...rows("blobs.radialGradientPattern", (o) => blobs.radialGradientPattern(o), [
    { radius: 3, serach: 3 },
    "serach",
    "search",
  ]),
  ...rows("blobs.backgroundSubtractionPattern", (o) => blobs.backgroundSubtractionPattern(o), [
    { radius: 3, Outer: 4 },
    "Outer",
    "outer",
  ]),
  ...rows(
    "blobs.radialGradientBackgroundSubtractionPattern",
    (o) => blobs.radialGradientBackgroundSubtractionPattern(o),
    [{ radius: 3, radius_map: image }, "radius_map", "radiusMap"],
  ),
  ...rows("blobs.userTemplate", (o) => blobs.userTemplate(o), [
    { template: image, Search: 3 },
    "Search",
    "search",
  ]),
  ...rows("blobs.refineLattice", (o) => blobs.refineLattice(o), ...refining),
  ...rows(
    "blobs.strainMap",
    (o) => blobs.strainMap(o),
    ...refining,
    [
      { pattern, ...lattice, indices: [[0, 0]], reference: { a: [2, 0], B: [0, 2] } },
      "reference.B",
      "b",
    ],
  ),
  ...rows("blobs.strainArrays", (o) => blobs.strainArrays([1, 0], [0, 1], o), [
    { Form: "polar" },
    "Form",
    "form",
  ]),
  ...rows(
    "launch",
    async (o) =>
      await tilewise.launch(
        tilewise.createContext({ workers: 0 }),
        { module: "", export: "", shared: 0 },
        [],
        o,
      ),
    [{ Signal: 1 }, "Signal", "signal"],
    [{ StallTimeout: 1 }, "StallTimeout", "stallTimeout"],
  ),
  ...rows("channels.hostBytes", (o) => channels.hostBytes(o), [
    { channels: 1, bufferLength: 1, elementSize: 1, runner: 2 },
    "runner",
    "runners",
  ]),
  ...rows("channels.startHost", (o) => channels.startHost(tilewise.createContext({ memory: 2 ** 16 }), o), [
    { channels: 1, bufferLength: 1, element_size: 1 },
    "element_size",
    "elementSize",
  ], [
    { channels: 1, bufferLength: 1, elementSize: 1, functions: { module: "a:b", exports: "c" } },
    "functions.exports",
    "export",
  ]),
  ...rows("channels.hostCalls", (o) => channels.hostCalls({} as never, o), [
    { Stream: true },
    "Stream",
    "stream",
  ]),
  ...rows(
    "channels.launchKernel",
    (o) => channels.launchKernel(tilewise.createContext({ workers: 0 }), { source: "" }, o),
    [{ group: 2 }, "group", "groups"],
    [{ groupsize: 2 }, "groupsize", "groupSize"],
  ),
  ...rows(
    "channels.planLaunch",
    (o) => channels.planLaunch(tilewise.createContext({ workers: 0 }), { source: "" }, o),
    [{ group: 2 }, "group", "groups"],
  ),
  ...rows(
    "channels.launchKernel",
    (o) => channels.launchKernel(tilewise.createContext({ workers: 0 }), o),
    [{ source: "", exports: "run" }, "kernel.exports", "export"],
    [{ wasm: new Uint8Array(), exports: "run" }, "kernel.exports", "export"],
    [{ module: "", Export: "run" }, "kernel.Export", "export"],
  ),
  ...rows(
    "channels.startHost",
    (o) => channels.startHost(tilewise.createContext({ memory: 2 ** 16 }), o),
    [{ channels: 1, bufferLength: 1, elementSize: 1, root: ["."] }, "root", "roots"],
    [{ channels: 1, bufferLength: 1, elementSize: 1, backend: {} }, "backend", "backEnd"],
  ),
  ...rows("channels.hasDirect", async (o) => await channels.hasDirect("scan.raw", o), [
    { root: ["."] },
    "root",
    "roots",
  ]),
  ...rows("channels.memoryFiles", (o) => channels.memoryFiles(o), [{ byte: 1 }, "byte", "bytes"]),
  ...rows("channels.opfsFiles", (o) => channels.opfsFiles(o), [{ folders: "a" }, "folders", "folder"]),
  ...rows("channels.httpFiles", (o) => channels.httpFiles("http://localhost/", o), [
    { cachebytes: 1 },
    "cachebytes",
    "cacheBytes",
  ]),
  ...rows("channels.runWasi", (o) => channels.runWasi({} as never, {}, o), [
    { Args: [] },
    "Args",
    "args",
  ], [{ outputlimit: 1 }, "outputlimit", "outputLimit"]),
  ...rows("channels.launchWasi", (o) => channels.launchWasi({} as never, {}, [], o), [
    { Timeout: 1 },
    "Timeout",
    "timeout",
  ]),
  ...rows("notebook.show", async (o) => await notebook.show(await planned, o), [
    { displays: () => {} },
    "displays",
    "display",
  ]),
  ...rows("readyRun", (o) => cluster.readyRun(store, o), [{ contxt: 1 }, "contxt", "context"]),
  ...rows("computeInto", (o) => cluster.computeInto(store, {} as never, { level: 0, index: 0 }, o), [
    { onprogress: () => {} },
    "onprogress",
    "onProgress",
  ]),
  ...rows("runOnEngine", (o) => cluster.runOnEngine(store, {} as never, {} as never, o), [
    { prioritty: 1 },
    "prioritty",
    "priority",
  ]),
  ...rows("serve", (o) => cluster.serve({} as never, o), [
    { name: "w", signal: new AbortController().signal, alow: [] },
    "alow",
    "allow",
  ]),
  ...rows("storeConversion", (o) => cluster.storeConversion(store, "a.tif", "a.zarr", o), [
    { files: {} },
    "files",
    "file",
  ]),
  ...rows("storeCube", (o) => cluster.storeCube(store, "file:///cube.ts", o), [
    { param: {} },
    "param",
    "params",
  ]),
  ...rows("mergeCube", (o) => cluster.mergeCube(store, {} as never, {}, o), [
    { Signal: 1 },
    "Signal",
    "signal",
  ]),
  ...rows("mergeInto", (o) => cluster.mergeInto(store, {} as never, "a.zarr", o), [
    { Signal: 1 },
    "Signal",
    "signal",
  ]),
  ...rows("mergeRun", (o) => cluster.mergeRun(store, {} as never, o), [{ Signal: 1 }, "Signal", "signal"]),
  // Methods and what modules export are not in the list of the surface.
  ...rows("Hypercube.with", (o) => cube.with(o), [{ n: { uper: 3 } }, "n.uper", "upper"]),
  ...rows(
    "Run.update",
    async (o) => await tilewise.run(await tilewise.plan(scan, { bf: tilewise.diskDetector() })).update(o),
    [{ bf: { R: 20 } }, "R", "r"],
  ),
];

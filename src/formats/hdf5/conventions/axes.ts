/**
 * What lies beside an array of HDF5 and says what its axes mean: groups of HyperSpy, axes of NeXus, `dim` arrays of EMD
 * and py4DSTEM, tags of DM5, properties of Nion Swift.
 *
 * ```
 * NeXus      …/data  … {axes: [y, x, ., .]}  …/y {units}  …/x {units}
 * EMD        …/data  …/dim1 {name units}  …/dim2 …        py4DSTEM counts from dim0 and keeps two values of each
 * ```
 *
 * @module
 */

import { type Instrument, known } from "../../../dataset/facts.ts";
import type { AxisFacts } from "../../../space/axes.ts";
import type { Hdf5Array } from "../arrays/arrays.ts";
import { type Attributes, type PlainValue, readAttributes } from "../metadata/attributes.ts";
import { dm5Axes } from "./dm5.ts";
import { hyperspyAxes } from "./hyperspy.ts";
import { detectorOf, hasDetector } from "./nexus_detector.ts";
import { nionAxes } from "./nion.ts";
import { datasetAt, type Found, type Hdf5Dataset } from "../metadata/objects.ts";
import { type Calibration, calibrationOf } from "./py4dstem.ts";
import { smallNumbers } from "./small_reads.ts";
import { named, unit } from "./units.ts";
import { veloxFacts } from "./velox.ts";
import { kindsByUnit } from "../../common/kinds.ts";

/** Values of an axis that are read, to see whether they are evenly spaced. */
const MOST_VALUES = 65536;
/** Steps may differ by this part of them: axes are kept in float32 too. */
const EVEN = 1e-3;

/** What is known beside the samples of an array. */
export interface Facts {
  /** One entry for each dimension; none where nothing is known. */
  readonly axes: readonly (AxisFacts | undefined)[];
  /** Microscope and detector. */
  readonly instrument: Instrument;
}

/** Facts about `array` from the file. */
export async function factsOf(array: Hdf5Array, found: Found): Promise<Facts> {
  const velox = await veloxFacts(array, found);
  if (velox) return velox;
  const instrument = { ...await detectorOf(found), ...instrumentOf(array, found) };
  return { axes: await axesOf(array, found), instrument };
}

async function axesOf(array: Hdf5Array, found: Found): Promise<(AxisFacts | undefined)[]> {
  const { dataset, shape } = array;
  const parent = parentOf(dataset.path);
  const own = dataset.space.shape.length;
  const told = await hyperspyAxes(parent, own, found) ?? dm5Axes(parent, own, found) ??
    await nionAxes(array);
  if (told) return withColours(array, told);
  const axes = await nexusAxes(array, parent, found) ?? await emdAxes(array, parent, found);
  const steps = await calibrationOf(array, found);
  const isDetector = hasDetector(found, dataset.path);
  if (!axes && !steps && !isDetector) return [];
  const all = shape.map((_, d) => calibrated(axes?.[d], steps?.[d]));
  const kinds = isDetector && all.every((axis) => axis?.kind === undefined)
    ? all.map((axis, d): AxisFacts => ({ ...axis, kind: d < own - 2 ? "scan" : "detector" }))
    : kindsByUnit(all);
  return withColours(array, kinds);
}

/** Records of three or four equal numbers are colours. */
function withColours({ shape, sample: { inner } }: Hdf5Array, axes: readonly AxisFacts[]): AxisFacts[] {
  const isColour = inner.length === 1 && (inner[0] === 3 || inner[0] === 4);
  const more = isColour ? { kind: "colour" as const } : {};
  return shape.map((_, d) => ({ ...(d < shape.length - inner.length ? {} : more), ...axes[d] }));
}

/** The axis with the step of the calibration, where it has none itself. */
function calibrated(axis: AxisFacts | undefined, step: Calibration | undefined): AxisFacts | undefined {
  if (!step) return axis;
  const own = { ...axis, kind: step.kind };
  if (axis?.scale !== undefined || axis?.positions) return own;
  const spelled = unit(step.units);
  if (step.scale === 1 && !("unit" in spelled)) return own; // what py4DSTEM writes without a calibration
  return { ...own, scale: step.scale, offset: 0, ...spelled };
}

/** Microscope and detector, as HyperSpy notes them. */
function instrumentOf({ dataset }: Hdf5Array, { groups }: Found): Instrument {
  const parent = parentOf(dataset.path);
  const of = (...path: string[]): Attributes => groups.get([parent, ...path].join("/")) ?? {};
  const scope = { ...of("mapped_parameters", "TEM"), ...of("metadata", "Acquisition_instrument", "TEM") };
  const camera = of("metadata", "Acquisition_instrument", "TEM", "Detector", "Camera");
  const { date, time } = of("metadata", "General");
  const number = (value: PlainValue | undefined, unit: number) =>
    typeof value === "number" ? value * unit : undefined;
  return known({
    voltage: number(scope.beam_energy, 1000),
    cameraLength: number(scope.camera_length, 1 / 1000),
    magnification: number(scope.magnification, 1),
    exposure: number(camera.exposure, 1),
    acquired: typeof date === "string" && typeof time === "string" ? `${date}T${time}` : undefined,
  });
}

function parentOf(path: string): string {
  return path.replace(/\/[^/]*$/, "");
}

/** The arrays that the attribute `axes` names, of the group or of the array; `.` is an axis without one. */
async function nexusAxes(
  { dataset }: Hdf5Array,
  parent: string,
  found: Found,
): Promise<(AxisFacts | undefined)[] | undefined> {
  const said = found.groups.get(parent)?.axes ?? (await readAttributes(dataset.file, dataset.messages)).axes;
  const names = typeof said === "string" ? said.replace(/^\[|\]$/g, "").split(/[,:\s]+/) : said;
  if (!Array.isArray(names) || names.length !== dataset.space.shape.length) return undefined;
  return await Promise.all(names.map(async (name) => {
    const axis = datasetAt(found, `${parent}/${name}`);
    return axis && await axisOf(axis, String(name));
  }));
}

/** One `dim` array for each dimension, of its length or, in py4DSTEM, of two values. */
async function emdAxes(
  { dataset: { path, space } }: Hdf5Array,
  parent: string,
  found: Found,
): Promise<(AxisFacts | undefined)[] | undefined> {
  if (/\/dim\d+$/.test(path)) return undefined;
  const dim = (n: number) => datasetAt(found, `${parent}/dim${n}`);
  const first = dim(0) ? 0 : 1;
  const dims = space.shape.map((_, d) => dim(first + d));
  const fits = dims.every((one, d) => {
    const length = one?.space.shape.length === 1 ? one.space.shape[0] : undefined;
    return length === space.shape[d] || length === 2;
  });
  if (dims.length === 0 || !fits) return undefined;
  return await Promise.all(dims.map((one) => axisOf(one!, undefined)));
}

/** The axis with the values of this array; named `name` if it has no name. */
async function axisOf(dataset: Hdf5Dataset, name: string | undefined): Promise<AxisFacts> {
  const { name: own, long_name: long, units } = await readAttributes(dataset.file, dataset.messages);
  const values = dataset.space.shape[0]! <= MOST_VALUES ? await smallNumbers(dataset) : undefined;
  const step = values && stepOf(values);
  const isUneven = step === undefined && values !== undefined && values.length > 1 &&
    values.every(Number.isFinite);
  const spaced = step !== undefined
    ? { scale: step, offset: values![0]!, ...unit(units) }
    : isUneven
    ? { positions: values, ...unit(units) }
    : {};
  const title = typeof own === "string" && own !== "" ? own : name ?? long;
  const isPlain = step === 1 && values![0] === 0 && !("unit" in spaced);
  return { ...named(title), ...(isPlain ? {} : spaced) };
}

/** Distance of neighbours, where it is the same for all of them. */
function stepOf(values: readonly number[]): number | undefined {
  if (values.length < 2) return undefined;
  const step = (values.at(-1)! - values[0]!) / (values.length - 1);
  const isEven = values.every((value, i) => Math.abs(value - values[0]! - i * step) <= EVEN * Math.abs(step));
  return isEven && step !== 0 ? step : undefined;
}

/**
 * What lies beside an array of HDF5 and says what its axes mean: groups of HyperSpy, axes of NeXus, `dim` arrays of EMD
 * and py4DSTEM, tags of DM5, properties of Nion Swift, scales of dimensions as NetCDF has them.
 *
 * ```
 * NeXus      …/data  … {axes: [y, x, ., .]}  …/y {units}  …/x {units}
 * EMD        …/data  …/dim1 {name units}  …/dim2 …        py4DSTEM counts from dim0 and keeps two values of each
 * NetCDF     …/data {DIMENSION_LIST: references to scales}  …/time {units}
 * ```
 *
 * @module
 */

import { defined } from "../../../options.ts";
import { type Instrument, known } from "../../../dataset/facts.ts";
import type { SaidAxis } from "../../../dataset/said_axes.ts";
import { areImages, dmAxes, type DmAxis } from "../../dm/axes.ts";
import type { Hdf5Array } from "../arrays/arrays.ts";
import { signalDimensions } from "../../common/kinds.ts";
import { type BesideSamples, hyperspyAxes, named, unit, withColours } from "../../common/hyperspy.ts";
import { type Calibration, calibrationOf, nionFacts } from "./programs.ts";
import { detectorOf, hasDetector } from "./nexus_detector.ts";
import { axisOf, interpreted, nexusAxes } from "./nexus.ts";
import { plainOf, smallNumbers } from "./small_reads.ts";
import { veloxFacts } from "./velox.ts";
import { type Attributes, type PlainValue, readAttributes } from "../metadata/attributes.ts";
import { datasetAt, datasetOf, type Found, type Hdf5Dataset } from "../metadata/objects.ts";
import type { AxisFacts } from "../../../space/axes.ts";
import { kindsBySignal, kindsByUnit } from "../../../space/meaning/said_kinds.ts";

/** What is known beside the samples of an array. */
export interface ArrayFacts {
  /** One entry for each dimension; none where nothing is known. */
  readonly axes: readonly (SaidAxis | undefined)[];
  /** Microscope and detector. */
  readonly instrument: Instrument;
  /** The dimensions of a frame, where these are said and not only what axes count. */
  readonly frame?: readonly number[];
  /** Whether colours are stored as blue, green, red. */
  readonly isBlueFirst?: boolean;
}

/** Facts about `array` from the file. */
export async function factsOf(array: Hdf5Array, found: Found): Promise<ArrayFacts> {
  const velox = await veloxFacts(array, found);
  if (velox) return velox;
  const instrument = { ...await detectorOf(found), ...instrumentOf(array, found) };
  const { shape, dataset } = array;
  const own = dataset.space.shape.length, beside = besideOf(array, found);
  const seen = await interpreted(array, parentOf(dataset.path), found);
  const nion = await nionFacts(array);
  const isImage = own < 4 && areImages(dm5Tags(parentOf(dataset.path), found)?.["Format"]);
  const navigate = (d: number) => {
    if (d >= own || isImage) return d < own - 2;
    return seen ? !seen[d] : beside(`axis-${d}`)?.["navigate"];
  };
  const frame = nion?.sig === undefined
    ? signalDimensions(shape.map((_, d) => navigate(d)))
    : [...shape.keys()].slice(-nion.sig);
  const axes = nion ? withColours(array.sample.inner, nion.axes) : await axesOf(array, found, seen);
  const isBlueFirst = nion?.axes.at(-1)?.kind === "colour" && array.sample.dtype === "uint8";
  return { axes, instrument, ...defined({ frame }), isBlueFirst };
}

async function axesOf(
  array: Hdf5Array,
  found: Found,
  seen: readonly boolean[] | undefined,
): Promise<(SaidAxis | undefined)[]> {
  const { dataset } = array;
  const parent = parentOf(dataset.path);
  const own = dataset.space.shape.length;
  const positionsAt = async (path: string) => {
    const values = datasetAt(found, `${parent}/${path}`);
    return values && await smallNumbers(values);
  };
  const told =
    await hyperspyAxes(besideOf(array, found), own, dataset.path === `${parent}/data`, positionsAt) ??
      dm5Axes(parent, own, found);
  if (told) return withColours(array.sample.inner, told);
  const axes = await nexusAxes(array, parent, found) ??
    await emdAxes(array, parent, found) ?? await scaleAxes(array, found);
  const steps = await calibrationOf(array, found);
  const isDetector = hasDetector(found, dataset.path);
  if (!axes && !steps && !isDetector && !seen) return [];
  const signals = seen?.filter((one) => one).length, isColour = signals === 3; // the last one is
  const all = (axes ?? dataset.space.shape).map((_, d): SaidAxis | undefined => ({
    ...calibrated(axes?.[d], steps?.[d]),
    ...(isColour && d === own - 1 ? { kind: "colour" } : {}),
  }));
  const kinds = isDetector && all.every((axis) => axis?.kind === undefined)
    ? all.map((axis, d): SaidAxis => ({ ...axis, kind: d < own - 2 ? "scan" : "detector" }))
    : seen && signals! < Math.min(3, own)
    ? kindsBySignal(all, seen)
    : kindsByUnit(all);
  return withColours(array.sample.inner, kinds);
}

/** The groups beside an array. */
function besideOf({ dataset }: Hdf5Array, { groups }: Found): BesideSamples {
  return (path) => groups.get(`${parentOf(dataset.path)}/${path}`);
}

/** The axis with the step of the calibration, where it has none itself. */
function calibrated(axis: SaidAxis | undefined, step: Calibration | undefined): SaidAxis | undefined {
  if (!step) return axis;
  const own = { ...axis, kind: step.kind };
  if (axis?.scale !== undefined || axis?.positions) return own;
  const spelled = unit(step.units);
  if (step.scale === 1 && !("unit" in spelled)) return own; // what py4DSTEM writes without a calibration
  return { ...own, scale: step.scale, offset: 0, isRising: true, ...spelled };
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

/** One `dim` array for each dimension, of its length or, in py4DSTEM, of two values. */
async function emdAxes(
  { dataset: { path, space } }: Hdf5Array,
  parent: string,
  found: Found,
): Promise<(SaidAxis | undefined)[] | undefined> {
  if (/\/dim\d+$/.test(path)) return undefined;
  const dim = (n: number) => datasetAt(found, `${parent}/dim${n}`);
  const first = dim(0) ? 0 : 1;
  const dims: Hdf5Dataset[] = [];
  for (let one = dim(first); one; one = dim(first + dims.length)) dims.push(one);
  const isMeant = /\/data(cube)?$/.test(path); // others beside it are masks, tables and the like
  if (dims.length === 0 || dims.length !== space.shape.length && !isMeant) return undefined;
  const axes = await Promise.all(dims.map(async (one) => {
    const { size, ...axis } = await axisOf(one, undefined, undefined, found);
    return size === 2 || size === undefined ? axis : { ...axis, size };
  }));
  if (axes.at(-1)?.name !== "_labels_") return axes;
  const labels = await plainOf(dims.at(-1)!); // a stack of emdfile: they are those of its first dimension, which has no `dim`
  const names = Array.isArray(labels) ? labels.map(String) : [String(labels)];
  return [{ kind: "series", names }, ...axes.slice(0, -1)];
}

/** What NetCDF writes for a dimension that has no coordinates. */
const NO_COORDINATES = /^This is a netCDF dimension but not a netCDF variable/;

/** The scales of dimensions that are attached to the array, as NetCDF and h5py do it, and their labels. */
async function scaleAxes(
  { dataset }: Hdf5Array,
  found: Found,
): Promise<(SaidAxis | undefined)[] | undefined> {
  const { file, messages, space: { shape } } = dataset;
  const { DIMENSION_LIST: lists, DIMENSION_LABELS: labels } = await readAttributes(file, messages);
  if (!Array.isArray(lists) && !Array.isArray(labels)) return undefined;
  const at = (list: unknown, d: number) => Array.isArray(list) ? list[d] : undefined;
  return await Promise.all(shape.map(async (count, d) => {
    const address: unknown = at(at(lists, d), 0);
    const scale = typeof address === "number" ? datasetOf(found, { file, address }) : undefined;
    const label = named(at(labels, d));
    if (!scale) return label;
    const name = scale.path.replace(/^.*\//, ""), { NAME: note } = await readAttributes(file, scale.messages);
    const isName = typeof note === "string" && NO_COORDINATES.test(note);
    return { ...(isName ? named(name) : await axisOf(scale, name, count, found)), ...label };
  }));
}

// Axes of DM5, which keeps the tags of DigitalMicrograph as groups: calibrations are listed as dimensions are, fastest first.
// ```
// /ImageList/[0]/ImageData/Data   /ImageList/[0]/ImageData/Calibrations/Dimension/[0] {Scale Origin Units}
//                                 /ImageList/[0]/ImageTags/Meta Data {Format Signal}
// ```

/** The axes of an array with `count` dimensions in the group `parent`; `undefined` if that is not an image of DM5. */
function dm5Axes(parent: string, count: number, found: Found): AxisFacts[] | undefined {
  const tags = dm5Tags(parent, found), { groups } = found;
  if (!tags) return undefined;
  const told = (d: number) => groups.get(`${parent}/Calibrations/Dimension/[${d}]`);
  const more = told(count) ? 1 : 0; // as many as there are, or one too many: that is told
  const list = Array.from({ length: count + more }, (_, d): DmAxis => {
    const { Scale: scale, Origin: origin, Units: unit } = told(d) ?? {};
    return {
      scale: typeof scale === "number" ? scale : undefined,
      origin: typeof origin === "number" ? origin : undefined,
      unit: typeof unit === "string" ? unit : undefined,
    };
  });
  return dmAxes(list, tags["Format"], tags["Signal"]);
}

/** The tags of the image whose samples the group `parent` has; `undefined` if that is not one of DM5. */
function dm5Tags(parent: string, { groups }: Found): Attributes | undefined {
  const [, image] = /^(\/ImageList\/\[\d+\])\/ImageData$/.exec(parent) ?? [];
  return image === undefined ? undefined : groups.get(`${image}/ImageTags/Meta Data`) ?? {};
}

/**
 * What single programs write beside arrays of HDF5: Nion Swift, HyperSpy, py4DSTEM.
 *
 * Axes of Nion Swift: the attribute `properties` of an array is a text in JSON, which counts its dimensions: first a sequence,
 * then those of a collection (a scan), then those of a datum (a pattern, a spectrum, an image).
 *
 * @module
 */

import { type AxisFacts, factsOf, type ValueFacts } from "../../../space/axes.ts";
import type { DType } from "../../../space/dtype.ts";
import { kindsBySignal } from "../../../space/meaning/said_kinds.ts";
import { unit } from "../../common/hyperspy.ts";
import { cfFacts, scalingOf } from "../../common/cf.ts";
import { type Scaling, unitOfQuantity, unitOfSame, valuesSaid } from "../../common/kinds.ts";
import { withTexts } from "../../zarr/json.ts";
import type { Hdf5Array } from "../arrays/arrays.ts";
import { type Attributes, type PlainValue, readAttributes } from "../metadata/attributes.ts";
import { datasetAt, type Found } from "../metadata/objects.ts";
import { signalsIn } from "./nexus.ts";
import { plainOf } from "./small_reads.ts";

/** What of the text is used here; which of these objects has it depends on the version. */
interface NionText {
  readonly data_source?: NionText;
  readonly data_sources?: readonly NionText[];
  readonly is_sequence?: boolean;
  readonly collection_dimension_count?: number;
  readonly datum_dimension_count?: number;
  readonly dimensional_calibrations?: readonly { offset?: number; scale?: number; units?: string }[];
  readonly intensity_calibration?: { offset?: number; scale?: number; units?: string };
}

/** What Nion Swift says of an array. */
interface NionFacts {
  readonly axes: AxisFacts[];
  /** How many of the last dimensions are a frame: those of a datum; of a collection, where a datum is one number. */
  readonly sig?: number;
}

/** The axes of an array; `undefined` if Nion Swift has not written it. Colours have the blue first. */
export async function nionFacts({ dataset }: Hdf5Array): Promise<NionFacts | undefined> {
  const { properties } = await readAttributes(dataset.file, dataset.messages);
  const text = typeof properties === "string" ? parse(properties) : undefined;
  if (!text) return undefined;
  const {
    dimensional_calibrations: steps,
    is_sequence: isSequence,
    datum_dimension_count: datum,
    collection_dimension_count: collection,
  } = { ...text, ...text.data_sources?.[0], ...text.data_source };
  const rank = dataset.space.shape.length;
  if (!Array.isArray(steps)) return undefined;
  const axes = steps.map(({ offset, scale, units }, d): AxisFacts => {
    const own = unit(units);
    const isKnown = scale !== undefined && !(scale === 1 && !offset && own.unit === undefined);
    return factsOf({
      kind: isSequence && d === 0 ? "series" : undefined,
      ...(isKnown ? { scale: Number(scale), offset: Number(offset ?? 0) } : {}),
      ...own,
    });
  });
  const last = dataset.space.shape.at(-1);
  const isColour = rank === steps.length + 1 && (last === 3 || last === 4);
  const counts = (isSequence ? 1 : 0) + (collection ?? 0) + (datum ?? NaN);
  if (counts !== steps.length) return { axes: isColour ? [...axes, { kind: "colour" }] : axes };
  const sig = datum || collection!;
  if (isColour) return { axes: [...axes, { kind: "colour" }], sig: sig + 1 };
  return { axes: kindsBySignal(axes, axes.map((_, d) => d >= rank - datum!)), sig };
}

/** What the properties of an array say of its samples. */
function nionScaling(properties: unknown): Scaling {
  const text = typeof properties === "string" ? parse(properties) : undefined;
  const { intensity_calibration: found } = { ...text, ...text?.data_sources?.[0], ...text?.data_source };
  return { unit: found?.units, scale: found?.scale, offset: found?.offset };
}

function parse(text: string): NionText | undefined {
  try {
    const value: unknown = JSON.parse(withTexts(text));
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined; // cut off, or something else: it is only a description
  }
}

// What HDF5 files say of the values of their samples: NeXus, EMD and CF in the attribute `units`, HyperSpy by its quantity, Nion by
// the calibration of intensities.

/** The facts about samples of `dtype`; `signal`: the attributes of HyperSpy's group of that name. */
export function valuesOf(
  dtype: DType,
  attributes: Attributes,
  signal: Attributes | undefined,
): { readonly values?: ValueFacts } {
  return valuesSaid(dtype, {
    ...cfFacts(attributes, dtype),
    unit: unitOfSame(scalingIn(attributes, signal)),
  });
}

/** What the attributes say of the samples. */
export function scalingIn(attributes: Attributes, signal: Attributes | undefined): Scaling {
  const { unit = unitOfQuantity(signal?.quantity), scale, offset } = scalingOf(attributes);
  return unit === undefined && scale === undefined && offset === undefined
    ? nionScaling(attributes.properties)
    : { unit, scale, offset };
}

// The calibration that py4DSTEM keeps beside its arrays: sizes of pixels in the scan and in the diffraction pattern.
//
// ```
// …/metadatabundle/calibration/R_pixel_size  R_pixel_units  Q_pixel_size  Q_pixel_units     values, or attributes
// ```

/** Step and unit of the scan or of a pattern. */
export interface Calibration {
  /** From one pixel to the next. */
  readonly scale: number;
  /** As the file spells it. */
  readonly units: PlainValue;
  /** What the axis counts. */
  readonly kind: "scan" | "detector";
}

const calibrations = new WeakMap<Found, readonly string[]>();

/** Paths of the groups of calibrations. */
function calibrationsIn(found: Found): readonly string[] {
  const known = calibrations.get(found);
  if (known) return known;
  const paths = [...found.groups.keys(), ...found.datasets.map(({ path }) => path.replace(/\/[^/]*$/, ""))];
  const own = [...new Set(paths.filter((path) => path.endsWith("/calibration")))];
  calibrations.set(found, own);
  return own;
}

/** The calibration of each dimension of `array`, if there is one. Only scans of patterns have one. */
export async function calibrationOf(
  { dataset, shape }: Hdf5Array,
  walked: Found,
): Promise<(Calibration | undefined)[] | undefined> {
  if (shape.length !== 4) return undefined;
  const found = calibrationsIn(walked);
  const top = `${dataset.path.split("/", 2).join("/")}/`;
  const beside = found.filter((path) => path.startsWith(top));
  const [group, ...others] = beside.length > 0 ? beside : found;
  if (group === undefined || others.length > 0) return undefined;
  const value = async (name: string): Promise<PlainValue> => {
    const one = datasetAt(walked, `${group}/${name}`);
    return one ? await plainOf(one) : walked.groups.get(group)?.[name] ?? null;
  };
  const of = async (space: "R" | "Q"): Promise<Calibration | undefined> => {
    const scale = await value(`${space}_pixel_size`);
    if (typeof scale !== "number") return undefined;
    const kind = space === "R" ? "scan" : "detector";
    return { scale, units: await value(`${space}_pixel_units`), kind };
  };
  const [scan, pattern] = [await of("R"), await of("Q")];
  return scan || pattern ? [scan, scan, pattern, pattern] : undefined;
}

// Which arrays of an HDF5 file only describe others: axes, masks of the detector, metadata stored as bytes. They may be
// larger than the images that the user wants.

/** Groups of HyperSpy, py4DSTEM and Dectris in which nothing is an image of the experiment. */
const HELPER_GROUPS =
  /\/(metadata|original_metadata|mapped_parameters|original_parameters|learning_results|metadatabundle|calibration|_metadata|detectorSpecific|axis-\d+)\//;

/** Names of what belongs to a detector or an axis. */
const HELPER_NAMES = /^(dim\d+|pixel_?mask|flat_?field|bad_?pixels?|gain_?map|dark_?(frame|reference))$/i;

/** Arrays of Velox, of which `Data` is the one with the images. */
const VELOX = /^\/Data\/[^/]+\/[^/]+\/(?!Data$)[^/]+$/;

/** The arrays of `arrays` that describe others; none if no other arrays would be left. */
export async function helpersOf(
  arrays: readonly Hdf5Array[],
  found: Found,
): Promise<ReadonlySet<Hdf5Array>> {
  const { groups, datasets } = found, signals = await signalsIn(arrays, found);
  const parents = new Map(
    [...signals].map((path) => [path.replace(/\/[^/]*$/, ""), path.replace(/^.*\//, "")]),
  );
  const paths = new Set(arrays.map(({ dataset }) => dataset.path));
  const isThere = (path: string) => paths.has(path);
  const all = new Set(datasets.map(({ path }) => path)); // also those that are not read
  const mostDims = arrays.reduce((most, { dataset }) => Math.max(most, dataset.space.shape.length), 0);
  const helpers = arrays.filter(({ dataset: { path, space } }) => {
    const [, parent, name] = /^(.*)\/([^/]*)$/.exec(path) ?? ["", "", path];
    const { signal = parents.get(parent!), emd_group_type: emd } = groups.get(parent!) ?? {};
    const main = typeof signal === "string" ? signal : emd !== undefined ? "data" : name;
    return (space.shape.length < 2 && mostDims >= 2) || HELPER_GROUPS.test(path) ||
      HELPER_NAMES.test(name!) ||
      (VELOX.test(path) && all.has(`${parent}/Data`)) || (name !== main && isThere(`${parent}/${main}`));
  });
  return new Set(helpers.length < arrays.length ? helpers : []);
}

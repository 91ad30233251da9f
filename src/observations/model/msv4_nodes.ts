/**
 * The groups and arrays of a Measurement Set of version 4 that has a model of the visibilities: all that is small.
 *
 * The layout is that of xradio, schema 4.0: dimensions time, baseline_id, frequency, polarization; antennas and fields in
 * groups beside; a data group that names the arrays that belong together.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { ownAttributes, type ZarrArray, type ZarrAttributes } from "../../sinks/zarr/metadata.ts";
import {
  chunkedArray,
  group,
  NOT_PACKED,
  numbers,
  type StoreFile,
  storeFiles,
  texts,
  type ZarrNode,
} from "../../sinks/zarr/nodes.ts";
import type { AxisFacts } from "../../space/axes.ts";
import { VERSION } from "../../version.ts";
import { converted, FRAMES } from "../meaning/frames.ts";
import type { Observation } from "../observation.ts";
import type { RowGrid } from "./grid.ts";

/** The name of the model. */
export const MODEL = "VISIBILITY_MODEL";

/** The seconds of each row. */
export const INTERVALS = "EFFECTIVE_INTEGRATION_TIME";

/** The groups beside. */
const [ANTENNAS, FIELDS] = ["antenna_xds", "field_and_source_base_xds"];

/** Seconds from the beginning of modified Julian dates to 1970. */
const UNIX = 40587 * 86400;

/** Coordinates that are not dimensions, of arrays by time and baseline. */
const COORDINATES = { coordinates: "baseline_antenna1_name baseline_antenna2_name field_name scan_name" };

/** What a column of visibilities is. */
export interface ModelFacts {
  /** The observation that it belongs to. */
  readonly observation: Observation;
  /** Its rows. */
  readonly grid: RowGrid;
  /** The correlations that are written. */
  readonly correlations: readonly string[];
  /** Seconds of an integration. */
  readonly interval: number;
  /** The name of the visibilities. Default `VISIBILITY_MODEL`. */
  readonly name?: string;
}

/** The arrays that are written tile by tile, with their chunks. */
interface ModelArrays {
  /** Type of the visibilities. */
  readonly dtype: "complex64" | "complex128";
  /** Times and channels of a chunk; baselines and correlations are not cut. */
  readonly chunk: readonly [times: number, channels: number];
}

/** An array, and its name. */
type NamedArray = readonly [name: string, array: ZarrArray];

/** All files below `base`, but the chunks of `arrays`, which {@link sampleArrays} gives. */
export function msv4Files(facts: ModelFacts, arrays: readonly NamedArray[], base: string): StoreFile[] {
  const below = (path: string) => [base, path].filter((part) => part !== "").join("/");
  const at = (node: ZarrNode): ZarrNode => ({ ...node, path: below(node.path) });
  const samples = arrays.map(([name, array]) => chunkedArray(name, array));
  const set = [...samples, ...coordinates(facts), ...antennas(facts), ...fields(facts)];
  const root = base === "" ? [] : [group("", { type: "processing_set" })];
  const files = storeFiles([...root, ...[group("", setAttributes(facts)), ...set].map(at)]);
  return files.map(([path, content]) => [path, typeof content === "string" ? withPoints(content) : content]);
}

/** Numbers with units are floats: readers tell these from integers by the point. */
function withPoints(text: string): string {
  return text.replace(/("data": -?\d+)(?=,?\n)/g, "$1.0");
}

function setAttributes({ name = MODEL }: ModelFacts): ZarrAttributes {
  const date = new Date().toISOString();
  const data = { correlated_data: name, flag: "FLAG", weight: "WEIGHT", uvw: "UVW" };
  const description = "visibilities predicted from a model of the sky";
  return {
    schema_version: "4.0.1",
    creator: { software_name: "tilewise", version: VERSION },
    creation_date: date,
    type: "visibility",
    data_groups: { base: { ...data, field_and_source: FIELDS, description, date } },
    observation_info: { observer: ["unknown"], release_date: date, project_UID: "unknown" },
    processor_info: { type: "", sub_type: "" },
  };
}

function coordinates({ observation, grid, correlations, interval }: ModelFacts): ZarrNode[] {
  const { antennas, times, frequencies, channelWidths, field } = observation;
  const named = (numbers: Int32Array) => Array.from(numbers, (number) => antennas[number]!.name);
  const count = grid.antenna1.length;
  const ids = BigInt64Array.from({ length: count }, (_, i) => BigInt(i));
  const frequency = {
    type: "spectral_coord",
    units: "Hz",
    observer: "TOPO",
    spectral_window_name: "window",
    spectral_window_intents: ["UNSPECIFIED"],
    reference_frequency: measured(frequencies[0] ?? 0, "Hz", { type: "spectral_coord", observer: "TOPO" }),
    channel_width: measured(channelWidths[0] ?? 0, "Hz", { type: "quantity" }),
  };
  const time = {
    type: "time",
    units: "s",
    scale: "utc",
    format: "unix",
    integration_time: measured(interval, "s", { type: "quantity" }),
  };
  return [
    numbers("time", "float64", times.map((one) => one - UNIX), ["time"], time),
    numbers("baseline_id", "int64", ids, ["baseline_id"]),
    numbers("frequency", "float64", frequencies, ["frequency"], frequency),
    ...widths(channelWidths),
    texts("polarization", correlations, ["polarization"]),
    texts("uvw_label", ["u", "v", "w"], ["uvw_label"]),
    texts("baseline_antenna1_name", named(grid.antenna1), ["baseline_id"]),
    texts("baseline_antenna2_name", named(grid.antenna2), ["baseline_id"]),
    texts("field_name", new Array<string>(times.length).fill(field.name), ["time"]),
    texts("scan_name", new Array<string>(times.length).fill("1"), ["time"], {
      scan_intents: ["UNSPECIFIED"],
    }),
  ];
}

/** The widths of channels, where they differ: the attribute has one for all. */
function widths(channelWidths: Float64Array): ZarrNode[] {
  if (channelWidths.every((width) => width === channelWidths[0])) return [];
  return [
    numbers("CHANNEL_WIDTH", "float64", channelWidths, ["frequency"], { type: "quantity", units: "Hz" }),
  ];
}

/** What is written tile by tile, beside the visibilities. */
export const TILED: ReadonlySet<string> = new Set(["FLAG", INTERVALS, "UVW"]);

/** The arrays by time and baseline. Weights are 1 and are not stored. */
export function sampleArrays(
  facts: ModelFacts,
  { dtype, chunk: [times, channels] }: ModelArrays,
): NamedArray[] {
  const { observation, grid, correlations, name = MODEL } = facts;
  const count = grid.antenna1.length, some = correlations.length, codec = NOT_PACKED;
  const values = { kind: "complex", unit: "Jy" } as const;
  const own = ownAttributes({ values, axes: axesOf(facts) });
  const samples = {
    names: ["time", "baseline_id", "frequency", "polarization"],
    shape: [grid.times, count, observation.frequencies.length, some],
    chunk: [times, count, channels, some],
    codec,
  };
  const rows = (...each: number[]) => ({
    dtype: "float64",
    names: ["time", "baseline_id", ...each.map(() => "uvw_label")],
    shape: [grid.times, count, ...each],
    chunk: [times, count, ...each],
    codec,
    fill: "NaN",
  } as const);
  const uvw = { type: "uvw", units: "m", frame: writtenIn(observation).frame, ...COORDINATES };
  return [
    [name, { ...samples, dtype, attributes: { type: "quanta", units: "Jy", ...COORDINATES, ...own } }],
    ["FLAG", { ...samples, dtype: "bool", attributes: COORDINATES }],
    ["WEIGHT", { ...samples, dtype: "float32", fill: 1, attributes: COORDINATES }],
    [INTERVALS, { ...rows(), attributes: { type: "quantity", units: "s", ...COORDINATES } }],
    ["UVW", { ...rows(3), attributes: uvw }],
  ];
}

/** What the visibilities lie along. */
function axesOf({ observation: { times, frequencies }, correlations }: ModelFacts): AxisFacts[] {
  return [
    { name: "time", kind: "time", unit: "s", ...positionsOf(times.map((one) => one - UNIX)) },
    { name: "baseline_id", kind: "baseline" },
    { name: "frequency", kind: "frequency", unit: "Hz", ...positionsOf(frequencies) },
    { name: "polarization", names: correlations },
  ];
}

/** Most positions in the document of an array; `time` and `frequency` beside it have all in any case. */
const MOST_POSITIONS = 4096;

/** Where samples are: by their distance, if it is the same for all. */
function positionsOf(all: Float64Array): AxisFacts {
  const [offset = 0, next = offset + 1] = all, scale = next - offset;
  const isEven = all.every((one, i) => Math.abs(one - offset - i * scale) <= 1e-6 * Math.abs(scale));
  if (isEven) return { scale, offset };
  return all.length <= MOST_POSITIONS ? { positions: [...all] } : {};
}

function antennas({ observation }: ModelFacts): ZarrNode[] {
  const { antennas: all, correlations } = observation;
  const feeds = correlations.some((name) => /^[RL]{2}$/.test(name)) ? ["R", "L"] : ["X", "Y"];
  const known = all.every(({ receptors }) => receptors?.length === 2);
  const receptors = known ? all.flatMap(({ receptors = [] }) => receptors) : [];
  const at = (name: string) => `${ANTENNAS}/${name}`;
  const same = (value: string) => all.map(() => value);
  const attributes = {
    type: "location",
    units: "m",
    frame: "ITRS",
    coordinate_system: "geocentric",
    origin_object_name: "earth",
    coordinates: "mount station_name telescope_name polarization_type",
  };
  return [
    group(ANTENNAS!, { type: "antenna", relocatable_antennas: false, overall_telescope_name: "unknown" }),
    texts(at("antenna_name"), all.map(({ name }) => name), ["antenna_name"]),
    texts(at("station_name"), all.map(({ name }) => name), ["antenna_name"]),
    texts(at("telescope_name"), same("unknown"), ["antenna_name"]),
    texts(at("mount"), all.map(({ mount }) => mount ?? "unknown"), ["antenna_name"]),
    texts(at("receptor_label"), ["pol_0", "pol_1"], ["receptor_label"]),
    texts(
      at("polarization_type"),
      known ? receptors.map(({ polarization }) => polarization) : all.flatMap(() => feeds),
      ["antenna_name", "receptor_label"],
      {},
      [all.length, 2],
    ),
    ...(known
      ? [
        numbers(
          at("ANTENNA_RECEPTOR_ANGLE"),
          "float64",
          Float64Array.from(receptors, ({ angle }) => angle),
          ["antenna_name", "receptor_label"],
          { type: "quantity", units: "rad" },
          [all.length, 2],
        ),
      ]
      : []),
    texts(at("cartesian_pos_label"), ["x", "y", "z"], ["cartesian_pos_label"]),
    numbers(
      at("ANTENNA_POSITION"),
      "float64",
      Float64Array.from(all.flatMap(({ position }) => position)),
      ["antenna_name", "cartesian_pos_label"],
      attributes,
      [all.length, 3],
    ),
  ];
}

/** The frame of the field as version 4 names it, and its direction there. Errors: `unsupported` if it has no such name. */
function writtenIn({ field, source }: Observation): { frame: string; direction: readonly [number, number] } {
  const { frame = "ICRS", direction = field.phaseCentre } = field;
  const written = FRAMES.get(frame)?.astropy;
  if (written !== undefined) {
    return {
      frame: written,
      direction: written === "fk5" ? direction : converted(direction, frame, written),
    };
  }
  const text =
    `Cannot write rows of ${source} as version 4: its frame ${frame} has no name there; a .npy has the rows ` +
    "without it";
  throw new TilewiseError("unsupported", text, { file: source, found: frame });
}

function fields({ observation }: ModelFacts): ZarrNode[] {
  const { field } = observation, { frame, direction } = writtenIn(observation);
  const at = (name: string) => `${FIELDS}/${name}`;
  return [
    group(FIELDS!, { type: "field_and_source" }),
    texts(at("field_name"), [field.name], ["field_name"]),
    texts(at("source_name"), [field.name], ["field_name"]),
    texts(at("sky_dir_label"), ["ra", "dec"], ["sky_dir_label"]),
    numbers(
      at("FIELD_PHASE_CENTER_DIRECTION"),
      "float64",
      Float64Array.from(direction),
      ["field_name", "sky_dir_label"],
      { type: "sky_coord", units: "rad", frame, coordinates: "source_name" },
      [1, 2],
    ),
  ];
}

/** A number with its unit, as attributes have it. */
function measured(data: number, units: string, attributes: ZarrAttributes): object {
  return { data, dims: [], attrs: { units, ...attributes } };
}

/**
 * The groups and arrays of a Measurement Set of version 4 that has a model of the visibilities: all that is small.
 *
 * The layout is that of xradio, schema 4.0: dimensions time, baseline_id, frequency, polarization; antennas and fields in
 * groups beside; a data group that names the arrays that belong together.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { VERSION } from "../../version.ts";
import { converted, FRAMES } from "../meaning/frames.ts";
import type { Observation } from "../observation.ts";
import type { RowGrid } from "./grid.ts";
import { type Attributes, emptyArray, group, numbers, texts, type ZarrNode } from "./zarr_nodes.ts";

/** The name of the model. */
export const MODEL = "VISIBILITY_MODEL";

/** The seconds of each row. */
export const INTERVALS = "EFFECTIVE_INTEGRATION_TIME";

/** The groups beside. */
const [ANTENNAS, FIELDS] = ["antenna_xds", "field_and_source_base_xds"];

/** Seconds from the beginning of modified Julian dates to 1970. */
const UNIX = 40587 * 86400;

/** Coordinates that are no dimensions, of arrays by time and baseline. */
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
export interface ModelArrays {
  /** Type of the visibilities. */
  readonly dtype: "complex64" | "complex128";
  /** Times and channels of a chunk; baselines and correlations are not cut. */
  readonly chunk: readonly [times: number, channels: number];
}

/** All groups and arrays below `base`; the samples of those that are written tile by tile are left out. */
export function msv4Nodes(facts: ModelFacts, arrays: ModelArrays, base: string): ZarrNode[] {
  const below = (path: string) => [base, path].filter((part) => part !== "").join("/");
  const at = (node: ZarrNode): ZarrNode => ({ ...node, path: below(node.path) });
  const set = [...samples(facts, arrays), ...coordinates(facts), ...antennas(facts), ...fields(facts)];
  const root = base === "" ? [] : [group("", { type: "processing_set" })];
  return [...root, ...[group("", setAttributes(facts)), ...set].map(at)];
}

function setAttributes({ name = MODEL }: ModelFacts): Attributes {
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
    numbers("time", "float64", times.map((one) => one - UNIX), {
      dimensions: ["time"],
      shape: [times.length],
      attributes: time,
    }),
    numbers("baseline_id", "int64", ids, { dimensions: ["baseline_id"], shape: [count] }),
    numbers("frequency", "float64", frequencies, {
      dimensions: ["frequency"],
      shape: [frequencies.length],
      attributes: frequency,
    }),
    ...widths(channelWidths),
    texts("polarization", correlations, ["polarization"]),
    texts("uvw_label", ["u", "v", "w"], ["uvw_label"]),
    texts("baseline_antenna1_name", named(grid.antenna1), ["baseline_id"]),
    texts("baseline_antenna2_name", named(grid.antenna2), ["baseline_id"]),
    texts("field_name", [...times].map(() => field.name), ["time"]),
    texts("scan_name", [...times].map(() => "1"), ["time"], { scan_intents: ["UNSPECIFIED"] }),
  ];
}

/** The widths of channels, where they differ: the attribute has one for all. */
function widths(channelWidths: Float64Array): ZarrNode[] {
  if (channelWidths.every((width) => width === channelWidths[0])) return [];
  const facts = { dimensions: ["frequency"], shape: [channelWidths.length] };
  return [
    numbers("CHANNEL_WIDTH", "float64", channelWidths, {
      ...facts,
      attributes: { type: "quantity", units: "Hz" },
    }),
  ];
}

/** The arrays by time and baseline. Weights are 1 and are not stored. */
function samples(
  { observation, grid, correlations, name = MODEL }: ModelFacts,
  arrays: ModelArrays,
): ZarrNode[] {
  const { dtype, chunk: [times, channels] } = arrays;
  const count = grid.antenna1.length, some = correlations.length;
  const facts = {
    dimensions: ["time", "baseline_id", "frequency", "polarization"],
    shape: [grid.times, count, observation.frequencies.length, some],
    chunk: [times, count, channels, some],
  };
  return [
    emptyArray(name, dtype, { ...facts, attributes: { type: "quanta", units: "Jy", ...COORDINATES } }),
    emptyArray("FLAG", "bool", { ...facts, attributes: COORDINATES }),
    emptyArray("WEIGHT", "float32", { ...facts, fill: 1, attributes: COORDINATES }),
    emptyArray(INTERVALS, "float64", {
      dimensions: ["time", "baseline_id"],
      shape: [grid.times, count],
      chunk: [times, count],
      fill: "NaN",
      attributes: { type: "quantity", units: "s", ...COORDINATES },
    }),
    emptyArray("UVW", "float64", {
      dimensions: ["time", "baseline_id", "uvw_label"],
      shape: [grid.times, count, 3],
      chunk: [times, count, 3],
      fill: "NaN",
      attributes: { type: "uvw", units: "m", frame: writtenIn(observation).frame, ...COORDINATES },
    }),
  ];
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
        numbers(at("ANTENNA_RECEPTOR_ANGLE"), "float64", Float64Array.from(receptors, ({ angle }) => angle), {
          dimensions: ["antenna_name", "receptor_label"],
          shape: [all.length, 2],
          attributes: { type: "quantity", units: "rad" },
        }),
      ]
      : []),
    texts(at("cartesian_pos_label"), ["x", "y", "z"], ["cartesian_pos_label"]),
    numbers(at("ANTENNA_POSITION"), "float64", Float64Array.from(all.flatMap(({ position }) => position)), {
      dimensions: ["antenna_name", "cartesian_pos_label"],
      shape: [all.length, 3],
      attributes,
    }),
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
    numbers(at("FIELD_PHASE_CENTER_DIRECTION"), "float64", Float64Array.from(direction), {
      dimensions: ["field_name", "sky_dir_label"],
      shape: [1, 2],
      attributes: { type: "sky_coord", units: "rad", frame, coordinates: "source_name" },
    }),
  ];
}

/** A number with its unit, as attributes have it. */
function measured(data: number, units: string, attributes: Attributes): object {
  return { data, dims: [], attrs: { units, ...attributes } };
}

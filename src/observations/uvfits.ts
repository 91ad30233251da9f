/**
 * UVFITS: random groups of FITS with tables of AIPS. A row is a group.
 *
 * Baselines and visibilities are as they are stored, as CASA's importuvfits takes them: baselines point to antenna 1, and phases
 * have the sign of Measurement Sets.
 *
 * @module
 */

import { defined } from "../options.ts";
import { TilewiseError } from "../errors.ts";
import { readUnits, type Unit } from "../formats/fits/cards.ts";
import { openSource } from "../io/open.ts";
import type { ByteSource } from "../io/source/source.ts";
import { fieldOf } from "./fields.ts";
import { brightnessFor, fitsCorrelation } from "./meaning/correlations.ts";
import { spectralFrame, uvfitsFactor } from "./meaning/uvfits.ts";
import { FRAMES } from "./meaning/frames.ts";
import type { Antenna, Field, Observation, ObservationOptions } from "./observation.ts";
import { byRows, cosineOf, held, type RowFacts } from "./row_facts.ts";
import { multiplied } from "./rows/row_views.ts";
import type { RowArray } from "./rows/rows.ts";
import { antennasIn, channelsOf, type StoredAntennas } from "./uvfits/antennas.ts";
import { type Axes, axesOf, axisOf, parametersOf } from "./uvfits/axes.ts";
import { Groups, type SamplePlaces, sampleRows } from "./uvfits/groups.ts";
import {
  baselinesOf,
  intervalsOf,
  type Rows,
  select,
  sourcesOf,
  type Times,
  timesOf,
  uvwOf,
} from "./uvfits/select.ts";
import { tablesOf } from "./uvfits/tables.ts";

/** Opens a UVFITS file. */
export async function openUvfits(path: string, options: ObservationOptions): Promise<Observation> {
  if (options.column !== undefined) {
    const text = `Cannot open ${path} with column: UVFITS has one column of visibilities`;
    throw new TilewiseError("invalid", text, { file: path, option: "column", found: options.column });
  }
  const source = await openSource(path, defined({ signal: options.signal }));
  try {
    return await observationIn(source, options);
  } catch (error) {
    await source[Symbol.asyncDispose]();
    throw error;
  }
}

async function observationIn(source: ByteSource, options: ObservationOptions): Promise<Observation> {
  const { signal } = options, file = source.name;
  const units = await readUnits(source, signal);
  const groups = new Groups(source, groupsOf(units, file));
  const { cards } = units[0]!;
  const axes = axesOf(units[0]!), parameters = parametersOf(cards);
  const antennaTables = await tablesOf(source, units, "AIPS AN", signal);
  const sourceTables = await tablesOf(source, units, "AIPS SU", signal);
  const sources = sourcesOf(cards, axes, sourceTables, parameters.has("SOURCE"));
  const chosen = await select({ groups, parameters, sources, file }, options);
  const { rows, number, setup } = chosen;
  const field = sources.get(number)!;
  const channels = channelsOf(axes, await tablesOf(source, units, "AIPS FQ", signal), {
    spectralWindow: options.spectralWindow,
    setup,
    offsets: field.offsets,
  }, file);
  const stored = antennasIn(antennaTables, file);
  const of: Rows = { groups, parameters, rows, file };
  const time = timesOf(of, antennaTables[0]!);
  const uvw = uvwOf(of, axisOf(axes, "FREQ", file).reference);
  const interval = await intervalsOf(of, time.array);
  const [antenna1, antenna2] = baselinesOf(of);
  const found = fieldOf(field);
  return await byRows({
    format: "uvfits",
    source: file,
    antennas: await placed(stored, { time, antenna1, antenna2, uvw, field: found }),
    frequencies: channels.frequencies,
    channelWidths: channels.channelWidths,
    correlations: correlationsOf(axes, file),
    field: found,
    fields: [...sources.values()].map(fieldOf),
    rows: rows?.length ?? groups.count,
    definedSign: "antenna1 - antenna2",
    ...brightnessFor(cards.text("POLCONV"), file),
    scales: {
      time: time.scale,
      frequency: spectralFrame(cards.text("SPECSYS") || (axes.FREQ?.suffix ?? "")),
    },
    warnings: [
      ...chosen.warnings,
      ...channels.warnings,
      ...time.warnings,
      ...interval.warnings,
    ],
    time: time.array,
    seconds: time.seconds,
    antenna1,
    antenna2,
    antennaOf: (key) => stored.places.get(key) ?? -1,
    uvw,
    interval: interval.array,
    ...samplesOf(of, axes, { channels: channels.places, unit: cards.text("BUNIT").trim() }),
  });
}

/** The unit with the groups. Errors: `unknown-format` for other FITS files. */
function groupsOf([first]: readonly Unit[], file: string): Unit {
  if (first?.kind === "groups") return first;
  const text =
    `Cannot open ${file} as an observation: it is a FITS file without random groups, which UVFITS has`;
  throw new TilewiseError("unknown-format", text, {
    file,
    expected: "random groups",
    found: first?.title ?? "nothing",
  });
}

function correlationsOf(axes: Axes, file: string): string[] {
  const { size, valueAt } = axisOf(axes, "STOKES", file);
  return Array.from({ length: size }, (_, i) => fitsCorrelation(Math.round(valueAt(i)), file));
}

/** Visibilities, and flags and weights where samples have weights. Errors: `unsupported` for other parts of complex numbers. */
function samplesOf(
  { groups, rows, file }: Rows,
  axes: Axes,
  { channels, unit }: { readonly channels: readonly number[]; readonly unit: string },
): Pick<RowFacts, "visibility" | "flag" | "weight"> {
  const parts = axisOf(axes, "COMPLEX", file), correlations = axisOf(axes, "STOKES", file);
  const names = Array.from({ length: parts.size }, (_, i) => parts.valueAt(i)).join(", ");
  if (names !== "1, 2, 3" && names !== "1, 2") {
    const text =
      `Cannot read ${file} as UVFITS: the axis COMPLEX has the parts ${names}; 1, 2 and 1, 2, 3 are read`;
    throw new TilewiseError("unsupported", text, { file, expected: "1, 2, 3", found: names });
  }
  const places: SamplePlaces = { channels, correlations, parts };
  const factor = unit === "" ? 1 : uvfitsFactor(unit, "Jy");
  const stored = sampleRows(groups, rows, places, "visibility");
  const visibility = factor === undefined
    ? held(stored, unit)
    : held(multiplied(stored, factor === 1 ? undefined : [factor]));
  if (parts.size < 3) return { visibility };
  const [flag, weight] = (["flag", "weight"] as const).map((kind) =>
    held(sampleRows(groups, rows, places, kind))
  );
  return { visibility, flag: flag!, weight: weight! };
}

/** Rows that are compared with places of antennas. */
const COMPARED = 256;

/** What shows where antennas are. */
interface Shown {
  readonly time: Times;
  readonly antenna1: RowArray;
  readonly antenna2: RowArray;
  readonly uvw: RowArray;
  readonly field: Field;
}

/** The antennas with their places along the axes that the baselines of some rows show. */
async function placed(
  stored: StoredAntennas,
  { time, antenna1, antenna2, uvw, field }: Shown,
): Promise<Antenna[]> {
  const some = Math.min(COMPARED, time.array.shape[0]!);
  const [days, first, second, baselines] = await Promise.all(
    [time.array, antenna1, antenna2, uvw].map((array) => array.read(0, some)),
  ) as Float64Array[];
  const isEquatorial = FRAMES.get(field.frame ?? "ICRS")?.fits[0] === "RA"; // in others only w has the same direction
  const rows = { times: days!.map(time.seconds), antenna1: first!, antenna2: second!, uvw: baselines! };
  const unlike = (axes: "turned" | "straight") => {
    const placeOf = (key: number) => stored.antennas[stored.places.get(key)!]?.[axes];
    return 1 - Math.abs(cosineOf(rows, placeOf, field.phaseCentre, isEquatorial ? 0 : 2));
  };
  const axes = unlike("straight") < unlike("turned") / 2 ? "straight" : "turned";
  return stored.antennas.map(({ name, mount, receptors, ...own }) => ({
    name,
    position: own[axes],
    ...(mount ? { mount } : {}),
    ...defined({ receptors }),
  }));
}

/**
 * Sources that are observations of radio interferometers, in words.
 *
 * @module
 */

import { defined } from "../../options.ts";
import type { StoredDataset } from "../../dataset/dataset.ts";
import { isTilewiseError } from "../../errors.ts";
import { systemOf } from "../../observations/fields.ts";
import { directionText } from "../../observations/meaning/shown.ts";
import type { Field } from "../../observations/observation.ts";
import type { ObservationSummary } from "../../observations/summary.ts";

/** Tables of Measurement Sets. */
const TABLES = ["ANTENNA", "FIELD", "SPECTRAL_WINDOW", "DATA_DESCRIPTION", "POLARIZATION"];

/** The observation that an array of a source belongs to; the reason if it cannot be read; `undefined` if it belongs to none. */
export async function observationIn(
  dataset: StoredDataset,
  source: string,
  root?: string,
): Promise<ObservationSummary | string | undefined> {
  if (!isObservation(dataset, source)) return undefined;
  const { openObservation } = await import("../../observations/open.ts");
  const { summaryOf } = await import("../../observations/summary.ts");
  try {
    await using observation = await openObservation(source, defined({ root }));
    return await summaryOf(observation);
  } catch (error) {
    if (isTilewiseError(error) && error.code !== "aborted") return error.message;
    throw error;
  }
}

function isObservation({ detection: { format }, metadata }: StoredDataset, source: string): boolean {
  if (format === "hdf5") return /\.uvh5$/i.test(source);
  if (format === "fits") return metadata["GROUPS"] === true;
  if (format === "zarr") return /(^|\/)[^/]+\.ps\.zarr(\/|$)/i.test(source) || hasDataGroups(metadata);
  const tables = metadata["subtables"];
  return format === "casacore" && Array.isArray(tables) && TABLES.every((name) => tables.includes(name));
}

/** Whether an array is one of a Measurement Set of version 4: other arrays beside it give its coordinates. */
function hasDataGroups({ attributes }: StoredDataset["metadata"]): boolean {
  const coordinates = (attributes as { coordinates?: unknown } | undefined)?.coordinates;
  return typeof coordinates === "string" && coordinates.includes("baseline_antenna1_name");
}

/** Fields that are shown at most. */
const MOST_FIELDS = 6;

/** Names that are said at most. */
const MOST_NAMES = 12;

/** Its facts, one per row: they fit on a screen. */
export function observationRows(found: ObservationSummary | string): Row[] {
  if (typeof found === "string") return [["observation", `cannot be read: ${found}`]];
  const { antennas, times, channels, scales, fields, flagged } = found;
  const rowsWord = flagged && flagged.rows < found.rows ? `, seen in ${flagged.rows} rows` : "";
  return [
    ["observation", `${found.format}, ${found.rows} rows`],
    ["antennas", `${antennas.length}: ${some(antennas)}`],
    ["baselines", `${found.baselines}${spansText(found)}, ${found.uvwSign}`],
    [
      "times",
      `${times.count}, ${times.first} to ${times.last}, ${times.interval} s each${
        stored("stored in", scales?.time, "UTC")
      }`,
    ],
    [
      "channels",
      `${channels.count}, ${hertz(channels.first)} to ${hertz(channels.last)}, ${hertz(channels.width)} wide${
        stored("in the frame", scales?.frequency, "")
      }`,
    ],
    ["correlations", found.correlations.join(", ")],
    ...(found.unit === undefined ? [] : [["visibilities", `in ${found.unit}, not in Jy`] as Row]),
    ...receptorRow(found),
    ["field", fieldText(found.field)],
    ...fields.slice(0, MOST_FIELDS).filter(({ name }) => name !== found.field.name).map((field): Row => [
      "other field",
      fieldText(field),
    ]),
    ...(fields.length > MOST_FIELDS
      ? [["other field", `and ${fields.length - MOST_FIELDS} more`] as Row]
      : []),
    ["flags", flagged ? `${Number((100 * flagged.part).toPrecision(3))} %${rowsWord}` : "none that are read"],
    ...columnRows(found),
    ...found.warnings.map((warning): Row => ["warning", warning]),
  ];
}

/** A name and what is said of it. */
type Row = [name: string, value: string];

/** Metres of a second of light. */
const LIGHT = 299792458;

/** The shortest and the longest baseline in kilometres, and in wavelengths of the highest frequency. */
function spansText({ spans, channels }: ObservationSummary): string {
  if (!spans) return "";
  const range = (values: readonly number[], unit: string) =>
    `${values.map((value) => Number(value.toPrecision(4))).join(" to ")} ${unit}`;
  const waves = Math.max(channels.first, channels.last) / LIGHT;
  return `, ${range(spans.map((length) => length / 1e3), "km")}, ${
    range(spans.map((length) => length * waves / 1e3), "kλ")
  }`;
}

/** A field, its direction and its frame. */
function fieldText(field: Field): string {
  return `${field.name}, ${directionText(field.phaseCentre)}${frameWords(field)}`;
}

/** The columns by their storage managers; of visibilities with their types. */
function columnRows({ columns = [] }: ObservationSummary): Row[] {
  const byManager = new Map<string, string[]>();
  for (const { name, dtype, manager } of columns) {
    const names = byManager.get(manager) ?? [];
    names.push(dtype?.startsWith("complex") ? `${name} (${dtype})` : name);
    byManager.set(manager, names);
  }
  return [...byManager].map(([manager, names]) => [manager, names.join(", ")]);
}

/** What is said of a scale or frame, unless it is the usual one. */
function stored(words: string, scale: string | undefined, usual: string): string {
  return scale === undefined || scale === usual ? "" : `, ${words} ${scale}`;
}

/** The equatorial system of a direction, and what the source has in its own frame. */
function frameWords(field: Field): string {
  const { frame, direction } = field, system = systemOf(field);
  if (frame === undefined || frame.toUpperCase() === system.toUpperCase() || !direction) {
    return frame === undefined ? "" : ` ${frame}`;
  }
  return ` ${system}; ${direction.map(degrees).join(", ")} ${frame}`;
}

function receptorRow({ receptors = [] }: ObservationSummary): Row[] {
  const words = receptors.map(({ polarization, angle }) => `${polarization} at ${degrees(angle)}`);
  return words.length > 0 ? [["receptors", words.join(", ")]] : [];
}

function some(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  return names.slice(0, MOST_NAMES).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** A frequency with its unit. */
function hertz(value: number): string {
  const [unit, scale] = value >= 1e9 ? ["GHz", 1e9] : value >= 1e6 ? ["MHz", 1e6] : ["kHz", 1e3];
  return `${Number((value / Number(scale)).toPrecision(9))} ${unit}`;
}

function degrees(radians: number): string {
  return `${Number((radians * 180 / Math.PI).toFixed(6))}°`;
}

/**
 * UVH5, the format of pyuvdata: HDF5 with the groups `Header` and `Data`.
 *
 * Baselines are the place of antenna 2 as seen from antenna 1. Antennas are named by numbers, which `antenna_numbers` puts
 * in order. Old files have a dimension of one spectral window between rows and channels.
 *
 * @module
 */

import { defined } from "../options.ts";
import { TilewiseError } from "../errors.ts";
import { Hdf5Header } from "../formats/hdf5/header.ts";
import { openStored } from "../formats/open.ts";
import { openSource } from "../io/open.ts";
import { box } from "../space/box.ts";
import { brightnessFor, fitsCorrelation } from "./meaning/correlations.ts";
import { placeOnEarth } from "./meaning/frames.ts";
import { fieldOf, type FoundField } from "./fields.ts";
import { fieldNumber } from "./meaning/shown.ts";
import {
  type HeaderName,
  motionOf,
  type StoredDirection,
  type UVH5_DATA,
  UVH5_HEADER,
  UVH5_MUST,
} from "./meaning/uvh5.ts";
import type { Antenna, Observation, ObservationOptions, Receptor } from "./observation.ts";
import { byRows, held, receptorsOf } from "./row_facts.ts";
import { allNumbers, type RowArray, rowArray, StoredRows } from "./rows/rows.ts";

/** Days from the beginning of Julian dates to that of modified ones. */
const MJD = 2400000.5;

/** Opens a UVH5 file. */
export async function openUvh5(path: string, options: ObservationOptions): Promise<Observation> {
  refuse(path, options);
  await using source = await openSource(path, defined({ signal: options.signal }));
  const header = new Header(path, await Hdf5Header.open(source, options.signal));
  await header.check();
  const { field, fields, rows, warnings } = await select(header, options);
  const column = (name: HeaderName) => rowsOf(header, name, rows, options.signal);
  const numbers = await header.numbers("antenna_numbers");
  const places = new Map(numbers.map((number, i) => [number, i]));
  const samples = async (name: keyof typeof UVH5_DATA, unit?: string) => {
    if (!header.has(`/Data/${name}`)) return undefined;
    return held(await arrayOf(header, `/Data/${name}`, rows, options.signal), unit);
  };
  const unit = await header.text("vis_units");
  const [visibility, flag, weight] = [
    await samples("visdata", unit === "Jy" ? undefined : unit),
    await samples("flags"),
    await samples("nsamples"),
  ];
  const frequencies = Float64Array.from(await header.numbers("freq_array"));
  const widths = await header.numbers("channel_width");
  return await byRows({
    format: "uvh5",
    source: path,
    antennas: await antennasOf(header),
    frequencies,
    channelWidths: frequencies.map((_, i) => widths[widths.length === 1 ? 0 : i] ?? NaN),
    correlations: (await header.numbers("polarization_array")).map((number) => fitsCorrelation(number, path)),
    field,
    fields,
    rows: rows?.length ?? header.shape("/Header/ant_1_array")[0] ?? 0,
    definedSign: "antenna2 - antenna1",
    ...brightnessFor(await header.text("pol_convention"), path, true),
    scales: { time: "UTC", frequency: "TOPO" },
    warnings,
    time: await column("time_array"),
    seconds: (day) => (day - MJD) * 86400,
    antenna1: await column("ant_1_array"),
    antenna2: await column("ant_2_array"),
    antennaOf: (number) => places.get(Number(number)) ?? -1,
    uvw: await column("uvw_array"),
    interval: await column("integration_time"),
    ...defined({ visibility, flag, weight }),
  });
}

/** Options that this format has no meaning for. */
function refuse(file: string, { spectralWindow, dataDescription, column }: ObservationOptions): void {
  const given = { spectralWindow, dataDescription, column };
  for (const [option, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const text =
      `Cannot open ${file} with ${option}: UVH5 has one set of channels and one column of visibilities`;
    throw new TilewiseError("invalid", text, { file, option, found: value });
  }
}

/** The values in the header of a file. */
class Header {
  constructor(readonly file: string, private readonly values: Hdf5Header) {}

  has(path: string): boolean {
    return this.values.shapeOf(path) !== undefined;
  }

  shape(path: string): readonly number[] {
    const shape = this.values.shapeOf(path);
    if (shape) return shape;
    const text = `Cannot read ${this.file} as UVH5: it has no ${path}`;
    throw new TilewiseError("malformed", text, { file: this.file, expected: path });
  }

  /** The error for a list of another length. */
  unequal(name: string, found: number, expected: number): TilewiseError {
    const text = `Cannot read ${this.file} as UVH5: ${name} has ${found} values, not ${expected}`;
    return new TilewiseError("malformed", text, { file: this.file, expected, found });
  }

  /** Refuses values that mean something else than is read. */
  async check(): Promise<void> {
    for (const [name, isRead] of Object.entries(UVH5_MUST)) {
      if (!this.has(`/Header/${name}`)) continue;
      const found = String(await this.values.value(`/Header/${name}`));
      if (isRead(found)) continue;
      const text = `Cannot read ${this.file} as UVH5: ${name} is ${found}; it ${
        UVH5_HEADER[name as HeaderName]
      }`;
      throw new TilewiseError("unsupported", text, { file: this.file, found });
    }
  }

  /** Names of groups in a group of the header. */
  groups(name: string): string[] {
    const prefix = `/Header/${name}/`;
    const inner = this.values.paths.filter((path) => path.startsWith(prefix));
    return [...new Set(inner.map((path) => path.slice(prefix.length).split("/")[0]!))];
  }

  async numbers(name: HeaderName): Promise<number[]> {
    this.shape(`/Header/${name}`);
    return [await this.values.value(`/Header/${name}`)].flat().map(Number);
  }

  /** A number, if there is one. */
  async number(name: Value): Promise<number | undefined> {
    const value = await this.values.value(pathOf(name));
    return typeof value === "number" ? value : undefined;
  }

  async text(name: Value): Promise<string | undefined> {
    const value = await this.values.value(pathOf(name));
    return typeof value === "string" ? value : undefined;
  }

  async texts(name: HeaderName): Promise<string[]> {
    return [await this.values.value(`/Header/${name}`)].flat().map(String);
  }
}

/** A name in the catalog of fields. */
type CatalogName = HeaderName extends infer N ? N extends `phase_center_catalog/${infer C}` ? C : never
  : never;

/** A value of the header, or of a field in its catalog. */
type Value = HeaderName | { readonly name: HeaderName; readonly id: number };

function pathOf(value: Value): string {
  if (typeof value === "string") return `/Header/${value}`;
  return `/Header/${value.name.replace("/", `/${value.id}/`)}`;
}

/** An array of the header, by rows. */
async function rowsOf(
  header: Header,
  name: HeaderName,
  rows: ArrayLike<number> | undefined,
  signal: AbortSignal | undefined,
): Promise<RowArray> {
  return await arrayOf(header, `/Header/${name}`, rows, signal);
}

/** An array by rows, without dimensions of one that are between rows and channels. */
async function arrayOf(
  header: Header,
  path: string,
  rows: ArrayLike<number> | undefined,
  signal: AbortSignal | undefined,
): Promise<RowArray> {
  const dims = header.shape(path).length;
  const { layout } = await openStored(header.file, {
    array: path,
    sigDims: dims,
    ...defined({ signal }),
  });
  const array = new StoredRows(layout, rows);
  if (array.shape.length !== 4 || array.shape[1] !== 1) return array;
  const [count = 0, , ...cell] = array.shape;
  return rowArray({
    shape: [count, ...cell],
    dtype: array.dtype,
    over: [array],
    read: (start, stop, { origin, shape }) => array.read(start, stop, box([0, ...origin], [1, ...shape])),
  });
}

/** Antennas: their places are stored as seen from that of the telescope. */
async function antennasOf(header: Header): Promise<Antenna[]> {
  const [latitude, longitude, height] = [
    (await header.number("latitude") ?? 0) * Math.PI / 180,
    (await header.number("longitude") ?? 0) * Math.PI / 180,
    await header.number("altitude") ?? 0,
  ];
  const centre = placeOnEarth(latitude, longitude, height);
  const names = await header.texts("antenna_names"), places = await header.numbers("antenna_positions");
  const receptors = await receptorsIn(header, names.length);
  const mounts = header.has("/Header/mount_type") ? await header.texts("mount_type") : [];
  return names.map((name, i) => ({
    name,
    ...(mounts[i] === undefined ? {} : { mount: mounts[i] }),
    ...(receptors ? { receptors: receptors[i]! } : {}),
    position: [
      centre[0] + places[3 * i]!,
      centre[1] + places[3 * i + 1]!,
      centre[2] + places[3 * i + 2]!,
    ] as const,
  }));
}

/** The receptors of each antenna; older files say only where the x receptor of all of them points. */
async function receptorsIn(header: Header, antennas: number): Promise<Receptor[][] | undefined> {
  if (header.has("/Header/feed_array") && header.has("/Header/feed_angle")) {
    const [types, angles] = [await header.texts("feed_array"), await header.numbers("feed_angle")];
    const found = receptorsOf(types.map((type) => type.toUpperCase()), angles, antennas);
    if (!found) throw header.unequal("feed_angle", angles.length, types.length);
    return found;
  }
  const orientation = (await header.text("x_orientation"))?.toLowerCase();
  const isEast = /^e(ast)?$/.test(orientation ?? ""), isNorth = /^n(orth)?$/.test(orientation ?? "");
  if (!isEast && !isNorth) return undefined;
  const x = isEast ? Math.PI / 2 : 0;
  return Array.from(
    { length: antennas },
    () => [{ polarization: "X", angle: x }, { polarization: "Y", angle: Math.PI / 2 - x }],
  );
}

/** The fields, by their numbers in rows, ascending. */
async function fieldsOf(header: Header): Promise<Map<number, FoundField>> {
  const numbers = header.groups("phase_center_catalog").map(Number).sort((a, b) => a - b);
  const fields = new Map<number, FoundField>();
  for (const number of numbers) fields.set(number, await fieldIn(header, number));
  if (fields.size > 0) return fields;
  const phaseType = await header.text("phase_type");
  return fields.set(
    0,
    await fieldFrom({
      name: await header.text("object_name") ?? "",
      direction: [
        await header.number("phase_center_ra") ?? NaN,
        await header.number("phase_center_dec") ?? NaN,
      ],
      frame: await header.text("phase_center_frame") ?? "icrs",
      epoch: await header.number("phase_center_epoch"),
      type: phaseType === undefined || phaseType.toLowerCase() === "phased"
        ? undefined
        : `${phaseType} (phase_type)`,
      motions: [],
    }),
  );
}

/** A field of the catalog. */
async function fieldIn(header: Header, id: number): Promise<FoundField> {
  const at = (name: CatalogName) => ({ name: `phase_center_catalog/${name}`, id } as const);
  return fieldFrom({
    name: await header.text(at("cat_name")) ?? String(id),
    direction: [await header.number(at("cat_lon")) ?? NaN, await header.number(at("cat_lat")) ?? NaN],
    frame: await header.text(at("cat_frame")) ?? "icrs",
    epoch: await header.number(at("cat_epoch")),
    type: await header.text(at("cat_type")).then((type) => type && `${type} (cat_type)`),
    motions: [await header.number(at("cat_pm_ra")), await header.number(at("cat_pm_dec"))],
    distance: await header.number(at("cat_dist")),
  });
}

function fieldFrom(
  { name, direction, ...stored }: StoredDirection & { name: string; direction: readonly [number, number] },
): FoundField {
  const frame = stored.frame.toLowerCase(), moves = motionOf({ ...stored, frame });
  return fieldOf({ name, frame, direction, ...defined({ moves }) });
}

interface Selected {
  readonly field: FoundField;
  readonly fields: readonly FoundField[];
  readonly rows?: Uint32Array;
  readonly warnings: readonly string[];
}

async function select(header: Header, { field: asked, signal }: ObservationOptions): Promise<Selected> {
  const byNumber = await fieldsOf(header), fields = [...byNumber.values()];
  const wanted = asked === undefined ? undefined : fieldNumber(byNumber, asked, header.file);
  if (!header.has("/Header/phase_center_id_array")) {
    return { field: byNumber.get(wanted ?? 0) ?? fields[0]!, fields, warnings: [] };
  }
  await using array = await rowsOf(header, "phase_center_id_array", undefined, signal);
  const of = await allNumbers(array);
  const number = wanted ?? of[0] ?? 0, field = byNumber.get(number);
  if (!field) {
    const text =
      `Cannot read ${header.file} as UVH5: rows are of the field ${number}, which phase_center_catalog has not`;
    throw new TilewiseError("malformed", text, { file: header.file, found: number });
  }
  const rows = Uint32Array.from([...of.keys()].filter((row) => of[row] === number));
  if (rows.length === of.length) return { field, fields, warnings: [] };
  const others = fields.filter((one) => one !== field).map(({ name }) => name).join(", ");
  const text = `Took the field ${field.name}, that of the first row; there are also ${others}`;
  return { field, fields, rows, warnings: asked === undefined ? [text] : [] };
}

/**
 * Measurement Sets of version 4 in Zarr, as xradio writes them: one of a processing set, or one by itself.
 *
 * Arrays are dense, by time, baseline, frequency and polarization; rows are all baselines of a time, time after time. The
 * groups beside have antennas and directions. A data group names the arrays that belong together.
 *
 * @module
 */

import { defined } from "../options.ts";
import { cannot, TilewiseError } from "../errors.ts";
import { ZarrTree } from "../formats/zarr/tree.ts";
import { fieldOf, type FoundField } from "./fields.ts";
import { fieldNumber } from "./meaning/shown.ts";
import { CLOCKS, factorOf, toUtc } from "./meaning/units.ts";
import { type Attributes, factorIn, frameIn, saidUnit, type V4Name } from "./meaning/version4.ts";
import type { Antenna, Observation, ObservationOptions, Receptor } from "./observation.ts";
import { computedRows, gridRows, mappedRows, multiplied } from "./rows/row_views.ts";
import { byRows, held, type HeldSamples, receptorsOf } from "./row_facts.ts";
import { allNumbers, type RowArray, StoredRows } from "./rows/rows.ts";

/** Seconds from the beginning of modified Julian dates to 1970. */
const UNIX = 40587 * 86400;

/** Names of the arrays of a data group. */
interface DataGroup {
  readonly [what: string]: unknown;
}

/** Opens a Measurement Set of version 4. */
export async function openMsv4(path: string, options: ObservationOptions): Promise<Observation> {
  const tree = await ZarrTree.open(path, options.signal);
  const { base, warnings } = choose(tree, options);
  const set = new Msv4(tree, base, options.signal);
  set.check();
  const group = set.group(options.column);
  const fields = await set.fields(String(group["field_and_source"] ?? ""));
  const { times, scale } = await set.times();
  const { field, rows, left } = await set.select(fields, times.length, options);
  const antennas = await set.antennas();
  const [first, second] = [await set.baselines(1, antennas), await set.baselines(2, antennas)];
  const own = rows ? Array.from(rows, (row) => times[row]!) : [...times];
  const count = own.length * first.length;
  const rowOf = (values: readonly number[]) => computedRows(count, (row) => values[row % values.length]!);
  const samples = (name: unknown) => set.samples(name, rows);
  const [visibility, flag, weight] = [
    await set.visibilities(group["correlated_data"], rows),
    await samples(group["flag"]),
    await samples(group["weight"]),
  ];
  const uvw = await set.baselinesOf(String(group["uvw"] ?? "UVW"), rows);
  const { frame, ...channels } = await set.channels();
  const correlations = await set.texts("polarization"), interval = await set.intervals(rows, count);
  return await byRows({
    format: "msv4",
    source: base === "" ? path : `${path.replace(/\/+$/, "")}/${base}`,
    antennas,
    ...channels,
    correlations,
    field,
    fields,
    rows: count,
    definedSign: "antenna2 - antenna1",
    scales: { time: scale, frequency: frame },
    warnings: [...warnings, ...left, ...tree.warnings],
    time: computedRows(count, (row) => own[Math.floor(row / first.length)]!),
    antenna1: rowOf(first),
    antenna2: rowOf(second),
    uvw: uvw.array,
    ...defined({ uvwFrame: uvw.frame }),
    interval,
    ...defined({ visibility, flag, weight }),
  });
}

/** The group of a processing set that the options mean; the store itself if it is a Measurement Set. */
function choose(
  tree: ZarrTree,
  { dataDescription, spectralWindow }: ObservationOptions,
): { base: string; warnings: string[] } {
  const isSet = (path: string) => typeof tree.attributes(path)["data_groups"] === "object";
  const found = tree.groups.filter(isSet).toSorted(byNumbers);
  if (found.length === 0) {
    const text =
      `Cannot open ${tree.name} as an observation: no group of it has data_groups, as Measurement Sets ` +
      "of version 4 do";
    throw new TilewiseError("unsupported", text, { file: tree.name });
  }
  const asked = dataDescription ?? spectralWindow;
  const base = found[asked ?? 0];
  if (base === undefined) {
    const text = `There is no Measurement Set ${asked} in ${tree.name}; it has ${found.length}: ${
      found.join(", ")
    }`;
    throw new TilewiseError("not-found", text, { file: tree.name, option: "dataDescription", found: asked! });
  }
  const isLeft = asked === undefined && found.length > 1;
  return { base, warnings: isLeft ? [`Took ${base}, number 0 of ${found.length}: ${found.join(", ")}`] : [] };
}

/** Names in the order of the numbers in them. */
function byNumbers(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true }) || (a < b ? -1 : 1);
}

/** One Measurement Set. */
class Msv4 {
  constructor(
    private readonly tree: ZarrTree,
    private readonly base: string,
    private readonly signal: AbortSignal | undefined,
  ) {}

  #path(name: string): string {
    return this.base === "" ? name : `${this.base}/${name}`;
  }

  /** Refuses what gives correlations another meaning. */
  check(): void {
    if (!this.tree.has(this.#path("polarization_mixed"))) return;
    const text = "baselines have correlations of their own (polarization_mixed)";
    throw cannot("read", this.tree.name, "unsupported", text, { found: "polarization_mixed" });
  }

  /** The data group of that name, or with visibilities of that name. */
  group(column: string | undefined): DataGroup {
    const groups = Object.entries(
      this.tree.attributes(this.base)["data_groups"] as Record<string, DataGroup>,
    );
    const found = column === undefined || column === "DATA"
      ? groups.find(([name]) => name === "base") ?? groups[0]
      : groups.find(([name, group]) => name === column || group["correlated_data"] === column);
    if (found) return found[1];
    const known = groups.map(([name, group]) => `${name} (${group["correlated_data"]})`).join(", ");
    const text = `There is no data group "${column}" in ${this.tree.name}; there are ${known || "none"}`;
    throw new TilewiseError("not-found", text, {
      file: this.tree.name,
      option: "column",
      found: column ?? "",
    });
  }

  #attributes(path: string): Attributes {
    return this.tree.attributes(this.#path(path));
  }

  /** The numbers of an array in our units, and their frame; `path` is where an array of another place lies. */
  async measures(
    name: V4Name,
    path: string = name,
  ): Promise<{ values: Float64Array; frame: string | undefined }> {
    const attributes = this.#attributes(path), { name: file } = this.tree;
    const stored = new StoredRows(await this.tree.layout(this.#path(path), this.signal));
    await using array = multiplied(stored, factorIn(attributes, name, file));
    return { values: await allNumbers(array), frame: frameIn(attributes, name, file) };
  }

  async texts(name: string): Promise<string[]> {
    const { layout, letters } = await this.tree.texts(this.#path(name), this.signal);
    await using array = new StoredRows(layout);
    const codes = await allNumbers(array);
    return Array.from({ length: codes.length / letters }, (_, i) => {
      const own = [...codes.subarray(i * letters, (i + 1) * letters)].filter((code) =>
        code > 0 && code < 0x110000
      );
      return String.fromCodePoint(...own);
    });
  }

  /** A number in the attributes of an array, such as the width of channels, in our units. */
  number(array: "time" | "frequency", name: "integration_time" | "channel_width"): number | undefined {
    const found = this.#attributes(array)[name] as { data?: unknown; attrs?: Attributes } | undefined;
    const value = Array.isArray(found?.data) ? found.data[0] : found?.data;
    if (typeof value !== "number") return undefined;
    return value * (factorIn(found?.attrs ?? {}, name, this.tree.name)?.[0] ?? 1);
  }

  /** Times in seconds of UTC, MJD · 86400, and the scale in which they are stored. */
  async times(): Promise<{ times: Float64Array; scale: string }> {
    const { format = "unix" } = this.#attributes("time"), { name: file } = this.tree;
    const { values, frame: scale = "utc" } = await this.measures("time");
    const from = { unix: UNIX, mjd: 0 }[String(format).toLowerCase()], convert = toUtc(scale);
    if (from !== undefined && convert) {
      return { times: values.map((time) => convert(time + from)), scale: scale.toUpperCase() };
    }
    const text = `its times are ${String(format)} of the scale ${scale}; unix and mjd are read, of ${
      CLOCKS.join(", ")
    }`;
    throw cannot("read", file, "unsupported", text, { found: `${format}, ${scale}` });
  }

  /** Seconds of rows: of each one, or of all alike. */
  async intervals(times: ArrayLike<number> | undefined, count: number): Promise<RowArray> {
    const name = "EFFECTIVE_INTEGRATION_TIME", step = this.number("time", "integration_time");
    if (!this.tree.has(this.#path(name))) return computedRows(count, () => step ?? NaN);
    const factors = factorIn(this.#attributes(name), name, this.tree.name);
    const array = multiplied(await this.grid(name, times), factors);
    if (step === undefined) return array;
    return mappedRows(array, (seconds) => seconds > 0 ? seconds : step); // NaN: a row that is not there; 0: unsaid
  }

  /** Baselines by rows, and their frame. */
  async baselinesOf(
    path: string,
    times?: ArrayLike<number>,
  ): Promise<{ array: RowArray; frame: string | undefined }> {
    const attributes = this.#attributes(path), { name: file } = this.tree;
    const array = multiplied(await this.grid(path, times), factorIn(attributes, "UVW", file));
    return { array, frame: frameIn(attributes, "UVW", file) };
  }

  async channels(): Promise<{ frequencies: Float64Array; channelWidths: Float64Array; frame: string }> {
    const { values: frequencies, frame = "TOPO" } = await this.measures("frequency");
    return { frequencies, channelWidths: await this.#widths(frequencies), frame: frame.toUpperCase() };
  }

  /** The widths of channels: of each one, or of all alike. */
  async #widths(frequencies: Float64Array): Promise<Float64Array> {
    if (this.tree.has(this.#path("CHANNEL_WIDTH"))) return (await this.measures("CHANNEL_WIDTH")).values;
    const step = frequencies.length > 1 ? Math.abs(frequencies[1]! - frequencies[0]!) : 0;
    const width = this.number("frequency", "channel_width") ?? step;
    return frequencies.map(() => width);
  }

  async antennas(): Promise<Antenna[]> {
    const names = await this.texts("antenna_xds/antenna_name");
    const { values: places } = await this.measures("antenna_xds/ANTENNA_POSITION");
    const receptors = await this.#receptors(names.length);
    const mounts = this.tree.has(this.#path("antenna_xds/mount"))
      ? await this.texts("antenna_xds/mount")
      : [];
    return names.map((name, i) => ({
      name,
      ...(mounts[i] && mounts[i] !== "unknown" ? { mount: mounts[i] } : {}),
      ...(receptors ? { receptors: receptors[i]! } : {}),
      position: [places[3 * i]!, places[3 * i + 1]!, places[3 * i + 2]!] as const,
    }));
  }

  /** The receptors of each antenna, if they have their types and angles. */
  async #receptors(antennas: number): Promise<Receptor[][] | undefined> {
    const [types, angles] = ["antenna_xds/polarization_type", "antenna_xds/ANTENNA_RECEPTOR_ANGLE"] as const;
    if (![types, angles].every((name) => this.tree.has(this.#path(name)))) return undefined;
    const [names, values] = [await this.texts(types), (await this.measures(angles)).values];
    return receptorsOf(names, values, antennas);
  }

  /** The numbers of the first or second antennas of the baselines. */
  async baselines(which: 1 | 2, antennas: readonly Antenna[]): Promise<number[]> {
    const numbers = new Map(antennas.map(({ name }, i) => [name, i]));
    return (await this.texts(`baseline_antenna${which}_name`)).map((name) => numbers.get(name) ?? -1);
  }

  async fields(group: string): Promise<FoundField[]> {
    const names = await this.texts(`${group}/field_name`);
    const name = "FIELD_PHASE_CENTER_DIRECTION";
    const { values, frame = "icrs" } = await this.measures(`field_and_source/${name}`, `${group}/${name}`);
    const isMoving = this.#attributes(group)["type"] === "field_and_source_ephemeris";
    if (values.length === 2 * names.length && !isMoving) {
      return names.map((own, i) =>
        fieldOf({ name: own, frame, direction: [values[2 * i]!, values[2 * i + 1]!] })
      );
    }
    const moves = isMoving
      ? "it has an ephemeris (field_and_source_ephemeris): it moves, which is not read"
      : `its direction has ${values.length} numbers: it moves, which is not read`;
    return names.map((own) => fieldOf({ name: own, frame, direction: [NaN, NaN], moves }));
  }

  /** The times of one field; absent: all. */
  async select(
    fields: readonly FoundField[],
    times: number,
    { field: asked }: ObservationOptions,
  ): Promise<{ field: FoundField; rows?: Uint32Array; left: string[] }> {
    const of = this.tree.has(this.#path("field_name")) ? await this.texts("field_name") : [];
    const field = fields[fieldNumber(new Map(fields.entries()), asked ?? of[0] ?? 0, this.tree.name)]!;
    const rows = Uint32Array.from([...of.keys()].filter((time) => of[time] === field.name));
    if (of.length === 0 || rows.length === times) return { field, left: [] };
    const others = fields.filter((one) => one !== field).map((one) => one.name).join(", ");
    const left = asked === undefined
      ? [`Took the field ${field.name}, that of the first time; others are ${others}`]
      : [];
    return { field, rows, left };
  }

  /** An array by time and baseline. */
  async grid(name: string, times?: ArrayLike<number>): Promise<RowArray> {
    return gridRows(new StoredRows(await this.tree.layout(this.#path(name), this.signal), times));
  }

  /** Visibilities in Jy, or in the unit that they have. */
  async visibilities(name: unknown, times?: ArrayLike<number>): Promise<HeldSamples | undefined> {
    const found = await this.samples(name, times);
    const unit = found && saidUnit(this.#attributes(String(name)));
    if (!unit) return found;
    const factor = factorOf(unit, "Jy");
    if (factor === undefined) return { ...found, unit };
    return factor === 1 ? found : held(multiplied(found.array, [factor]));
  }

  async samples(name: unknown, times?: ArrayLike<number>): Promise<HeldSamples | undefined> {
    if (typeof name !== "string" || !this.tree.has(this.#path(name))) return undefined;
    return held(await this.grid(name, times));
  }
}

/**
 * Antennas in tables AIPS AN: one table per subarray.
 *
 * Places are counted from that of the array. Writers disagree about the axes: AIPS memo 117 and pyuvdata turn x into the meridian of
 * the array, others keep the axes of the Earth. Which one holds is seen from the baselines of rows.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { UVFITS_MOUNTS } from "../meaning/uvfits.ts";
import { type Axes, axisOf } from "./axes.ts";
import type { AipsTable } from "./tables.ts";

/** A place in metres. */
export type Position = readonly [number, number, number];

/** What is stored of an antenna. */
interface StoredAntenna {
  /** Its name. */
  readonly name: string;
  /** Its place, if x points to the meridian of the array. */
  readonly turned: Position;
  /** Its place, if axes are those of the Earth. */
  readonly straight: Position;
  /** Its mount. */
  readonly mount?: string;
  /** Its receptors. */
  readonly receptors?: readonly { readonly polarization: string; readonly angle: number }[];
}

/** The antennas of all subarrays, one after another. */
export interface StoredAntennas {
  /** Them. */
  readonly antennas: readonly StoredAntenna[];
  /** Their places in the list, by {@link keyOf}. */
  readonly places: ReadonlyMap<number, number>;
}

/** What rows call an antenna of a subarray, as one number. */
export function keyOf(antenna: number, subarray: number): number {
  return antenna + (subarray - 1) * 2 ** 32;
}

/** The frames whose axes are those of the Earth. */
const EARTH = /^(ITRF|ITRS|GEOCENTRIC|WGS84|\?*)$/i;

/** The antennas. Errors: `malformed` without a table, `unsupported` for frames that are not of the Earth. */
export function antennasIn(tables: readonly AipsTable<"AIPS AN">[], file: string): StoredAntennas {
  if (tables.length === 0) {
    const text = `Cannot read ${file} as UVFITS: it has no table AIPS AN, which has the antennas`;
    throw new TilewiseError("malformed", text, { file, expected: "AIPS AN" });
  }
  const antennas: StoredAntenna[] = [], places = new Map<number, number>();
  tables.forEach((table, i) => {
    const subarray = table.number("EXTVER", i + 1), placeOf = placesOf(table, file);
    const knowsMounts = table.card("HASMNT") !== false;
    for (let row = 0; row < table.rows; row++) {
      const number = table.numbers("NOSTA", row)[0] ?? row + 1;
      places.set(keyOf(number, subarray), antennas.length);
      antennas.push({
        name: table.textAt("ANNAME", row) || String(number),
        ...placeOf(row),
        ...(knowsMounts ? mountOf(table, row) : {}),
        ...receptorsOf(table, row),
      });
    }
  });
  return { antennas, places };
}

function mountOf(table: AipsTable<"AIPS AN">, row: number): Pick<StoredAntenna, "mount"> {
  const [code] = table.numbers("MNTSTA", row);
  return code === undefined ? {} : { mount: UVFITS_MOUNTS[code] ?? `mount ${code}` };
}

/** What gives the places of the antennas of a table. */
function placesOf(
  table: AipsTable<"AIPS AN">,
  file: string,
): (row: number) => { turned: Position; straight: Position } {
  const frame = table.text("FRAME");
  if (!EARTH.test(frame)) {
    const text =
      `Cannot read ${file} as UVFITS: antennas are in the frame ${frame} (FRAME of AIPS AN); ITRF is read`;
    throw new TilewiseError("unsupported", text, { file, expected: "ITRF", found: frame });
  }
  const [x, y, z] = [table.number("ARRAYX", 0), table.number("ARRAYY", 0), table.number("ARRAYZ", 0)];
  const hand = table.text("XYZHAND").toUpperCase() === "LEFT" ? -1 : 1;
  const isAbsolute = Math.hypot(x, y, z) < 1; // metres: places are those from the centre of the Earth
  const longitude = isAbsolute ? 0 : Math.atan2(y, x);
  const [cos, sin] = [Math.cos(longitude), Math.sin(longitude)];
  return (row) => {
    const [dx = NaN, own = NaN, dz = NaN] = table.numbers("STABXYZ", row, "m"), dy = hand * own;
    return {
      turned: [x + cos * dx - sin * dy, y + sin * dx + cos * dy, z + dz],
      straight: [x + dx, y + dy, z + dz],
    };
  };
}

/** The receptors of an antenna, as far as the table says. */
function receptorsOf(table: AipsTable<"AIPS AN">, row: number): Pick<StoredAntenna, "receptors"> {
  if (table.card("HASFEED") === false) return {};
  const all = [["POLTYA", "POLAA"], ["POLTYB", "POLAB"]] as const;
  const receptors = all.map(([type, angle]) => ({
    polarization: table.textAt(type, row).toUpperCase(),
    angle: table.numbers(angle, row, "rad", "deg")[0] ?? 0,
  })).filter(({ polarization }) => polarization !== "");
  return receptors.length > 0 ? { receptors } : {};
}

// The channels of the groups: those of all IFs one after another, or of one of them.

/** Channels, and where they lie in a group. */
export interface Channels {
  readonly frequencies: Float64Array;
  readonly channelWidths: Float64Array;
  /** Where the first sample of each lies among those of a group. */
  readonly places: readonly number[];
  /** What the user should know. */
  readonly warnings: readonly string[];
}

/** Which channels are wanted. */
interface ChannelOptions {
  /** The number of an IF, from 0; absent: all. */
  readonly spectralWindow: number | undefined;
  /** What rows have as FREQSEL. */
  readonly setup: number;
  /** What is added to the frequencies of each IF, or of all. */
  readonly offsets: readonly number[];
}

/** The channels. Errors: `not-found` for IFs that there are not, `malformed` where AIPS FQ misses the rows' setup. */
export function channelsOf(
  axes: Axes,
  tables: readonly AipsTable<"AIPS FQ">[],
  { spectralWindow, setup, offsets }: ChannelOptions,
  file: string,
): Channels {
  const own = axisOf(axes, "FREQ", file), bands = axes.IF?.size ?? 1;
  if (spectralWindow !== undefined && spectralWindow >= bands) {
    const text =
      `There is no spectral window ${spectralWindow} in ${file}; it has ${bands}, the IFs of the groups`;
    throw new TilewiseError("not-found", text, { file, option: "spectralWindow", found: spectralWindow });
  }
  const windows = bandsOf(tables[0], setup, bands, file);
  const frequencies: number[] = [], channelWidths: number[] = [], places: number[] = [];
  const first = spectralWindow ?? 0, last = spectralWindow ?? bands - 1;
  for (let band = first; band <= last; band++) {
    const { offset, width = own.step } = windows[band] ?? { offset: 0 };
    const shift = offset + (offsets[offsets.length === 1 ? 0 : band] ?? 0);
    for (let channel = 0; channel < own.size; channel++) {
      frequencies.push(own.valueAt(channel, width) + shift);
      channelWidths.push(Math.abs(width));
      places.push(band * (axes.IF?.stride ?? 0) + channel * own.stride);
    }
  }
  const against = windows.flatMap(({ isAgainst }, band) => isAgainst ? [band] : []);
  const warnings = against.length === 0 ? [] : [
    `The IFs ${
      against.join(", ")
    } have a positive CH WIDTH, and SIDEBAND -1: channels run upwards, as CH WIDTH says`,
  ];
  return {
    frequencies: Float64Array.from(frequencies),
    channelWidths: Float64Array.from(channelWidths),
    places,
    warnings,
  };
}

interface Band {
  readonly offset: number;
  /** Absent: that of the axis. */
  readonly width?: number;
  /** Whether its sideband says the other direction. */
  readonly isAgainst?: boolean;
}

/** The IFs of a setup. */
function bandsOf(
  table: AipsTable<"AIPS FQ"> | undefined,
  setup: number,
  bands: number,
  file: string,
): readonly Band[] {
  if (!table || table.rows === 0) {
    if (bands === 1) return [];
    const text =
      `Cannot read ${file} as UVFITS: it has ${bands} IFs and no table AIPS FQ, which has their frequencies`;
    throw new TilewiseError("malformed", text, { file, expected: "AIPS FQ", found: bands });
  }
  const setups = Array.from({ length: table.rows }, (_, row) => table.numbers("FRQSEL", row)[0] ?? row + 1);
  const row = setups.indexOf(setup);
  if (row < 0) {
    const text = `Cannot read ${file} as UVFITS: rows have FREQSEL ${setup}, which AIPS FQ has not; it has ${
      setups.join(", ")
    }`;
    throw new TilewiseError("malformed", text, { file, expected: setups.join(), found: setup });
  }
  const [offsets, widths] = [table.numbers("IF FREQ", row, "Hz"), table.numbers("CH WIDTH", row, "Hz")];
  const sides = table.numbers("SIDEBAND", row);
  if (offsets.length < bands) {
    const text = `Cannot read ${file} as UVFITS: AIPS FQ has ${offsets.length} IFs, the groups have ${bands}`;
    throw new TilewiseError("malformed", text, { file, expected: bands, found: offsets.length });
  }
  return offsets.map((offset, band) => {
    const width = widths[band] ?? 0;
    return width === 0 ? { offset } : { offset, width, isAgainst: width > 0 && sides[band]! < 0 };
  });
}

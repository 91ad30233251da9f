/**
 * The channels of the groups: those of all IFs one after another, or of one of them.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { Axes } from "./axes.ts";
import { axisOf } from "./axes.ts";
import type { AipsTable } from "./tables.ts";

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
export interface ChannelOptions {
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

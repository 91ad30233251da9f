/**
 * What an observation of an interferometer is, wherever it is stored: who observed when and at which frequencies, and
 * visibilities by rows.
 *
 * @module
 */

import type { Source } from "../hypercube/providers/provider.ts";
import type { DType } from "../space/dtype.ts";
import type { OptionNames } from "../options.ts";
import { must, signal, text, whole } from "../options/rules.ts";
import type { Brightness } from "./meaning/correlations.ts";

/**
 * An antenna or station.
 * @category Observations
 */
export interface Antenna {
  /** Its name. */
  readonly name: string;
  /** Its place in metres from the centre of the Earth: x, y, z (ITRF). */
  readonly position: readonly [number, number, number];
  /** How it turns with the sky, such as `alt-az` or `equatorial`, as far as the source says. */
  readonly mount?: string;
  /** Its receptors, as far as the source says. */
  readonly receptors?: readonly Receptor[];
}

/**
 * A receptor of the feed of an antenna.
 * @category Observations
 */
export interface Receptor {
  /** What it receives: `X`, `Y`, `R` or `L`. */
  readonly polarization: string;
  /** Its position angle in radians, from north (the zenith, for steerable antennas) to east. */
  readonly angle: number;
}

/**
 * A direction that was observed.
 * @category Observations
 */
export interface Field {
  /** Its name. */
  readonly name: string;
  /**
   * Right ascension and declination of the phase centre in radians: ICRS, or, as the source has it, J2000 (Measurement Sets whose
   * frame is not ICRS) or FK5. Lists of sources count as in the same system.
   */
  readonly phaseCentre: readonly [number, number];
  /** The frame of the source, along whose axes baselines lie, such as `J2000`, `B1950` or `fk4`. Absent: ICRS. */
  readonly frame?: string;
  /** Longitude and latitude of the phase centre in that frame, in radians. Absent: `phaseCentre`. */
  readonly direction?: readonly [number, number];
}

/**
 * What the source says of its times and frequencies.
 * @category Observations
 */
export interface ObservationScales {
  /** The scale of the stored times, such as `UTC` or `TAI`; `times` are converted to UTC. */
  readonly time: string;
  /** The frame of the frequencies, such as `TOPO` or `LSRK`; they are used as they are. */
  readonly frequency: string;
}

/**
 * A column of the main table of a Measurement Set.
 * @category Observations
 */
export interface StoredColumn {
  /** Its name. */
  readonly name: string;
  /** Type of its values; absent: they are not numbers. */
  readonly dtype?: DType;
  /** The shape of all its cells; absent: each has its own. */
  readonly shape?: readonly number[];
  /** The storage manager that it lies in. */
  readonly manager: string;
}

/**
 * Samples by row, channel and correlation.
 * @category Observations
 */
export interface RowSamples {
  /** Rows, channels, correlations; without the channels where all of a row have one value. */
  readonly shape: readonly number[];
  /** Type of the samples. */
  readonly dtype: DType;
  /** The unit of visibilities, where the source says another one than Jy: they are used as they are. */
  readonly unit?: string;
  /** Provides the ranges of rows, channels and correlations of a tile; only these are read. */
  readonly source: Source;
}

/**
 * An observation: facts that fit in memory, and everything that grows with the number of rows on demand. A row is one
 * baseline at one time.
 * @category Observations
 */
export interface Observation extends AsyncDisposable {
  /** What it was read from: `ms`, `uvh5`, `uvfits`, `msv4` or `arrays`. */
  readonly format: "ms" | "uvh5" | "uvfits" | "msv4" | "arrays";
  /** Path or name. */
  readonly source: string;
  /** The antennas; rows have their numbers. */
  readonly antennas: readonly Antenna[];
  /** Times of the selected rows, ascending, each once: seconds of UTC, MJD · 86400, as in Measurement Sets. */
  readonly times: Float64Array;
  /** Centres of the channels in Hz. */
  readonly frequencies: Float64Array;
  /** Widths of the channels in Hz. */
  readonly channelWidths: Float64Array;
  /** Names of the correlations, such as `XX` or `RL`, in the order of the samples. */
  readonly correlations: readonly string[];
  /** The direction that was observed. */
  readonly field: Field;
  /** All fields of the source, of which `field` is one. */
  readonly fields: readonly Field[];
  /** Number of rows that are selected. */
  readonly rows: number;
  /**
   * The sign of `uvw`, as formats define it: `antenna2 - antenna1` is the position of antenna 2 as seen from antenna 1.
   */
  readonly uvwSign: "antenna2 - antenna1" | "antenna1 - antenna2";
  /**
   * The phase of a source at l, m in the visibilities, with `uvw` as it is here: `casa` is exp(+2πi (u l + v m + w (n − 1)) ν / c),
   * as in Measurement Sets and UVH5, `fourier` has the other sign.
   */
  readonly convention: "casa" | "fourier";
  /** How Stokes parameters become correlations of feeds; absent: as in Measurement Sets. */
  readonly brightness?: Brightness;
  /** The scales of stored times and frequencies; absent where nothing is stored. */
  readonly scales?: ObservationScales;
  /** The columns of its main table; only of Measurement Sets of casacore. */
  readonly columns?: readonly StoredColumn[];
  /** What the user should know. */
  readonly warnings: readonly string[];
  /** Bytes that are held at most to read its rows; `fromObservation()` counts them in the budget of a run. */
  readonly memory: number;
  /** The numbers in `times` of the rows from `start` to before `stop`. */
  timeIndex(start: number, stop: number): Promise<Int32Array>;
  /** The first antennas of these rows. */
  antenna1(start: number, stop: number): Promise<Int32Array>;
  /** The second antennas of these rows. */
  antenna2(start: number, stop: number): Promise<Int32Array>;
  /** Baselines of these rows in metres, u, v and w of each, with the sign `uvwSign`. */
  uvw(start: number, stop: number): Promise<Float64Array>;
  /** Seconds that each of these rows lasted. */
  interval(start: number, stop: number): Promise<Float64Array>;
  /** The visibilities; absent if there are none. */
  readonly visibility?: RowSamples;
  /** Which samples are flagged: not to be used. */
  readonly flag?: RowSamples;
  /** Weights of the samples. */
  readonly weight?: RowSamples;
}

/**
 * Which part of a source is the observation.
 * @category Observations
 */
export interface ObservationOptions {
  /** The field, by name or number. Default: that of the first row. */
  readonly field?: string | number;
  /** Number of the spectral window. Whole, at least 0. Default: that of the first row of the field. */
  readonly spectralWindow?: number;
  /**
   * Number of the data description, which has a spectral window and a polarization. Whole, at least 0. Default: that
   * of the first row.
   */
  readonly dataDescription?: number;
  /** The visibilities, such as `DATA`, `CORRECTED_DATA` or `MODEL_DATA`. Default: `DATA`. */
  readonly column?: string;
  /**
   * Further folder (or URL) below which tables may lie whose rows a Measurement Set shows. Default: only the folder in which it
   * lies itself.
   */
  readonly root?: string;
  /** Cancels the opening. */
  readonly signal?: AbortSignal;
}

/** Their names. */
export const OBSERVATION_OPTIONS: OptionNames<ObservationOptions> = {
  field: must(
    "a name or a whole number from 0",
    (value) => typeof value === "string" || (Number.isSafeInteger(value) && (value as number) >= 0),
  ),
  spectralWindow: whole(0),
  dataDescription: whole(0),
  column: text,
  root: text,
  signal,
};

/**
 * Which columns of Measurement Sets are read, what their values are, and what becomes of the others.
 *
 * Readers can ask only for columns that are in this table, with what it says of them: `docs/radio.md` shows it.
 *
 * @module
 */

import type { Unit } from "./units.ts";

/** Kinds of measures of casacore, whose frames columns name. */
export type Measure = "direction" | "epoch" | "frequency" | "position" | "uvw";

/** What a column holds. */
export interface ColumnUse {
  /** The unit that its values are converted to; absent: they have none. */
  readonly unit?: Unit;
  /** The kind of its frame; absent: it has none. */
  readonly measure?: Measure;
  /** What is done with it. */
  readonly use: string;
}

const columns = <C extends Record<string, Record<string, ColumnUse>>>(all: C): C => all;

/** The columns that are read, by their tables. */
export const MS_COLUMNS = columns({
  MAIN: {
    TIME: { unit: "s", measure: "epoch", use: "times, converted to UTC" },
    INTERVAL: { unit: "s", use: "seconds of a row" },
    ANTENNA1: { use: "first antennas" },
    ANTENNA2: { use: "second antennas" },
    FEED1: { use: "a warning where an antenna has several feeds" },
    FEED2: { use: "as FEED1" },
    FIELD_ID: { use: "which field a row is of" },
    DATA_DESC_ID: { use: "which spectral window and polarization a row is of" },
    UVW: { unit: "m", measure: "uvw", use: "baselines; ITRF stands for the frame of the field" },
    FLAG: { use: "flags of samples" },
    FLAG_ROW: { use: "flags all samples of a row" },
    WEIGHT_SPECTRUM: { use: "weights of samples" },
    WEIGHT: { use: "weights of rows, where there is no WEIGHT_SPECTRUM" },
  },
  ANTENNA: {
    NAME: { use: "names" },
    POSITION: { unit: "m", measure: "position", use: "places: sign of baselines, parallactic angles" },
    MOUNT: { use: "mounts: parallactic angles" },
  },
  DATA_DESCRIPTION: {
    SPECTRAL_WINDOW_ID: { use: "spectral window" },
    POLARIZATION_ID: { use: "polarization" },
  },
  FEED: {
    ANTENNA_ID: { use: "antenna" },
    FEED_ID: { use: "the first feed of an antenna is taken; a warning where rows have others" },
    SPECTRAL_WINDOW_ID: { use: "spectral window" },
    POLARIZATION_TYPE: { use: "types of receptors, which angles belong to" },
    RECEPTOR_ANGLE: { unit: "rad", use: "position angles of receptors" },
  },
  FIELD: {
    NAME: { use: "names" },
    PHASE_DIR: { unit: "rad", measure: "direction", use: "phase centres" },
    NUM_POLY: { use: "must be 0 for the field that is taken: others move" },
    EPHEMERIS_ID: { use: "must be below 0 for the field that is taken: others move" },
  },
  POLARIZATION: { CORR_TYPE: { use: "names of correlations" } },
  SPECTRAL_WINDOW: {
    CHAN_FREQ: { unit: "Hz", measure: "frequency", use: "centres of channels, as they are, in any frame" },
    CHAN_WIDTH: { unit: "Hz", use: "widths of channels" },
  },
});

/** The visibilities, whose column has any name. */
export const VISIBILITIES: ColumnUse = {
  unit: "Jy",
  use: "visibilities: DATA, or the column that is asked for",
};

/** The keyword of the main table that says what I is of XX and YY. */
export const POLARIZATION_KEYWORD = "pyuvdata_polconv";

/** What is done with it, in all formats. */
export const POLARIZATION_USE = "avg, or nothing: I is the mean of XX and YY; sum: it is their sum";

/** Columns that are not looked at, and why. */
export const MS_IGNORED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  MAIN: {
    EXPOSURE: "smearing counts the whole INTERVAL",
    TIME_CENTROID: "rows are at TIME",
    SIGMA: "weights are used",
    SIGMA_SPECTRUM: "weights are used",
    FLAG_CATEGORY: "FLAG is used",
    ARRAY_ID: "no influence on a visibility",
    OBSERVATION_ID: "no influence on a visibility",
    PROCESSOR_ID: "no influence on a visibility",
    SCAN_NUMBER: "no influence on a visibility",
    STATE_ID: "no influence on a visibility",
  },
  ANTENNA: {
    DISH_DIAMETER: "beams are given by files",
    FLAG_ROW: "rows of visibilities have flags of their own",
    OFFSET: "of axes, which baselines have in them",
    STATION: "a name",
    TYPE: "a name",
  },
  DATA_DESCRIPTION: { FLAG_ROW: "rows of visibilities have flags of their own" },
  FEED: {
    BEAM_ID: "beams are given by files",
    BEAM_OFFSET: "beams are given by files",
    INTERVAL: "the first feed of an antenna is taken",
    NUM_RECEPTORS: "the number of types says it",
    POL_RESPONSE: "leakage is a term of its own",
    POSITION: "baselines have it in them",
    TIME: "the first feed of an antenna is taken",
  },
  FIELD: {
    CODE: "a name",
    DELAY_DIR: "not the phase centre",
    FLAG_ROW: "rows of visibilities have flags of their own",
    REFERENCE_DIR: "not the phase centre",
    SOURCE_ID: "a name",
    TIME: "the origin of directions that move, which are refused",
  },
  POLARIZATION: {
    CORR_PRODUCT: "follows from CORR_TYPE",
    FLAG_ROW: "rows of visibilities have flags of their own",
    NUM_CORR: "the number of types says it",
  },
  SPECTRAL_WINDOW: {
    EFFECTIVE_BW: "smearing counts CHAN_WIDTH",
    FLAG_ROW: "rows of visibilities have flags of their own",
    FREQ_GROUP: "a name",
    FREQ_GROUP_NAME: "a name",
    IF_CONV_CHAIN: "a name",
    MEAS_FREQ_REF: "read as the frame of CHAN_FREQ",
    NAME: "a name",
    NET_SIDEBAND: "channels have their frequencies",
    NUM_CHAN: "the number of frequencies says it",
    REF_FREQUENCY: "channels have their frequencies",
    RESOLUTION: "smearing counts CHAN_WIDTH",
    TOTAL_BANDWIDTH: "channels have their widths",
  },
};

/** Names of tables. */
export type TableName = keyof typeof MS_COLUMNS;

/** Columns of a table that are read. */
export type ColumnOf<T extends TableName> = keyof (typeof MS_COLUMNS)[T] & string;

/** Those that have a frame. */
export type MeasureOf<T extends TableName> = {
  [C in ColumnOf<T>]: (typeof MS_COLUMNS)[T][C] extends { readonly measure: Measure } ? C : never;
}[ColumnOf<T>];

/** Those that have none. */
export type PlainOf<T extends TableName> = Exclude<ColumnOf<T>, MeasureOf<T>>;

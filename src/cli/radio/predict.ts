/**
 * `tilewise predict`: visibilities of a model of the sky for the rows of an observation, in a file.
 *
 * @module
 */

import { BEHIND_FLAG, OBSERVATION_FLAGS } from "../flags/observation_flags.ts";
import { optionFlag } from "../flags/option_flag.ts";
import { NO_MANIFEST, STORE_FLAGS, WORK_FLAGS } from "../flags/run_flags.ts";
import { HEADS } from "../shell/heads.ts";
import type { Verb } from "../shell/verb.ts";

/** The verb. */
export const PREDICT: Verb = {
  ...HEADS.predict,
  least: 2,
  most: 2,
  flags: [
    {
      name: "output",
      short: "o",
      value: "OUT",
      help: "the model: .zarr, a Measurement Set of version 4, or .npy, rows × channels × correlations",
    },
    {
      name: "column",
      value: "NAME",
      help:
        "instead of -o: the column of the Measurement Set that the model becomes, such as MODEL_DATA, in complex64",
    },
    optionFlag("PredictObservationOptions.precision", "NAME"),
    optionFlag("PredictObservationOptions.correlations", "NAMES", {
      typed: "such as XX,YY or I; 1, 2 or 4: so many of the feeds",
    }),
    optionFlag("PredictObservationOptions.convention", "NAME", {
      typed: "casa is exp(+2πi (u l + v m + w (n − 1)) ν / c), fourier the other",
    }),
    BEHIND_FLAG,
    ...OBSERVATION_FLAGS,
    NO_MANIFEST,
    ...WORK_FLAGS,
    ...STORE_FLAGS,
    { name: "dry-run", help: "print the plan and do nothing" },
  ],
  notes: [
    "SKY is a list of components: of WSClean or BBS, CSV, JSON, or regions of DS9; points, Gaussians, disks, with spectra.",
    "OBSERVATION is a Measurement Set (casacore, or version 4 in Zarr), a UVH5 or a UVFITS file.",
    "A .zarr has the variable VISIBILITY_MODEL by time, baseline, frequency and polarization, with UVW, FLAG, antennas",
    "and field beside it; tilewise opens it as an observation, and so do xarray and xradio. Baselines that have no row at",
    "a time are NaN and flagged. The rows of a .npy are those of the observation. Both are written in ranges of rows as",
    "they are computed, so that they may be larger than memory; the bits depend neither on --memory nor on --workers.",
    "--column adds the column to the set, or replaces the one of that name, in one step at the end: other columns and an",
    "interrupted set stay as they are. Without --field and such it has all rows; other rows keep their values, or are 0.",
    "It leaves no manifest: the set is its source and its result.",
    "With --store many machines predict tiles, each with --shard I/N and the same words; tilewise merge writes the file.",
  ],
  examples: [
    [
      "tilewise predict sky.txt day.ms --column MODEL_DATA",
      "The model where calibration and imaging look for it.",
    ],
    ["tilewise predict sky.txt day.ms -o model.zarr", "A model column, in the layout of version 4."],
    [
      "tilewise predict sky.txt day.ms -o model.npy --precision mixed --correlations I",
      "Stokes I of each row and channel, in single precision.",
    ],
    [
      "tilewise predict sky.txt day.ms -o model.zarr --memory 256MiB --dry-run",
      "How much would be computed, in which tiles and how much memory.",
    ],
  ],
  source: ({ positionals }) => positionals[1],
  writes: (args) => !args.has("dry-run"),
  run: async (args, io) => await (await import("./predict_run.ts")).predict(args, io), // its help needs none of this
};

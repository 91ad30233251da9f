/**
 * The verbs by name: what the list of verbs shows without loading them.
 *
 * @module
 */

import type { VerbHead } from "./verb.ts";

/** The verbs, in the order of the help. */
export const HEADS = {
  info: {
    name: "info",
    summary: "says what a source is: format and why, shape, dtype, layout",
    usage: "SOURCE…",
  },
  stats: {
    name: "stats",
    summary: "counts and sums the samples of each array: count, sum, min, max, mean",
    usage: "SOURCE…",
  },
  pick: {
    name: "pick",
    summary: "reads one frame, or a box of samples",
    usage: "SOURCE",
  },
  run: {
    name: "run",
    summary: "computes analyses (UDFs) over a scan, all in one pass",
    usage: "UDF… SOURCE",
  },
  merge: {
    name: "merge",
    summary: "merges the parts of a run that was computed in shards",
    usage: "STORE -o OUT",
  },
  submit: {
    name: "submit",
    summary: "prints the job script of a run, map, convert or predict in shards, for Slurm or Kubernetes",
    usage: "slurm|k8s [VERB] … --store STORE -o OUT",
  },
  worker: {
    name: "worker",
    summary: "computes parts of runs on an engine, until it is ended",
    usage: "ENGINE",
  },
  status: {
    name: "status",
    summary: "shows the runs and workers of an engine",
    usage: "ENGINE",
  },
  cancel: {
    name: "cancel",
    summary: "ends a run on an engine; its parts stay",
    usage: "ENGINE RUN",
  },
  map: {
    name: "map",
    summary:
      "filters an image, a stack or a scan of any size, all filters in one pass; labels and measures it",
    usage: "FILTER… SOURCE -o OUT",
  },
  convert: {
    name: "convert",
    summary:
      "writes a source into another format, by the ending of OUT: npy, HyperSpy, py4DSTEM, NeXus, TIFF, Zarr and others",
    usage: "SOURCE OUT",
  },
  predict: {
    name: "predict",
    summary: "predicts the visibilities of a model of the sky for an observation",
    usage: "SKY OBSERVATION -o OUT",
  },
  image: {
    name: "image",
    summary: "makes the dirty image of an observation: PNG with axes, FITS, npy",
    usage: "OBSERVATION [-o OUT]",
  },
  uvplot: {
    name: "uvplot",
    summary: "draws which baselines an observation has: u and v, in wavelengths or metres",
    usage: "OBSERVATION [-o OUT]",
  },
  replay: {
    name: "replay",
    summary: "repeats a command from its manifest and compares the results",
    usage: "MANIFEST…",
  },
  new: {
    name: "new",
    summary: "writes a UDF to start from, with its test",
    usage: "udf NAME",
  },
  view: {
    name: "view",
    summary: "shows the page that explores scans and images, in the browser on this machine",
    usage: "[SOURCE…]",
  },
  demo: {
    name: "demo",
    summary: "makes a scan, or an observation, with a known answer, computes it, compares, shows it",
    usage: "[radio]",
  },
  doctor: {
    name: "doctor",
    summary: "says what this machine has and lacks for Tilewise, and how to get it",
    usage: "",
  },
  completions: {
    name: "completions",
    summary: "prints the script that completes commands in a shell",
    usage: "bash|zsh|fish|powershell",
  },
} as const satisfies Readonly<Record<string, VerbHead>>;

/**
 * The flags of `run`: region of interest, corrections, memory and workers.
 *
 * @module
 */

import { endingsFor } from "../../sinks/registry.ts";
import { type Flag, grouped } from "../shell/verb.ts";
import { optionFlag } from "./option_flag.ts";

/** The flags of verbs that compute. */
export const CONTEXT_FLAGS: readonly Flag[] = grouped("Workers and memory", [
  optionFlag("ContextOptions.workers", "N"),
  optionFlag("ContextOptions.memory", "SIZE"),
]);

/** The flags of verbs that compute on workers. */
export const WORK_FLAGS: readonly Flag[] = [
  ...CONTEXT_FLAGS,
  ...grouped("Workers and memory", [optionFlag("ContextOptions.stallTimeout", "SECONDS")]),
];

/** For verbs that leave a manifest unless it is given. */
export const NO_MANIFEST: Flag = { name: "no-manifest", help: "no manifest beside the result" };

/** The flags. */
export const RUN_FLAGS: readonly Flag[] = [
  {
    name: "output",
    short: "o",
    value: "OUT",
    help: `a file (${
      endingsFor("arrays").join(", ")
    }; a .png lies beside a .npy) or a folder; a manifest lies beside it`,
  },
  ...grouped("Frames and corrections", [
    optionFlag("PlanOptions.roi", "ROI", {
      typed: "start:stop for each dimension, positions Y,X;Y,X;…, or a mask file (.npy)",
    }),
    optionFlag("Corrections.dark", "FILE"),
    optionFlag("Corrections.gain", "FILE"),
    optionFlag("Corrections.excluded", "Y,X", {
      name: "exclude",
      multiple: true,
      typed: "Y,X, or a mask file (.npy, or FILE#/ARRAY)",
    }),
    { name: "no-corrections", help: "leave out the corrections that come with the data set" },
  ]),
  ...WORK_FLAGS,
  ...grouped("Workers and memory", [
    optionFlag("PlanOptions.partitions", "N"),
    optionFlag("PlanOptions.tileBytes", "SIZE"),
    optionFlag("ContextOptions.map"),
    optionFlag("PlanOptions.backends", "NAMES", { typed: "dense,csr,csc,coo" }),
    { name: "no-cull", option: "cull", help: "read all rows of frames, also those that no UDF needs" },
  ]),
  { name: "dry-run", help: "print the plan and do nothing" },
];

/** The flags of runs on several machines. */
export const STORE_FLAGS: readonly Flag[] = grouped("Several machines", [
  {
    name: "store",
    option: "store",
    value: "STORE",
    help:
      "keep parts in dir:FOLDER, which all machines share, or s3://BUCKET/NAME; a later call computes the rest",
  },
  {
    name: "shard",
    option: "shard",
    value: "I/N",
    help:
      "compute shard I of N (from 1), or auto: the task of a Slurm, PBS, LSF, SGE, AWS Batch, Kubernetes array",
  },
  {
    name: "engine",
    option: "engine",
    value: "URL",
    help: "let workers of an engine compute the parts: redis://HOST, postgres://HOST/DATABASE; needs --store",
  },
  { name: "priority", value: "N", help: "on an engine: runs with lower numbers come first; 100 by default" },
]);

/** Flags of forecasts. */
export const FORECAST_FLAGS: readonly Flag[] = grouped("Several machines", [
  {
    name: "storage-rate",
    value: "RATE",
    help:
      "with --dry-run and --workers N: how long N workers take, on storage that gives them RATE, as 20GB/s",
  },
]);

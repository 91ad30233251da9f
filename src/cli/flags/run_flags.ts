/**
 * The flags of `run`: region of interest, corrections, memory and workers.
 *
 * @module
 */

import { endingsFor } from "../../sinks/registry.ts";
import type { Flag } from "../shell/verb.ts";

/** How long a worker may be silent, for all verbs that have workers. */
export const STALL_FLAG: Flag = {
  name: "stall-timeout",
  option: "stallTimeout",
  value: "SECONDS",
  help:
    "replace a worker that makes no progress for so long, 30 by default; the second time it has three times as long",
};

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
  {
    name: "roi",
    option: "roi",
    value: "ROI",
    help: "scan positions: start:stop for each dimension, positions Y,X;Y,X;…, or a mask file (.npy)",
  },
  { name: "dark", option: "dark", value: "FILE", help: "a dark frame to subtract" },
  { name: "gain", option: "gain", value: "FILE", help: "a gain map to multiply by" },
  {
    name: "exclude",
    option: "excluded",
    value: "Y,X",
    multiple: true,
    help: "a dead pixel, or a mask file (.npy, or FILE#/ARRAY)",
  },
  { name: "no-corrections", help: "leave out the corrections that come with the data set" },
  { name: "workers", option: "workers", value: "N", help: "worker threads; 0 computes on the main thread" },
  { name: "memory", option: "memory", value: "SIZE", help: "most memory for buffers, such as 256MiB" },
  { name: "partitions", option: "partitions", value: "N", help: "cut the scan into at least N parts" },
  {
    name: "tile-bytes",
    option: "tileBytes",
    value: "SIZE",
    help: "largest tile that is read at once, such as 1MiB",
  },
  {
    name: "backends",
    option: "backends",
    value: "NAMES",
    help: "forms of tiles that UDFs may get: dense,csr,csc,coo",
  },
  { name: "no-cull", option: "cull", help: "read all rows of frames, also those that no UDF needs" },
  STALL_FLAG,
  { name: "dry-run", help: "print the plan and do nothing" },
];

/** The flags of runs on several machines. */
export const STORE_FLAGS: readonly Flag[] = [
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
];

/** Flags of forecasts. */
export const FORECAST_FLAGS: readonly Flag[] = [
  {
    name: "storage-rate",
    value: "RATE",
    help:
      "with --dry-run and --workers N: how long N workers take, on storage that gives them RATE, as 20GB/s",
  },
];

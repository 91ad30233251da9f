/**
 * The flags of verbs that open observations of radio interferometers.
 *
 * @module
 */

import type { ObservationOptions } from "../../observations/observation.ts";
import type { Arguments } from "../shell/args.ts";
import { STALL_FLAG } from "./run_flags.ts";
import type { Flag } from "../shell/verb.ts";

/** The flags. */
export const OBSERVATION_FLAGS: readonly Flag[] = [
  {
    name: "field",
    option: "field",
    value: "NAME",
    help: "the field, by name or number; default: that of the first row",
  },
  {
    name: "spectral-window",
    option: "spectralWindow",
    value: "N",
    help: "number of the spectral window; default: that of the first row",
  },
  {
    name: "data-description",
    option: "dataDescription",
    value: "N",
    help: "number of the data description, or of the set in a .zarr; default: that of the first row",
  },
  {
    name: "root",
    option: "root",
    value: "FOLDER",
    help: "tables whose rows a Measurement Set shows may lie below it, not only beside the set",
  },
];

/** The flags of verbs that compute with an observation on workers. */
export const WORK_FLAGS: readonly Flag[] = [
  { name: "workers", option: "workers", value: "N", help: "worker threads; 0 computes on the main thread" },
  { name: "memory", option: "memory", value: "SIZE", help: "most memory for buffers, such as 256MiB" },
  STALL_FLAG,
];

/** The flag for the visibilities that are read. */
export const COLUMN_FLAG: Flag = {
  name: "column",
  option: "column",
  value: "NAME",
  help: "the visibilities: DATA, CORRECTED_DATA, MODEL_DATA, or a data group of a .zarr; default DATA",
};

/** The flag for components that have no direction cosines. */
export const BEHIND_FLAG: Flag = {
  name: "behind",
  option: "behind",
  value: "NAME",
  help:
    "sources more than 90° from the phase centre: refuse, or skip, for lists of the whole sky; default refuse",
};

/** What the flags say. */
export function observationOptions(args: Arguments, signal: AbortSignal): ObservationOptions {
  const field = args.text("field");
  const spectralWindow = args.count("spectral-window");
  const dataDescription = args.count("data-description");
  const column = args.text("column"), root = args.text("root");
  return {
    signal,
    ...(field === undefined ? {} : { field: /^\d+$/.test(field) ? Number(field) : field }),
    ...(spectralWindow === undefined ? {} : { spectralWindow }),
    ...(dataDescription === undefined ? {} : { dataDescription }),
    ...(column === undefined ? {} : { column }),
    ...(root === undefined ? {} : { root }),
  };
}

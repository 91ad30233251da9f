/**
 * The flags of verbs that open observations of radio interferometers.
 *
 * @module
 */

import { defined } from "../../options.ts";
import type { ObservationOptions } from "../../observations/observation.ts";
import type { Arguments } from "../shell/args.ts";
import { type Flag, grouped } from "../shell/verb.ts";
import { optionFlag } from "./option_flag.ts";

/** The flags. */
export const OBSERVATION_FLAGS: readonly Flag[] = grouped("Observation", [
  optionFlag("ObservationOptions.field", "NAME"),
  optionFlag("ObservationOptions.spectralWindow", "N"),
  optionFlag("ObservationOptions.dataDescription", "N"),
  optionFlag("ObservationOptions.root", "FOLDER"),
]);

/** The flag for the visibilities that are read. */
export const COLUMN_FLAG: Flag = optionFlag("ObservationOptions.column", "NAME");

/** The flag for components that have no direction cosines. */
export const BEHIND_FLAG: Flag = optionFlag("PredictObservationOptions.behind", "NAME");

/** What the flags say. */
export function observationOptions(args: Arguments, signal: AbortSignal): ObservationOptions {
  const field = args.text("field");
  const spectralWindow = args.count("spectral-window");
  const dataDescription = args.count("data-description");
  const column = args.text("column"), root = args.text("root");
  return {
    signal,
    ...(field === undefined ? {} : { field: /^\d+$/.test(field) ? Number(field) : field }),
    ...defined({ spectralWindow, dataDescription, column, root }),
  };
}

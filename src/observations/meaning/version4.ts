/**
 * Which arrays of Measurement Sets of version 4 are read, and what their attributes say of their numbers.
 *
 * Source: the schema of xradio, 4.0.
 *
 * @module
 */

import { cannot } from "../../errors.ts";
import type { Unit } from "./units.ts";
import { factorOf, unitsFor } from "./units.ts";

/** What an array holds. */
interface ArrayUse {
  /** The unit that its values are converted to. */
  readonly unit?: Unit;
  /** The attribute with its frame, and the ones that are read; absent: it has none. */
  readonly frame?: { readonly attribute: string; readonly read: readonly string[] | "directions" | "any" };
  /** What is done with it. */
  readonly use: string;
}

const arrays = <A extends Record<string, ArrayUse>>(all: A): A => all;

/** The arrays that are read; visibilities, flags, weights and baselines have the names that a data group says. */
export const V4_ARRAYS = arrays({
  time: { unit: "s", frame: { attribute: "scale", read: "any" }, use: "times, converted to UTC" },
  integration_time: { unit: "s", use: "seconds of a row, unless EFFECTIVE_INTEGRATION_TIME is there" },
  EFFECTIVE_INTEGRATION_TIME: { unit: "s", use: "seconds of a row" },
  frequency: {
    unit: "Hz",
    frame: { attribute: "observer", read: "any" },
    use: "centres of channels, as they are",
  },
  channel_width: { unit: "Hz", use: "widths of channels, unless CHANNEL_WIDTH is there" },
  CHANNEL_WIDTH: { unit: "Hz", use: "widths of channels that differ" },
  polarization: { use: "names of correlations" },
  polarization_mixed: { use: "must be absent: baselines have the same correlations" },
  field_name: { use: "which field a time is of" },
  baseline_antenna1_name: { use: "first antennas" },
  baseline_antenna2_name: { use: "second antennas" },
  UVW: { unit: "m", frame: { attribute: "frame", read: "directions" }, use: "baselines" },
  VISIBILITY: { unit: "Jy", use: "visibilities; a warning where they are in another unit" },
  FLAG: { use: "flags of samples" },
  WEIGHT: { use: "weights of samples" },
  "antenna_xds/antenna_name": { use: "names" },
  "antenna_xds/ANTENNA_POSITION": {
    unit: "m",
    frame: { attribute: "frame", read: ["ITRS", "ITRF"] },
    use: "places: sign of baselines, parallactic angles",
  },
  "antenna_xds/mount": { use: "mounts: parallactic angles" },
  "antenna_xds/polarization_type": { use: "types of receptors, which angles belong to" },
  "antenna_xds/ANTENNA_RECEPTOR_ANGLE": { unit: "rad", use: "position angles of receptors" },
  "field_and_source/field_name": { use: "names of fields" },
  "field_and_source/FIELD_PHASE_CENTER_DIRECTION": {
    unit: "rad",
    frame: { attribute: "frame", read: "directions" },
    use: "phase centres",
  },
});

/** Names of these arrays. */
export type V4Name = keyof typeof V4_ARRAYS;

/** What is known of one. */
function useOf(name: V4Name): ArrayUse {
  return V4_ARRAYS[name];
}

/** Attributes of an array, or of a value in attributes of an array. */
export type Attributes = Readonly<Record<string, unknown>>;

/** Units as xradio writes them where there is none. */
const UNSAID = /^(|unk(n)?own|dimensionless)$/i;

/** The unit that attributes say, if they say one. */
export function saidUnit({ units }: Attributes): string | undefined {
  return [units ?? []].flat().map(String).find((text) => !UNSAID.test(text));
}

/** By what its values are multiplied; absent: they are as they should be. Errors: `unsupported` for other units, by name. */
export function factorIn(attributes: Attributes, name: V4Name, file: string): readonly number[] | undefined {
  const { unit } = useOf(name);
  const units = [attributes["units"] ?? []].flat().map(String).filter((text) => !UNSAID.test(text));
  if (unit === undefined || units.length === 0) return undefined;
  const factors = units.map((text) => {
    const factor = factorOf(text, unit);
    if (factor !== undefined) return factor;
    const problem = `the unit of ${name} is "${text}"; it must be one of ${unitsFor(unit).join(", ")}`;
    throw cannot("read", file, "unsupported", problem, { found: text });
  });
  return factors.every((factor) => factor === 1) ? undefined : factors;
}

/** The frame that attributes name; `undefined` if they name none. Errors: `unsupported` for frames that are not read. */
export function frameIn(attributes: Attributes, name: V4Name, file: string): string | undefined {
  const { frame } = useOf(name);
  const found = frame && attributes[frame.attribute];
  if (frame === undefined || typeof found !== "string" || found === "") return undefined;
  if (typeof frame.read === "string") return frame.read === "directions" ? found.toLowerCase() : found;
  if (frame.read.some((one) => one.toLowerCase() === found.toLowerCase())) return found;
  const problem = `the frame of ${name} is ${found}; ${frame.read.join(", ")} are read`;
  throw cannot("read", file, "unsupported", problem, { found });
}

/**
 * Which values of the header of UVH5 are read, and what they mean.
 *
 * Source: UVH5 memo of pyuvdata, versions 1.0 to 1.2. The format fixes units: metres, Hz, seconds, Julian dates of UTC, degrees
 * for the place of the telescope and radians for all other angles.
 *
 * @module
 */

import { POLARIZATION_USE } from "./measurement_set.ts";

/** The values that are read, by name; those of `phase_center_catalog` are in each of its groups. */
export const UVH5_HEADER = {
  latitude: "place of the telescope, from which antennas are counted",
  longitude: "as latitude",
  altitude: "as latitude",
  version: "must be 0 or 1",
  telescope_frame: "must be itrs",
  antenna_names: "names",
  antenna_numbers: "what rows call antennas",
  antenna_positions: "places: sign of baselines, parallactic angles",
  mount_type: "mounts: parallactic angles",
  feed_array: "types of receptors, which angles belong to",
  feed_angle: "position angles of receptors",
  x_orientation: "the same in older files",
  freq_array: "centres of channels, as they are",
  channel_width: "widths of channels",
  polarization_array: "names of correlations, conjugates of those of Measurement Sets: XY is U − iV",
  pol_convention: POLARIZATION_USE,
  time_array: "times",
  timesys: "must be UTC",
  integration_time: "seconds of a row",
  ant_1_array: "first antennas",
  ant_2_array: "second antennas",
  uvw_array: "baselines",
  vis_units: "a warning unless it is Jy",
  phase_center_id_array: "which field a row is of",
  "phase_center_catalog/cat_name": "names of fields",
  "phase_center_catalog/cat_type": "must be sidereal for the field that is taken: others move",
  "phase_center_catalog/cat_frame": "frame of the direction",
  "phase_center_catalog/cat_epoch": "must be that of the frame: 2000 of fk5, 1950 of fk4",
  "phase_center_catalog/cat_lon": "phase centres",
  "phase_center_catalog/cat_lat": "phase centres",
  "phase_center_catalog/cat_pm_ra": "must be 0: others move",
  "phase_center_catalog/cat_pm_dec": "must be 0",
  "phase_center_catalog/cat_dist": "must be 0, or above 100 pc: others have a parallax",
  phase_type: "must be phased, in version 1.0",
  phase_center_ra: "phase centre, in version 1.0",
  phase_center_dec: "phase centre, in version 1.0",
  phase_center_frame: "frame of the direction, in version 1.0",
  phase_center_epoch: "must be that of the frame, in version 1.0",
  object_name: "name of the field, in version 1.0",
  flex_spw_polarization_array: "must be absent: channels have the same correlations",
  uvplane_reference_time: "must be absent or 0: baselines are those of their time",
} as const;

/** A name in the header. */
export type HeaderName = keyof typeof UVH5_HEADER;

/** What is in the group `Data`. */
export const UVH5_DATA = {
  visdata: "visibilities",
  flags: "flags of samples",
  nsamples: "weights of samples",
} as const;

/** Values that must be of one kind, where they are there. */
export const UVH5_MUST: Readonly<Partial<Record<HeaderName, (value: unknown) => boolean>>> = {
  version: (value) => /^[01](\.|$)/.test(String(value)),
  telescope_frame: (value) => /^itrs$/i.test(String(value)),
  timesys: (value) => /^utc$/i.test(String(value)),
  flex_spw_polarization_array: () => false,
  uvplane_reference_time: (value) => Number(value) === 0,
};

/** Parsecs from which on a parallax is below 0.01 seconds of arc. */
const FAR = 100;

/** Equinoxes of frames that have one. */
const EQUINOX: Readonly<Record<string, number>> = { fk5: 2000, fk4: 1950, fk4noeterms: 1950 };

/** What a file says of the direction of a field. */
export interface StoredDirection {
  /** Where it is said, and how: `sidereal`, `ephem`, `driftscan` or `unprojected`; absent: sidereal. */
  readonly type: string | undefined;
  /** The frame. */
  readonly frame: string;
  /** Its equinox. */
  readonly epoch: number | undefined;
  /** Proper motions. */
  readonly motions: readonly (number | undefined)[];
  /** Its distance in pc. */
  readonly distance?: number | undefined;
}

/** Why a field has no direction that is fixed; `undefined` if it has one. */
export function motionOf(
  { type = "sidereal", frame, epoch, motions, distance = 0 }: StoredDirection,
): string | undefined {
  if (!/^sidereal/i.test(type)) {
    return `it is ${type} in the frame ${frame}: it moves, which is not read`;
  }
  if (motions.some((value) => value !== undefined && value !== 0 && !Number.isNaN(value))) {
    return "it has a proper motion (cat_pm_ra, cat_pm_dec), which is not read";
  }
  if (distance !== 0 && distance < FAR) {
    return `it is ${distance} pc away (cat_dist): it has a parallax, which is not read`;
  }
  const expected = EQUINOX[frame];
  if (expected === undefined || epoch === undefined || Number.isNaN(epoch) || epoch === expected) {
    return undefined;
  }
  return `its direction is in the frame ${frame} of the equinox ${epoch} (cat_epoch); ${expected} is read`;
}

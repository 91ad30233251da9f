/**
 * Which parameters, cards and columns of UVFITS are read, and what they mean.
 *
 * Source: Greisen, AIPS FITS file format (AIPS memo 117, 2020); FITS standard 4.0, section 6.
 *
 * @module
 */

import { POLARIZATION_USE } from "./measurement_set.ts";
import { factorOf, type Unit } from "./units.ts";

/** What is read, by where it is. Names of parameters are without what follows `-`, such as `---SIN`. */
export const UVFITS_READ = {
  parameters: {
    UU: "baselines, in seconds of light, or in wavelengths (-L); with no suffix or with SIN",
    VV: "as UU",
    WW: "as UU",
    DATE: "times, as Julian dates in the scale of TIMSYS",
    BASELINE: "antennas: 256 a + b, or 2048 a + b + 65536; the fraction is the subarray",
    ANTENNA1: "first antennas, in place of BASELINE",
    ANTENNA2: "second antennas, in place of BASELINE",
    SUBARRAY: "which table AIPS AN has the antennas of a row",
    SOURCE: "which source a row is of",
    FREQSEL: "which row of AIPS FQ a row is of",
    INTTIM: "seconds of a row",
  },
  axes: {
    COMPLEX: "real and imaginary part, and weight: below or at 0 it flags the sample",
    STOKES: "names of correlations",
    FREQ: "centres and widths of channels; its suffix is their frame",
    IF: "blocks of channels, one after another",
    RA: "phase centre, where there is no AIPS SU",
    DEC: "as RA",
  },
  header: {
    PSCAL: "by what stored parameters are multiplied",
    PZERO: "what is added to them; parameters of one name are added up",
    BSCALE: "by what stored samples are multiplied",
    BZERO: "what is added to them",
    BLANK: "which integer is not a value",
    BUNIT: "the unit of visibilities; a warning unless it is Jy",
    OBJECT: "name of the field, where there is no AIPS SU",
    PHSFRAME: "frame of directions",
    RADESYS: "frame of directions, where there is no PHSFRAME",
    RADESYSA: "as RADESYS",
    EQUINOX: "equinox of directions; without a frame 1950 is fk4, others are fk5",
    EPOCH: "as EQUINOX",
    SPECSYS: "frame of frequencies, which are used as they are",
    POLCONV: POLARIZATION_USE,
  },
  "AIPS AN": {
    EXTVER: "number of the subarray",
    ARRAYX: "place that antennas are counted from; 0, 0, 0: the centre of the Earth",
    ARRAYY: "as ARRAYX",
    ARRAYZ: "as ARRAYX",
    FRAME: "must be ITRF, or not known: ???? or GEOCENTRIC",
    XYZHAND: "LEFT: y has the other sign",
    TIMSYS: "scale of times",
    TIMESYS: "as TIMSYS",
    DATUTC: "must be 0 where times are UTC",
    HASFEED: "F: receptors are unknown (pyuvdata)",
    HASMNT: "F: mounts are unknown (pyuvdata)",
    ANNAME: "names of antennas",
    NOSTA: "what rows call antennas",
    STABXYZ: "places: sign of baselines, parallactic angles",
    MNTSTA: "mounts: parallactic angles",
    POLTYA: "type of the first receptor",
    POLAA: "its position angle",
    POLTYB: "type of the second receptor",
    POLAB: "its position angle",
  },
  "AIPS FQ": {
    FRQSEL: "what rows call its rows",
    "IF FREQ": "offset of an IF",
    "CH WIDTH": "width of its channels, with their direction",
    SIDEBAND: "a warning where it is -1 and the width positive: the width counts",
  },
  "AIPS SU": {
    "ID. NO.": "what rows call sources",
    SOURCE: "names of fields",
    QUAL: "a part of the name, unless it is 0",
    RAEPO: "phase centres",
    DECEPO: "phase centres",
    EPOCH: "equinox of the direction",
    PMRA: "must be 0: others move",
    PMDEC: "must be 0",
    FREQOFF: "added to the frequencies of an IF",
  },
} as const;

/** Mounts by their codes. */
export const UVFITS_MOUNTS = (
  "alt-az equatorial orbiting x-y alt-az+nasmyth-r alt-az+nasmyth-l phased fixed other"
).split(" ");

/** Where names are read. */
export type UvfitsPlace = keyof typeof UVFITS_READ;

/** A name that is read there. */
export type UvfitsName<P extends UvfitsPlace> = keyof (typeof UVFITS_READ)[P] & string;

/** Units as AIPS spells them. */
const SPELLED: Readonly<Record<string, string>> = {
  DEGREES: "deg",
  DEGREE: "deg",
  DEG: "deg",
  METERS: "m",
  METRES: "m",
  METER: "m",
  M: "m",
  HZ: "Hz",
  JY: "Jy",
};

/** By what values of a unit are multiplied, as in `factorOf`, with the spelling of AIPS. */
export function uvfitsFactor(text: string, unit: Unit): number | undefined {
  return factorOf(SPELLED[text.trim().toUpperCase()] ?? text, unit);
}

/** Frames of frequencies, by the names of SPECSYS and by suffixes of FREQ. */
const SPECTRAL: Readonly<Record<string, string>> = {
  TOPOCENT: "TOPO",
  OBS: "TOPO",
  TOP: "TOPO",
  LSRK: "LSRK",
  LSR: "LSRK",
  LSRD: "LSRD",
  BARYCENT: "BARY",
  HELIOCEN: "BARY",
  HEL: "BARY",
  BAR: "BARY",
  GEOCENTR: "GEO",
  GALACTOC: "GALACTO",
  LOCALGRP: "LGROUP",
  CMBDIPOL: "CMB",
  SOURCE: "REST",
};

/** The frame of frequencies as Measurement Sets name it; names that are not known stay as they are. */
export function spectralFrame(name: string): string {
  const known = name.trim().toUpperCase();
  return known === "" ? "TOPO" : SPECTRAL[known] ?? known;
}

/** The frame of directions: the one that is named, or the one that an equinox means. */
export function directionFrame(named: string, equinox: number | undefined): string {
  const frame = named.trim().toLowerCase();
  if (frame !== "") return frame === "fk4-no-e" ? "fk4noeterms" : frame;
  if (equinox === undefined) return "icrs";
  return equinox === 1950 ? "fk4" : "fk5";
}

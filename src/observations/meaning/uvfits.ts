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

/** What is not looked at, and why. */
export const UVFITS_IGNORED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  parameters: {
    LST: "follows from times",
    "CORR-ID": "no influence on a visibility",
    FILTER: "no influence on a visibility",
    GATEID: "no influence on a visibility",
    WEIGHT: "samples have weights",
  },
  header: {
    "DATE-OBS": "times are counted from PZERO",
    OBSRA: "where antennas pointed to, not the phase centre",
    OBSDEC: "as OBSRA",
    VELREF: "of velocities; channels have their frequencies",
    ALTRVAL: "of velocities; channels have their frequencies",
    ALTRPIX: "of velocities; channels have their frequencies",
    RESTFREQ: "of velocities; channels have their frequencies",
    LAT: "antennas have their places",
    LON: "antennas have their places",
    ALT: "antennas have their places",
    XORIENT: "receptors have their angles",
    INSTRUME: "a name",
    BLTORDER: "rows are as they are",
  },
  "AIPS AN": {
    FREQ: "channels have their frequencies",
    RDATE: "times are counted from PZERO",
    GSTIA0: "follows from times",
    DEGPDY: "baselines are as they are",
    UT1UTC: "less than a second",
    IATUTC: "leap seconds are those of IERS",
    POLARX: "baselines are as they are",
    POLARY: "baselines are as they are",
    POLTYPE: "leakage is a term of its own",
    POLCALA: "leakage is a term of its own",
    POLCALB: "leakage is a term of its own",
    STAXOF: "of axes, which baselines have in them",
    ORBPARM: "antennas have their places",
    DIAMETER: "beams are given by files",
    BEAMFWHM: "beams are given by files",
    NUMORB: "the length of ORBPARM",
    NOPCAL: "the length of POLCALA",
    NO_IF: "the axis IF says it",
    FREQID: "rows have FREQSEL",
    ARRNAM: "a name",
  },
  "AIPS FQ": {
    NO_IF: "the axis IF says it",
    "TOTAL BANDWIDTH": "channels have their widths",
    RXCODE: "a name",
    BANDCODE: "a name",
  },
  "AIPS SU": {
    NO_IF: "the axis IF says it",
    FREQID: "rows have FREQSEL",
    VELDEF: "of velocities; channels have their frequencies",
    VELTYP: "of velocities; channels have their frequencies",
    CALCODE: "a name",
    IFLUX: "fluxes come from lists of sources",
    QFLUX: "fluxes come from lists of sources",
    UFLUX: "fluxes come from lists of sources",
    VFLUX: "fluxes come from lists of sources",
    BANDWIDTH: "channels have their widths",
    RAAPP: "of the date; the direction of the epoch is taken",
    DECAPP: "of the date; the direction of the epoch is taken",
    RAOBS: "where antennas pointed to, not the phase centre",
    DECOBS: "as RAOBS",
    LSRVEL: "of velocities; channels have their frequencies",
    RESTFREQ: "of velocities; channels have their frequencies",
  },
};

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

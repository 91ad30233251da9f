/**
 * Differences of others to what was written, with their reasons: what they are known to read wrongly. What they refuse is
 * no difference.
 *
 * @module
 */

import type { Made, Told } from "./maker.ts";

/** A reason, and where it applies. */
export interface Reason {
  /** Who differs. */
  readonly who: "tifffile" | "zarr-python" | "geotiff.js" | "zarrita.js";
  /** What they do. */
  readonly text: string;
  /** Whether it can be the reason for a difference in this array. */
  readonly applies: (made: Made, told: Told, found: string) => boolean;
}

/** What is known of an image or array: of the writer of our own, or of a library. */
function specOf({ spec }: Made, { name }: Told): Readonly<Record<string, unknown>> {
  const images = spec["images"] as Readonly<Record<string, unknown>>[] | undefined;
  const arrays = spec["arrays"] as Readonly<Record<string, unknown>>[] | undefined;
  return images?.[Number(name.replace(/\D+/, ""))] ??
    arrays?.find((one) => (one["name"] || "/") === name) ?? spec;
}

const isBigEndian = ({ spec }: Made) => spec["order"] === ">" || spec["byteorder"] === ">";
const predictor = (made: Made, told: Told) => Number(specOf(made, told)["predictor"] ?? 1);

/** All reasons. */
export const REASONS: readonly Reason[] = [
  {
    who: "tifffile",
    text: "whole numbers of 24 bits are read with their bytes in another order",
    applies: (_made, _told, found) => found.startsWith("24 bits"),
  },
  {
    who: "tifffile",
    text: "the bytes of strips do not follow from the image where the file does not say them",
    applies: (made, told) =>
      specOf(made, told)["no_counts"] === true || specOf(made, told)["counts"] !== undefined,
  },
  {
    who: "tifffile",
    text: "samples of sizes without a type in NumPy, or whose type it does not know, are read as float64",
    applies: (_made, _told, found) => /^\d+ bits, dtype float64/.test(found),
  },
  {
    who: "tifffile",
    text: "what was never written is not always the value for no data",
    applies: (made, told) => specOf(made, told)["nodata"] !== undefined,
  },
  {
    who: "tifffile",
    text: "samples that LERC has masked are 0",
    applies: ({ spec }, _told, found) => found.startsWith("GDAL") && `${spec["compress"]}`.startsWith("LERC"),
  },
  {
    who: "tifffile",
    text: "lossless JPEG that it wrote itself is not what it was given; we read the same as it does",
    applies: ({ spec }) => spec["kind"] === "lossless",
  },
  {
    who: "geotiff.js",
    text: "samples of other than 8, 16, 32 or 64 bits are wrong",
    applies: (made, told) =>
      ![8, 16, 32, 64].includes(Number(specOf(made, told)["bits"] ?? made.spec["nbits"] ?? 8)),
  },
  {
    who: "geotiff.js",
    text: "the fill order is ignored",
    applies: (made, told) => specOf(made, told)["fill_order"] === 2 || made.spec["tiffcp"] === true,
  },
  {
    who: "geotiff.js",
    text: "predictors of big-endian samples are wrong",
    applies: (made, told) => isBigEndian(made) && predictor(made, told) > 1,
  },
  {
    who: "geotiff.js",
    text: "tables of big-endian files are read in the wrong byte order",
    applies: (made) => isBigEndian(made),
  },
  {
    who: "geotiff.js",
    text: "byte counts that are missing, and the value for no data, are ignored",
    applies: (made, told) => ["counts", "nodata"].some((key) => specOf(made, told)[key] !== undefined),
  },
  {
    who: "geotiff.js",
    text: "masks of LERC, and transparency in them, are not looked at",
    applies: ({ spec }) => `${spec["compress"]}`.startsWith("LERC"),
  },
  {
    who: "geotiff.js",
    text: "LERC whose samples are stored as they are is given with its head",
    applies: (made, told) => specOf(made, told)["compression"] === 34887,
  },
  {
    who: "geotiff.js",
    text: "volumes are read as their first plane",
    applies: (made) => made.spec["volumetric"] === "True",
  },
  {
    who: "geotiff.js",
    text: "LZW as it was before version 5 is not told apart",
    applies: (made, told) => specOf(made, told)["compression"] === "old",
  },
  {
    who: "geotiff.js",
    text: "LZW with all strings, and sizes that are not multiples of 16, end the process",
    applies: (_made, _told, found) => found === "ended",
  },
  {
    who: "zarrita.js",
    text: "fill values of 64 bits are rounded to those of JSON numbers",
    applies: (_made, { dtype }) => dtype === "int64" || dtype === "uint64",
  },
  {
    who: "zarrita.js",
    text: "filters of numbers take no byte order into account",
    applies: (made, told) =>
      /Delta|FixedScaleOffset|AsType|Quantize/.test(`${specOf(made, told)["filters"]}`),
  },
  {
    who: "zarrita.js",
    text: "the place and the byte order of the index of a shard are ignored",
    applies: (made, told) =>
      /start/.test(`${specOf(made, told)["where"]}`) || /big/.test(`${specOf(made, told)["index"]}`),
  },
  {
    who: "zarrita.js",
    text: "shards behind a transposition are wrong",
    applies: (made, told) =>
      /Transpose/.test(`${specOf(made, told)["outside"]}${specOf(made, told)["order"]}`),
  },
  {
    who: "zarrita.js",
    text: "some documents end the process",
    applies: (_made, _told, found) => found === "ended",
  },
];

/** The reason for a difference; `undefined`: there is none. */
export function reasonFor(who: Reason["who"], made: Made, told: Told, found: string): Reason | undefined {
  return REASONS.find((one) => one.who === who && one.applies(made, told, found));
}

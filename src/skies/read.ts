/**
 * Reads models of the sky.
 *
 * @module
 */

import { isTilewiseError, TilewiseError } from "../errors.ts";
import { openSource, type SourceInput } from "../io/open.ts";
import { type ByteSource, readUpTo } from "../io/source/source.ts";
import { checkOptionNames, type OptionNames } from "../options.ts";
import { oneOf, signal } from "../options/rules.ts";
import { type Sky, skyOf } from "./component.ts";
import { rowsOfJson } from "./json.ts";
import { rowsOf } from "./lists.ts";
import { isRegions, rowsOfRegions } from "./regions.ts";

/**
 * How a model of the sky is read.
 * @category Skies
 */
export interface ReadSkyOptions {
  /** `list`: a component list of WSClean, of BBS, or CSV. `json`: JSON. `ds9`: regions of DS9. Default: by how the text begins. */
  readonly format?: "list" | "json" | "ds9";
  /** Cancels the reading. */
  readonly signal?: AbortSignal;
}

/** Their names. */
export const READ_SKY_OPTIONS: OptionNames<ReadSkyOptions> = { format: oneOf("list", "json", "ds9"), signal };

/** Most bytes of a list. */
const MOST_BYTES = 2 ** 28;

/**
 * Reads a model of the sky: a component list as WSClean writes it, CSV with the same names of columns in its first line, or
 * JSON with the same names: `Name`, `Type` (POINT, GAUSSIAN, SERSIC), `Ra`, `Dec` (sexagesimal or degrees) or `l`, `m`, `I`,
 * `Q`, `U`, `V` in Jy, `SpectralIndex` (a list), `LogarithmicSI`, `ReferenceFrequency` in Hz, `MajorAxis`, `MinorAxis` in
 * arcseconds, `Orientation` in degrees from the m axis of the image, or from north at the component where
 * `OrientationIsAbsolute` is true, `PolarizedFraction`, `PolarizationAngle` in degrees, `e1`, `e2`, `scale` in arcseconds;
 * `RaD`, `DecD` and `PositionAngle` (from north) are names of OSKAR. Case does not matter. Regions of DS9 in `fk5` or `icrs` are
 * read as well: points, and circles and ellipses as Gaussians with that half maximum; flux and spectrum follow their `#`, as in
 * `point(187.7,12.4) # text={A} I=1.5`.
 *
 * @param source a path, URL, `File`, `Blob` or bytes
 * @param options its format
 * @returns the components of the model
 *
 * @example
 * ```ts
 * import { readSky } from "@tilewise/tilewise/observations";
 * import { assertEquals } from "@std/assert";
 * const list = "Name,Type,Ra,Dec,I,ReferenceFrequency,SpectralIndex\na,POINT,06:00:00,-30.00.00,1.5,150e6,[-0.7]\n";
 * const { points } = await readSky(new TextEncoder().encode(list));
 * assertEquals(points[0]?.position, { ra: Math.PI / 2, dec: -Math.PI / 6 });
 * assertEquals(points[0]?.spectrum, { terms: [-0.7], isLogarithmic: true, reference: 150e6 });
 * ```
 * @category Skies
 */
export async function readSky(source: SourceInput, options: ReadSkyOptions = {}): Promise<Sky> {
  checkOptionNames("readSky()", options, READ_SKY_OPTIONS);
  await using opened = await openList(source, options.signal);
  if (opened.size > MOST_BYTES) {
    const text = `Cannot read ${opened.name} as a sky: ${opened.size} bytes are more than ${MOST_BYTES}`;
    throw new TilewiseError("unsupported", text, {
      file: opened.name,
      expected: MOST_BYTES,
      found: opened.size,
    });
  }
  const text = new TextDecoder().decode(await readUpTo(opened, 0, opened.size, options.signal));
  mustBeText(text, opened.name);
  return skyOf(READERS[options.format ?? formatOf(text)](text, opened.name));
}

/** How each format is read. */
const READERS = { list: rowsOf, json: rowsOfJson, ds9: rowsOfRegions } as const;

/** The format of a text. */
function formatOf(text: string): keyof typeof READERS {
  if (/^\s*[[{]/.test(text)) return "json";
  return isRegions(text) ? "ds9" : "list";
}

/** What a sky is, for messages about what is none. */
const EXPECTED = "a sky is a list of components: CSV, a list of WSClean or BBS, JSON, or regions of DS9";

async function openList(source: SourceInput, signal: AbortSignal | undefined): Promise<ByteSource> {
  try {
    return await openSource(source, signal ? { signal } : {});
  } catch (error) {
    if (!isTilewiseError(error, "not-a-file")) throw error;
    const text = `Cannot read ${source} as a sky: it is a folder; ${EXPECTED}`;
    throw new TilewiseError("unknown-format", text, { ...error.details, expected: EXPECTED }, {
      cause: error,
    });
  }
}

/** Refuses images and other binary files. */
function mustBeText(text: string, file: string): void {
  const isFits = text.startsWith("SIMPLE  =");
  if (!isFits && !text.includes("\0")) return;
  const found = isFits ? "a FITS file" : "a binary file";
  const details = { file, expected: EXPECTED, found };
  throw new TilewiseError(
    "unknown-format",
    `Cannot read ${file} as a sky: it is ${found}; ${EXPECTED}`,
    details,
  );
}

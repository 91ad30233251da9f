/**
 * Sources of a list over an image of the sky: where they are, and a table of them.
 *
 * @module
 */

import { readSky } from "@tilewise/tilewise/observations";
import { numberText } from "../../../draw/words.ts";
import type { Position } from "../../../state/state.ts";
import { type Sky, skyText } from "./sky.ts";

/** A source of a list. */
export interface ListedPlace {
  /** Its name. */
  readonly name: string;
  /** Right ascension and declination in words. */
  readonly where: string;
  /** Its flux density in Jy, in words. */
  readonly flux: string;
  /** Its pixel, with fractions. */
  readonly at: Position;
}

/** Names of files that can be lists of sources. */
const LISTS = /\.(csv|txt|skymodel|sky|model|reg|json|osm|crtf)$/i;

/** The first file that may be a list of sources, by its name. */
export function listAmong(files: ReadonlyMap<string, Blob>): [name: string, file: Blob] | undefined {
  return [...files].find(([name]) => LISTS.test(name));
}

/** The sources of a list that are on an image, and how many are not. Errors: those of reading the list, and an image of another frame. */
export async function sourcesOn(
  sky: Sky,
  list: Blob,
  { height, width }: { readonly height: number; readonly width: number },
): Promise<{ readonly sources: readonly ListedPlace[]; readonly others: number }> {
  if (sky.frame) {
    throw new RangeError(
      `The image is in ${sky.frame}, lists are in ICRS or FK5 of 2000: their sources lie elsewhere`,
    );
  }
  const { points, gaussians, sersics } = await readSky(new Uint8Array(await list.arrayBuffer()));
  const all = [...points, ...gaussians, ...sersics];
  const sources = all.flatMap(({ name, position, stokes: [flux] }, i): ListedPlace[] => {
    if (!("ra" in position)) return []; // direction cosines, from a place that the list does not tell
    const [ra, dec] = [position.ra, position.dec].map((angle) => angle * 180 / Math.PI) as [number, number];
    const at = sky.pixel({ ra, dec });
    const isOn = at && at[0] > -0.5 && at[0] < height - 0.5 && at[1] > -0.5 && at[1] < width - 0.5;
    const place = { ra: (ra % 360 + 360) % 360, dec };
    const facts = { where: skyText(place, sky.step), flux: numberText(flux, 4) };
    return isOn ? [{ name: name || `${i + 1}`, ...facts, at }] : [];
  });
  return { sources, others: all.length - sources.length };
}

/**
 * Finds the objects of an image: samples above a threshold that touch each other, numbered and measured as by `tilewise map`.
 *
 * @module
 */

import { type Context, type Dataset, type NDArray, open } from "@tilewise/tilewise";
import { labelImage, measure, otsu } from "@tilewise/tilewise/views";
import type { TileSource } from "@tilewise/tilewise/web";
import { type Columns, objectColumns, objectsInUnits } from "../../../../src/analyses/mod.ts";
import type { ImageSelection } from "../../../draw/tile_store.ts";
import type { ObjectChoice } from "../../../state/state.ts";

/** Where objects are looked for. */
export interface ObjectsAsked {
  /** The image, whose values are measured. */
  readonly image: TileSource;
  /** The same after its filters, whose values are compared with the threshold. */
  readonly filtered: TileSource;
  /** What is known of it. */
  readonly axes: Dataset["axes"];
  /** Which image of the stack. */
  readonly selection: ImageSelection;
  readonly threshold: ObjectChoice["threshold"];
}

/** What was found. */
export interface FoundObjects {
  /** The number of the object at each sample, 0 outside. */
  readonly labels: Dataset;
  /** The numbers of the objects, and what was measured of each. */
  readonly columns: Columns;
  /** The threshold, and the least and the greatest value that it was compared with. */
  readonly threshold: number;
  readonly range: readonly [least: number, most: number];
}

/** Most samples of an image whose objects are found in a page. */
const MOST = 2 ** 26;

/** Finds and measures objects. Errors: those of reading, `RangeError` for images that are too large or have no threshold. */
export async function findObjects(
  { image, filtered, axes, selection, threshold }: ObjectsAsked,
  settings: { readonly context: Context; readonly signal: AbortSignal },
): Promise<FoundObjects> {
  mustFit(image);
  const { signal } = settings;
  const whole = async (source: TileSource) =>
    inPlane(await source.getRaster({ selection, signal }), axes, source.labels);
  const plane = await whole(image);
  const compared = filtered === image ? plane : await whole(filtered);
  const [samples, values] = [await open(plane), await open(compared)];
  const above = threshold === "otsu" ? await otsu(values, settings) : threshold;
  if (Number.isNaN(above)) throw new RangeError("None of the values is a number: there is no threshold");
  const labels = await open((await labelImage(values, { ...settings, threshold: above })).labels);
  const found = await measure(labels, samples, settings);
  const columns = { ...objectColumns(found, samples), ...objectsInUnits(found, samples, undefined) };
  return { labels, columns, threshold: above, range: rangeOf(compared) };
}

function rangeOf({ data }: NDArray): readonly [number, number] {
  let [least, most] = [Infinity, -Infinity];
  for (let i = 0; i < data.length; i++) {
    const value = Number(data[i]);
    if (value < least && value > -Infinity) least = value;
    if (value > most && value < Infinity) most = value;
  }
  return [least, most];
}

/** Rows and columns, with what is known of them. */
function inPlane(array: NDArray, axes: Dataset["axes"], labels: readonly string[]): NDArray {
  const known = ["y", "x"].map((label) => {
    const { size: _, ...facts } = axes[labels.indexOf(label)]!;
    return facts;
  });
  return { ...array, axes: known };
}

function mustFit({ levels: [level] }: TileSource): void {
  const { height, width } = level!;
  if (height * width <= MOST) return;
  const text =
    `The image has ${height} × ${width} pixels: a page finds objects in ${MOST / 2 ** 20} million. ` +
    "Use the command, which has no such limit.";
  throw new RangeError(text);
}

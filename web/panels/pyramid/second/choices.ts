/**
 * The images that can be the second one: the first without filters, others of its source, those of other sources.
 *
 * @module
 */

import type { Dataset } from "@tilewise/tilewise";
import type { SecondImage } from "../../../state/state.ts";
import { isScan } from "../../page/shapes.ts";
import type { OtherImage } from "../../workbench.ts";

/** The name of the image without its filters. */
export const BEFORE = "before";

/** An image that can be shown. */
export interface Choice {
  /** How the state names it. */
  readonly image: Pick<SecondImage, "name" | "of">;
  /** The same as text. */
  readonly key: string;
  /** Its name for people. */
  readonly text: string;
  /** Opens it. */
  open(signal: AbortSignal): Promise<Dataset>;
}

/** All of them. */
export function choicesOf(
  first: Dataset,
  datasets: readonly Dataset[],
  isFiltered: boolean,
  others: readonly OtherImage[],
): Choice[] {
  const isPage = ({ array }: Dataset) => /^ifd\d+$/.test(array); // of a TIFF: a part of its series, if there are any
  const own = datasets.filter((one) =>
    one.array !== first.array && one.values.kind !== "label" && one.shape.length >= 2 &&
    isPage(one) === isPage(first)
  );
  const choice = (image: Choice["image"], text: string, open: Choice["open"]): Choice => ({
    image,
    key: keyOf(image),
    text,
    open,
  });
  return [
    ...(isFiltered
      ? [choice({ name: BEFORE }, "The same without filters", () => Promise.resolve(first))]
      : []),
    ...own.map((one) => choice({ name: one.array }, one.array || "Image", () => Promise.resolve(one))),
    ...others.map(({ name, of, open }) => choice({ name: "", of }, name, open)),
  ];
}

/** What distinguishes images. */
export function keyOf({ name, of }: Pick<SecondImage, "name" | "of">): string {
  return of ? JSON.stringify(of) : name;
}

/** Why an image of another source cannot be beside the first; empty: it can. */
export function whyNot(first: Dataset, other: Dataset, name: string): string {
  if (other.shape.length < 2) return `${name} cannot be beside this image: it is a row of numbers.`;
  if (isScan(first) === isScan(other)) return "";
  const which = isScan(other) ? "it" : "what is open";
  return `${name} cannot be beside this image: ${which} is a scan, with one pattern per position.`;
}

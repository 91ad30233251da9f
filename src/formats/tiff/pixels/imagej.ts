/**
 * Images of ImageJ: the description has the unit, in which the resolution counts.
 *
 * @module
 */

import { TAG } from "../container/directory.ts";
import { type Described, type Pixels, squareAxes } from "./axes.ts";

/** Bytes of the description that are read: its words come first. */
const MOST_TEXT = 2 ** 12;

/** The pixels of an image of ImageJ; `undefined` where it has no unit. */
export async function imageJPixels({ directory }: Described): Promise<Pixels | undefined> {
  const description = await directory.text(TAG.description, MOST_TEXT);
  if (!isImageJ(description)) return undefined;
  const unit = imageJUnit(imageJWords(description));
  const step = async (tag: number) => 1 / (await directory.number(tag) ?? NaN);
  const axes = squareAxes(await step(TAG.yResolution), await step(TAG.xResolution), unit);
  return axes.y ? { axes, metadata: {} } : undefined;
}

/** Whether a description is one of ImageJ. */
export function isImageJ(description: string): boolean {
  return description.startsWith("ImageJ=");
}

/** The words of such a description. */
export function imageJWords(description: string): ReadonlyMap<string, string> {
  return new Map(
    description.split(/\r?\n/).map((line) => {
      const at = line.indexOf("=");
      return at < 0 ? [line, ""] as const : [line.slice(0, at).trim(), line.slice(at + 1).trim()] as const;
    }),
  );
}

/** The unit of lengths in the spelling of other formats; an empty text where there is none. */
export function imageJUnit(words: ReadonlyMap<string, string>): string {
  const plain = (words.get("unit") ?? "")
    .replace(/\\u([\da-f]{4})/gi, (_, code) => String.fromCharCode(parseInt(code, 16))).trim();
  return /^(micron|microns|um)$/i.test(plain) ? "µm" : /^(pixel|pixels)$/i.test(plain) ? "" : plain;
}

/**
 * Images that DigitalMicrograph has written as TIFF: units, positions of the first sample and steps of x, y and z are in tags
 * 65003 to 65011, in this order.
 *
 * @module
 */

import { TAG } from "../container/tags.ts";
import { type Described, pixelAxis, type Pixels } from "./axes.ts";

/** Bytes of a unit. */
const MOST_UNIT = 64;

/** The pixels of an image of DigitalMicrograph. */
export async function gatanPixels({ directory }: Described): Promise<Pixels> {
  const axis = async (name: "z" | "y" | "x", place: number) => {
    const unit = await directory.text(TAG.gatanUnitX + place, MOST_UNIT);
    const offset = await directory.number(TAG.gatanOffsetX + place);
    return pixelAxis(name, await directory.number(TAG.gatanScaleX + place), unit.trim(), offset);
  };
  const [x, y, z] = [await axis("x", 0), await axis("y", 1), await axis("z", 2)];
  return {
    axes: { ...(x && y ? { y, x } : {}), ...(z ? { z } : {}) },
    metadata: { metadata: "DigitalMicrograph" },
  };
}

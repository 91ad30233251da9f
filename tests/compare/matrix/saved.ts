/**
 * One array in a file of arrays alone, an archive, a text or a picture: others read it, no format of ours does.
 *
 * @module
 */

import { isTilewiseError } from "../../../src/errors.ts";
import { save } from "../../../src/pictures/face.ts";
import { lossesIn, type SaveOptions } from "../../../src/pictures/save.ts";
import { usualValues } from "../../../src/space/axes.ts";
import { dtypeInfo } from "../../../src/space/dtype.ts";
import { sizeOf } from "../../../src/space/shape.ts";
import type { Cell, Subject } from "./cells.ts";
import { bytesOf } from "./told.ts";

/** Samples of a text at most: a line per sample takes 50 times the room. */
const MOST_LINES = 2 ** 18;
/** In the place of losses that are named: what a picture is. */
const LOOK = "a picture is a look at an array";

/** Saves the array of `subject` to `path`; what is not equal to the last bit is compared with the samples in `path.samples`. */
export async function savedCell({ told, array }: Subject, path: string): Promise<Cell> {
  const size = sizeOf(told.shape), isPicture = path.endsWith(".png");
  if (path.endsWith(".csv") && size > MOST_LINES) return { end: "refused", why: "not tried: too many lines" };
  if (isPicture && size === 0) return { end: "refused", why: "an array without samples has no picture" };
  try {
    await save(array, path, isPicture ? pictureOptions(array.dtype) : {});
  } catch (error) {
    if (isTilewiseError(error, "unsupported")) return { end: "refused", why: error.message };
    return { end: "failed", problems: [(error as Error).message] };
  }
  await Deno.writeFile(`${path}.samples`, bytesOf(array.data));
  const { shape, dtype, sha256 } = told;
  return {
    end: "written",
    path,
    lost: isPicture ? LOOK : await lossesIn(array, path),
    asked: isPicture ? { shape, dtype, sha256, axes: [], values: usualValues(array.dtype) } : told,
    options: {},
    problems: [],
  };
}

/** Gray of 16 bits; integers are themselves, as far as they fit. */
function pictureOptions(dtype: Subject["array"]["dtype"]): SaveOptions {
  return { bits: 16, ...("uib".includes(dtypeInfo(dtype).kind) ? { range: [0, 65535] } : {}) };
}

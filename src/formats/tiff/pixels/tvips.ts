/**
 * Images of cameras of TVIPS: tag 37706 is the place of a header, in little-endian.
 *
 * ```
 * version 2   …  at 244: the second header, in which  2724: nm per pixel along x, y (f32)  3028: volts (f32)
 * ```
 * Source: EM-MENU's description, as tifffile has it.
 *
 * @module
 */

import { known } from "../../../dataset/facts.ts";
import { Fields } from "../../common/fields.ts";
import { TAG } from "../container/tags.ts";
import { type Described, type Pixels, squareAxes } from "./axes.ts";
import { perMetre } from "./resolution.ts";

/** Bytes of the first header, and of both. */
const FIRST = 244, BOTH = FIRST + 6068;
/** What stands at the end of the second header. */
const MAGIC = 0xaaaaaaaa;

/** The pixels of an image of TVIPS: of its header, or of its resolution, which is that of the object here. */
export async function tvipsPixels({ directory }: Described): Promise<Pixels | undefined> {
  const at = await directory.number(TAG.tvips);
  const { file } = directory;
  if (at === undefined || at + FIRST > file.size) return undefined;
  const length = Math.min(BOTH, file.size - at);
  const { bytes } = await file.read(at, length, "the header of TVIPS");
  const fields = new Fields(bytes, file.name, "little", at);
  if (length < BOTH || fields.u32(0) !== 2 || fields.u32(BOTH - 4) !== MAGIC) {
    const [y, x] = await perMetre(directory);
    return { axes: squareAxes(1 / y, 1 / x, "m"), metadata: { metadata: "TVIPS" } };
  }
  const step = (place: number): number => Number(fields.f32(FIRST + place).toPrecision(7));
  return {
    axes: squareAxes(step(2728), step(2724), "nm"),
    instrument: known({ voltage: step(3028) }),
    metadata: { metadata: "TVIPS" },
  };
}

/**
 * Axes of HyperSpy with uneven steps: the group of such an axis has an array of the positions of its samples.
 *
 * @module
 */

import type { SaidAxis } from "../../dataset/said_axes.ts";
import { asNumbers } from "../../space/numbers.ts";
import { firstOf } from "../common/first_samples.ts";
import { numbersOf } from "../common/numbers_of.ts";
import { layoutOf, type OpenedStore } from "./layout.ts";
import type { ZarrArray, ZarrNode } from "./node.ts";
import { arrayOfV2 } from "./v2.ts";
import { arrayOfV3 } from "./v3.ts";

/** The axes, with the positions that lie beside the array. */
export async function withPositions(
  axes: readonly SaidAxis[] | undefined,
  { node }: ZarrArray,
  nodes: ReadonlyMap<string, ZarrNode>,
  opened: OpenedStore,
): Promise<readonly SaidAxis[] | undefined> {
  const parent = node.path.replace(/[^/]*$/, "");
  return axes && await Promise.all(axes.map(async (axis, d) => {
    const values = nodes.get(`${parent}axis-${d}/axis`);
    const positions = values?.array ? await positionsIn(values, opened) : undefined;
    const { scale: _scale, offset: _offset, ...others } = axis;
    return positions ? { ...others, positions } : axis;
  }));
}

/** Most positions along an axis. */
const MOST = 2 ** 16;

/** The numbers of an array of one dimension; `undefined` for anything else. */
async function positionsIn(node: ZarrNode, opened: OpenedStore): Promise<number[] | undefined> {
  const array = node.version === 2 ? arrayOfV2(node) : arrayOfV3(node);
  const { shape, dtype, byteOrder } = array;
  if (shape.length !== 1 || shape[0]! > MOST || /complex|bool|float16/.test(dtype)) return undefined;
  const bytes = await firstOf(layoutOf(array, opened, 1), shape);
  return bytes && Array.from(asNumbers(numbersOf(bytes, dtype, byteOrder)));
}

/**
 * Facts about axes in other conventions than OME-Zarr: HyperSpy (zspy), xarray, names of dimensions; and which arrays only
 * describe others.
 *
 * @module
 */

import type { AxisFacts } from "../../dataset/facts.ts";
import { numbersIn, textIn } from "./json.ts";
import type { ZarrArray, ZarrNode } from "./node.ts";

/** Facts about the axes of an array; `undefined`: none are known. */
export function axesOf(array: ZarrArray, nodes: ReadonlyMap<string, ZarrNode>): AxisFacts[] | undefined {
  return hyperspyAxes(array, nodes) ?? namedAxes(array, nodes);
}

/** How HyperSpy writes that something is not known. */
const UNSET = /^(_None_|<undefined>)$/;

/** HyperSpy describes dimension `d` in the group `axis-d` beside the array. */
function hyperspyAxes(
  { node, shape }: ZarrArray,
  nodes: ReadonlyMap<string, ZarrNode>,
): AxisFacts[] | undefined {
  const parent = node.path.replace(/[^/]*$/, "");
  const groups = shape.map((_, d) => nodes.get(`${parent}axis-${d}`));
  if (shape.length === 0 || groups.some((group) => group === undefined)) return undefined;
  return groups.map((group) => {
    const { attributes } = group!;
    const [scale] = numbersIn({ scale: [attributes["scale"]] }, "scale") ?? [];
    const [offset] = numbersIn({ offset: [attributes["offset"]] }, "offset") ?? [];
    const [name, unit] = [textIn(attributes, "name"), textIn(attributes, "units")];
    return {
      ...(name && !UNSET.test(name) ? { name } : {}),
      ...(scale === undefined ? {} : { scale }),
      ...(offset === undefined ? {} : { offset }),
      ...(unit && !UNSET.test(unit) ? { unit } : {}),
    };
  });
}

/** Names of dimensions, as version 3 and xarray write them. */
function namedAxes({ names }: ZarrArray, _: ReadonlyMap<string, ZarrNode>): AxisFacts[] | undefined {
  if (!names?.some((name) => name !== undefined)) return undefined;
  return names.map((name) => name === undefined ? {} : { name });
}

/** Whether an array only describes others: coordinates along one dimension, or attributes kept in a scalar. */
export function isHelper({ node, shape, names }: ZarrArray, arrays: number): boolean {
  if (arrays < 2 || node.path === "") return false;
  const own = node.path.replace(/^.*\//, "");
  return shape.length === 0 || (shape.length === 1 && names?.[0] === own);
}

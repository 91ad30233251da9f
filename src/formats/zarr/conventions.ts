/**
 * Facts about axes in other conventions than OME-Zarr: HyperSpy (zspy), xarray, names of dimensions; and which arrays only
 * describe others.
 *
 * @module
 */

import { OWN_ATTRIBUTES } from "../../dataset/facts.ts";
import { type AxisFacts, factsOf, type ValueFacts } from "../../space/axes.ts";
import { AXIS_KINDS, VALUE_KINDS } from "../../space/meaning/kinds.ts";
import { unitOfQuantity, valuesSaid } from "../common/values.ts";
import { kindsBySignal, kindsByUnit } from "../common/kinds.ts";
import { numbersIn, objectIn, objectsIn, textIn } from "./json.ts";
import type { ZarrArray, ZarrNode } from "./node.ts";

/** Facts about the axes of an array; `undefined`: none are known. */
export function axesOf(array: ZarrArray, nodes: ReadonlyMap<string, ZarrNode>): AxisFacts[] | undefined {
  return ownAxes(array) ?? hyperspyAxes(array, nodes) ?? namedAxes(array);
}

/** What Tilewise has written. */
function ownAxes({ node: { attributes }, shape }: ZarrArray): AxisFacts[] | undefined {
  const axes = objectsIn(objectIn(attributes, OWN_ATTRIBUTES), "axes");
  if (axes.length === 0 || axes.length !== shape.length) return undefined;
  return axes.map((axis) => {
    const kind = AXIS_KINDS.find((one) => one === axis["kind"]);
    const { scale, offset, names } = axis;
    return factsOf({
      name: textIn(axis, "name"),
      kind,
      scale: typeof scale === "number" ? scale : undefined,
      offset: typeof offset === "number" ? offset : undefined,
      unit: textIn(axis, "unit"),
      positions: numbersIn(axis, "positions"),
      names: Array.isArray(names) ? names.map(String) : undefined,
      upwards: axis["upwards"] === true || undefined,
    });
  });
}

/**
 * What is known of the samples of an array: from Tilewise, from HyperSpy's quantity, or from the attributes of CF that xarray keeps.
 */
export function valuesOf(
  { node, dtype }: ZarrArray,
  nodes: ReadonlyMap<string, ZarrNode>,
): { readonly values?: ValueFacts } {
  const { attributes, path } = node;
  const { kind, unit, missing } = objectIn(objectIn(attributes, OWN_ATTRIBUTES), "values") ?? {};
  const own = VALUE_KINDS.find((one) => one === kind);
  if (own) return { values: { ...valuesSaid(dtype, { unit, missing }).values, kind: own } };
  const signal = nodes.get(`${path.replace(/[^/]*$/, "")}metadata/Signal`)?.attributes ?? {};
  const { units, _FillValue: fill, missing_value: other } = attributes;
  return valuesSaid(dtype, { unit: units ?? unitOfQuantity(signal["quantity"]), missing: fill ?? other });
}

/** How HyperSpy writes that something is not known. */
const UNSET = /^(_None_|<undefined>|t\.BaseUndefined)$/;

/** HyperSpy describes dimension `d` in the group `axis-d` beside the array. */
function hyperspyAxes(
  { node, shape }: ZarrArray,
  nodes: ReadonlyMap<string, ZarrNode>,
): AxisFacts[] | undefined {
  const parent = node.path.replace(/[^/]*$/, "");
  const groups = shape.map((_, d) => nodes.get(`${parent}axis-${d}`));
  if (shape.length === 0 || groups.some((group) => group === undefined)) return undefined;
  const axes = groups.map((group): AxisFacts => {
    const { attributes } = group!;
    const [scale] = numbersIn({ scale: [attributes["scale"]] }, "scale") ?? [];
    const [offset] = numbersIn({ offset: [attributes["offset"]] }, "offset") ?? [];
    const text = (key: string) => {
      const found = textIn(attributes, key);
      return found && !UNSET.test(found) ? found : undefined;
    };
    const [name, unit] = [text("name"), text("units")];
    const isPlain = scale === 1 && offset === 0 && unit === undefined; // what HyperSpy writes without a calibration
    return factsOf(isPlain ? { name } : { name, scale, offset, unit });
  });
  const said = groups.map((group) => group!.attributes["navigate"]);
  return said.every((one) => typeof one === "boolean")
    ? kindsBySignal(axes, said.map((one) => !one))
    : kindsByUnit(axes);
}

/** Names of dimensions, as version 3 and xarray write them. */
function namedAxes({ names }: ZarrArray): AxisFacts[] | undefined {
  if (!names?.some((name) => name !== undefined)) return undefined;
  return kindsByUnit(names.map((name) => name === undefined ? {} : { name }));
}

/** Whether an array only describes others: coordinates along one dimension, or attributes kept in a scalar. */
export function isHelper({ node, shape, names }: ZarrArray, arrays: number): boolean {
  if (arrays < 2 || node.path === "") return false;
  const own = node.path.replace(/^.*\//, "");
  return shape.length === 0 || /(^|\/)axis-\d+\//.test(node.path) ||
    (shape.length === 1 && names?.[0] === own);
}

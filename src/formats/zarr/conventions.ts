/**
 * Facts about axes in other conventions than OME-Zarr: HyperSpy (zspy), xarray, names of dimensions; and which arrays only
 * describe others.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { OWN_ATTRIBUTES } from "../../dataset/facts.ts";
import type { SaidAxis } from "../../dataset/said_axes.ts";
import { type AxisFacts, factsOf, type ValueFacts } from "../../space/axes.ts";
import { AXIS_KINDS, VALUE_KINDS } from "../../space/meaning/kinds.ts";
import { kindsByUnit } from "../../space/meaning/said_kinds.ts";
import { firstOf } from "../common/first_samples.ts";
import { cfFacts, scalingOf } from "../common/cf.ts";
import { coordinatesOf, positionsOf } from "../common/coordinates.ts";
import type { BesideSamples } from "../common/hyperspy.ts";
import { scaleWarnings, signalDimensions, unitOfQuantity, unitOfSame, valuesSaid } from "../common/kinds.ts";
import { type Json, numbersIn, objectIn, objectsIn, textIn } from "./json.ts";
import { layoutOf, type OpenedStore } from "./layout.ts";
import type { ImageLevel } from "./ome.ts";
import type { ZarrArray, ZarrNode } from "./node.ts";
import { arrayOfV2, arrayOfV3 } from "./arrays.ts";

/** Facts about the axes of an array; `undefined`: none are known. */
export async function axesOf(
  array: ZarrArray,
  nodes: ReadonlyMap<string, ZarrNode>,
  opened: OpenedStore,
): Promise<SaidAxis[] | undefined> {
  const { path } = array.node, isData = /(^|\/)data$/.test(path);
  const positionsAt = async (own: string) => {
    const values = nodes.get(parentOf(path) + own);
    return values?.array && await positionsIn(values, opened);
  };
  const beside = besideOf(array.node, nodes);
  if (ownAxes(array) || !beside("axis-0")) return ownAxes(array) ?? await namedAxes(array, nodes, opened);
  const { hyperspyAxes, withColours } = await import("../common/hyperspy.ts");
  const { shape, inner = [] } = array;
  const axes = await hyperspyAxes(beside, shape.length - inner.length, isData, positionsAt);
  return axes ? withColours(inner, axes) : await namedAxes(array, nodes, opened);
}

/** The groups beside an array. */
function besideOf({ path }: ZarrNode, nodes: ReadonlyMap<string, ZarrNode>): BesideSamples {
  return (own) => nodes.get(parentOf(path) + own)?.attributes;
}

/** The path of the group of an array, with a slash behind it, or empty. */
function parentOf(path: string): string {
  return path.replace(/[^/]*$/, "");
}

/** What Tilewise has written. */
function ownAxes(array: ZarrArray): AxisFacts[] | undefined {
  const axes = axesIn(objectIn(array.node.attributes, OWN_ATTRIBUTES), "axes");
  return axes.length === 0 ? undefined : axes;
}

function axesIn(own: Json, key: "axes" | "of"): AxisFacts[] {
  return objectsIn(own, key).map((axis) => {
    const kind = AXIS_KINDS.find((one) => one === axis["kind"]);
    const { scale, offset, names } = axis,
      unit = textIn(axis, "unit"),
      positions = numbersIn(axis, "positions");
    return factsOf({
      name: textIn(axis, "name"),
      kind,
      scale: typeof scale === "number" ? scale : unit && !positions && key === "axes" ? 1 : undefined,
      offset: typeof offset === "number" ? offset : undefined,
      unit,
      positions,
      names: Array.isArray(names) ? names.map(String) : undefined,
      upwards: axis["upwards"] === true || undefined,
      signal: textIn(axis, "signal"),
    });
  });
}

/**
 * What is known of the samples of an array: from Tilewise, from the `image` of OME-Zarr that it is a level of, from HyperSpy's
 * quantity, or from the attributes of CF that xarray keeps.
 */
export function valuesOf(
  array: ZarrArray,
  nodes: ReadonlyMap<string, ZarrNode>,
  image: Pick<ImageLevel, "of" | "isLabel"> | undefined,
): { readonly values?: ValueFacts } {
  const { node, node: { attributes }, dtype } = array;
  const said = objectIn(objectIn(attributes, OWN_ATTRIBUTES), "values"), { kind, unit, missing } = said;
  const of = image?.of ?? axesIn(said, "of");
  const own = image?.isLabel ? "label" : VALUE_KINDS.find((one) => one === kind);
  if (own) return { values: { ...valuesSaid(dtype, { unit, missing, of }).values, kind: own } };
  const quantity = besideOf(node, nodes)("metadata/Signal")?.["quantity"];
  const amounts = unitOfSame(scalingOf(attributes)) ?? unitOfQuantity(quantity);
  return valuesSaid(dtype, { ...cfFacts(cfAttributes(array), dtype), unit: amounts, of });
}

/** What attributes of CF say of samples that is not in {@link valuesOf}. */
export function toldOf(array: ZarrArray): string[] {
  const attributes = cfAttributes(array);
  return [...scaleWarnings(scalingOf(attributes)), ...cfFacts(attributes, array.dtype).warnings];
}

/** In version 2, xarray keeps the number of missing samples as that of chunks which are not there. */
function cfAttributes({ node: { version, array, attributes }, names }: ZarrArray): Json {
  const fill = version === 2 && names ? array?.["fill_value"] : undefined;
  return { ...attributes, ...defined({ _FillValue: fill ?? undefined }) };
}

/** The dimensions of a frame, where Tilewise or HyperSpy says them. */
export function frameOf(
  { node, shape, inner = [] }: ZarrArray,
  nodes: ReadonlyMap<string, ZarrNode>,
): number[] | undefined {
  const { nav } = objectIn(node.attributes, OWN_ATTRIBUTES) ?? {};
  if (typeof nav === "number" && nav < shape.length) return signalDimensions(shape.map((_, d) => d < nav));
  const beside = besideOf(node, nodes);
  const rank = shape.length - inner.length;
  return signalDimensions(shape.map((_, d) => d < rank && beside(`axis-${d}`)?.["navigate"]));
}

/** The coordinates of a dimension: in the group of the array, or in one that it lies in, as trees of xarray have them. */
function coordinateOf(
  path: string,
  name: string,
  nodes: ReadonlyMap<string, ZarrNode>,
): ZarrNode | undefined {
  const steps = path.split("/").slice(0, -1);
  const folders = steps.map((_, n) => steps.slice(0, steps.length - n).join("/") + "/");
  return [...folders, ""].map((folder) => nodes.get(folder + name)).find((node) => node?.array);
}

/** Names of dimensions, as version 3 and xarray write them, with the coordinates that xarray keeps in an array of that name. */
async function namedAxes(
  { node: { path }, names }: ZarrArray,
  nodes: ReadonlyMap<string, ZarrNode>,
  opened: OpenedStore,
): Promise<SaidAxis[] | undefined> {
  if (!names?.some((name) => name !== undefined)) return undefined;
  const axes = await Promise.all(names.map(async (name): Promise<SaidAxis> => {
    const own = name === undefined ? undefined : coordinateOf(path, name, nodes);
    if (!own?.array || own.path === path) return defined({ name });
    const values = await positionsIn(own, opened);
    return { name: name!, ...coordinatesOf(values, own.attributes), ...defined({ size: values?.length }) };
  }));
  return kindsByUnit(axes);
}

/** Whether an array only describes others: coordinates along one dimension, or attributes kept in a scalar. */
export function isHelper({ node, shape, names }: ZarrArray, arrays: number): boolean {
  if (arrays < 2 || node.path === "") return false;
  const own = node.path.replace(/^.*\//, "");
  return shape.length === 0 || /(^|\/)axis-\d+\//.test(node.path) ||
    (shape.length === 1 && names?.[0] === own);
}

/** Most positions along an axis. */
const MOST = 2 ** 16;

/** The numbers of an array of one dimension; `undefined` for anything else. */
async function positionsIn(node: ZarrNode, opened: OpenedStore): Promise<number[] | undefined> {
  const array = node.version === 2 ? arrayOfV2(node) : arrayOfV3(node);
  const { shape, dtype, byteOrder } = array;
  if (shape.length !== 1 || shape[0]! > MOST || /complex|bool|float16/.test(dtype)) return undefined;
  const bytes = await firstOf(layoutOf(array, opened, 1), shape);
  return bytes && positionsOf(bytes, dtype, byteOrder, node.attributes);
}

/**
 * What a group `NXdata` of NeXus says of its arrays: axes by name, or by number as before 2014, and the scale of numbers.
 *
 * ```
 * …/counts  … {signal: counts, axes: [y, x, ., .]}    …/y {units}  …/x {units}  …/counts_scaling_factor  …/counts_offset
 * …/counts {signal: 1, axes: "y:x"}    or    …/counts {signal: 1}  …/y {axis: 1}  …/x {axis: 2}
 * ```
 *
 * @module
 */

import { defined } from "../../../options.ts";
import type { SaidAxis } from "../../../dataset/said_axes.ts";
import { coordinatesOf } from "../../common/coordinates.ts";
import { named } from "../../common/hyperspy.ts";
import type { Hdf5Array } from "../arrays/arrays.ts";
import { type Attributes, type PlainValue, readAttributes } from "../metadata/attributes.ts";
import type { Hdf5File } from "../metadata/file.ts";
import { readMessages } from "../metadata/object_header.ts";
import { datasetAt, type Found, type Hdf5Dataset, type OpenExternal, resolve } from "../metadata/objects.ts";
import { plainOf, smallNumbers } from "./small_reads.ts";

/** Values of an axis that are read, to see whether they are evenly spaced. */
const MOST_VALUES = 65536;

/** The axes that the attribute `axes` names, of the group or of the array (`.` is one without values), or that say their number. */
export async function nexusAxes(
  { dataset }: Hdf5Array,
  parent: string,
  found: Found,
): Promise<(SaidAxis | undefined)[] | undefined> {
  const { path, space: { shape } } = dataset;
  const group = found.groups.get(parent);
  const own = await readAttributes(dataset.file, dataset.messages);
  const said = group?.axes ?? own.axes;
  const names = typeof said === "string"
    ? said.replace(/^\[|\]$/g, "").split(/[,:\s]+/)
    : said ?? (isSignal(own) ? await numbered(parent, shape.length, found) : undefined);
  if (!Array.isArray(names)) return undefined;
  const isMeant = own.axes !== undefined || path === `${parent}/${group?.signal}`; // beside it are others, such as the axes
  if (names.length !== shape.length && !isMeant) return undefined;
  return await Promise.all(names.map(async (name, d) => {
    const axis = datasetAt(found, `${parent}/${name}`);
    return axis && await axisOf(axis, String(name), shape[d], found);
  }));
}

/** Dimensions of what one sees at a time, by the word of NeXus for it. */
const INTERPRETED: Readonly<Record<string, number>> = {
  spectrum: 1,
  image: 2,
  "rgb-image": 3,
  "rgba-image": 3,
};

/** For each dimension whether it is one of a spectrum or an image, where the array, or the group that is about it, says that. */
export async function interpreted(
  { dataset: { path, file, messages, space: { shape } } }: Hdf5Array,
  parent: string,
  { groups }: Found,
): Promise<boolean[] | undefined> {
  const own = await readAttributes(file, messages), group = groups.get(parent);
  const said = own.interpretation ??
    (path === `${parent}/${group?.signal}` ? group?.interpretation : undefined);
  const count = INTERPRETED[String(said)] ?? Infinity;
  return count > shape.length ? undefined : shape.map((_, d) => d >= shape.length - count);
}

/** Whether attributes are those of the array that a group is about, as before 2014. */
function isSignal({ signal }: Attributes): boolean {
  return Number(signal) === 1;
}

/** Names of the arrays that say along which of `count` dimensions they lie; where several do, of the primary one. */
async function numbered(parent: string, count: number, { datasets }: Found): Promise<string[] | undefined> {
  const names: string[] = new Array(count).fill(".");
  for (const { path, space, file, messages } of datasets) {
    if (space.shape.length !== 1 || path.replace(/\/[^/]*$/, "") !== parent) continue;
    const { axis, primary } = await readAttributes(file, messages), d = Number(axis ?? NaN) - 1;
    if (d in names && (names[d] === "." || Number(primary) === 1)) names[d] = path.slice(parent.length + 1);
  }
  return names.some((name) => name !== ".") ? names : undefined;
}

/** The arrays that say by an attribute that they are what their group is about. */
export async function signalsIn(arrays: readonly Hdf5Array[], { groups }: Found): Promise<Set<string>> {
  const signals = new Set<string>();
  for (const { dataset: { path, file, messages } } of arrays) {
    const group = groups.get(path.replace(/\/[^/]*$/, ""));
    if (!/^NX(data|detector)$/.test(String(group?.NX_class)) || group?.signal !== undefined) continue;
    if (isSignal(await readAttributes(file, messages))) signals.add(path);
  }
  return signals;
}

/** Where the attributes `default` lead to, from the root to the signal of a group; `undefined` if the root has none. */
export async function defaultIn(file: Hdf5File, openExternal: OpenExternal): Promise<string | undefined> {
  let path = "";
  for (let hops = 0; hops < MOST_DEFAULTS; hops++) {
    const address = await resolve(file, path, openExternal);
    const said = address === undefined ? {} : await readAttributes(file, await readMessages(file, address));
    const next = said.default ?? said.signal;
    if (typeof next !== "string") break;
    path = next.startsWith("/") ? next : `${path}/${next}`;
    if (said.default === undefined) break;
  }
  return path === "" ? undefined : path;
}

/** Groups inside groups at most: attributes may lead around in a ring. */
const MOST_DEFAULTS = 16;

/** The axis with the values of this array; named `name` if it has no name. Values of the edges of `count` samples stand for their middles. */
export async function axisOf(
  dataset: Hdf5Dataset,
  name: string | undefined,
  count: number | undefined,
  found: Found,
): Promise<SaidAxis> {
  const attributes = await withScale(dataset, await readAttributes(dataset.file, dataset.messages), found);
  const { name: own, long_name: long } = attributes;
  const [length = 1] = dataset.space.shape;
  const stored = length <= MOST_VALUES ? await smallNumbers(dataset) : undefined;
  const isEdges = count !== undefined && length === count + 1;
  const values = isEdges ? stored?.slice(1).map((end, n) => (stored[n]! + end) / 2) : stored;
  const title = typeof own === "string" && own !== "" ? own : name ?? long;
  const size = dataset.space.shape.length === 1 && !isEdges ? { size: length } : {};
  return { ...named(title), ...coordinatesOf(values, attributes), ...size };
}

/** Attributes of an array with the scale that NeXus keeps in arrays beside it. */
export async function withScale(
  { path }: Hdf5Dataset,
  attributes: Attributes,
  found: Found,
): Promise<Attributes> {
  const parent = path.replace(/\/[^/]*$/, ""), { NX_class: kind, signal } = found.groups.get(parent) ?? {};
  if (kind !== "NXdata") return attributes;
  const isMain = path === `${parent}/${signal}` || isSignal(attributes);
  const beside = async (name: string): Promise<PlainValue | undefined> => {
    const one = datasetAt(found, `${path}_${name}`) ??
      (isMain ? datasetAt(found, `${parent}/${name}`) : undefined);
    return one && (await plainOf(one) ?? `the array ${one.path}`);
  };
  const [factor, offset] = [await beside("scaling_factor"), await beside("offset")];
  return {
    ...attributes,
    ...defined({ scaling_factor: factor ?? (offset === undefined ? undefined : 1), offset }),
  };
}

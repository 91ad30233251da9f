/**
 * The arrays of a Zarr store as data sets; loaded when a store is opened.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { StoredDataset } from "../../dataset/dataset.ts";
import type { Level } from "../../dataset/facts.ts";
import { axesThatFit } from "../../dataset/said_axes.ts";
import type { TilewiseError } from "../../errors.ts";
import { type KnownStore, ListStore, noStore, ZipStore } from "../../io/store/entries.ts";
import { isKey, keyError } from "../../io/store/store.ts";
import { dtypeInfo } from "../../space/dtype.ts";
import { sizeOf } from "../../space/shape.ts";
import { fileDataset, splitShape } from "../common/arrange.ts";
import { noSuchArray } from "../common/array_names.ts";
import type { FormatInput, Listed, Some, Wanted } from "../common/format.ts";
import { signedAs } from "../common/cf.ts";
import { asStored, splitAsSaid, splitOf } from "../common/kinds.ts";
import type { OpenOptions } from "../common/options.ts";
import { MARKS } from "../common/store_input.ts";
import { severalStores, storeRoots } from "../common/store_roots.ts";
import { isZip } from "../common/zip_names.ts";
import { axesOf, frameOf, isHelper, toldOf, valuesOf } from "./conventions.ts";
import { unsupported } from "./json.ts";
import { foundKeys, layoutOf, type OpenedStore } from "./layout.ts";
import type { ZarrArray, ZarrNode } from "./node.ts";
import { type ImageLevel, imagesOf } from "./ome.ts";
import { NO_NUMBERS } from "./codecs.ts";
import { arrayOfV2, arrayOfV3 } from "./arrays.ts";
import { isOfContents, Walk } from "./walk.ts";

// The store behind the input of the format: a folder, URLs, files of a list, or an archive.

/** The store of `input`. */
export async function storeOf(input: FormatInput, signal?: AbortSignal): Promise<OpenedStore> {
  const { source, store } = input;
  if (isZip(input.head) && !store) return known(await ZipStore.open(source, MARKS, signal));
  if (!store) throw noStore(source.name);
  if (store.kind === "list") return known(listOf(input));
  if (store.kind === "web") return { store: store.store, keyed: store.store.describe() };
  const { FolderStore } = await import("../../io/store/folder.ts");
  const spec = {
    kind: "folder",
    path: store.path,
    since: store.since,
    ...defined({ root: store.root }),
  } as const;
  return { store: new FolderStore(spec), keyed: spec };
}

function known(store: KnownStore): OpenedStore {
  return { store, known: store };
}

/** The files of a list by their keys: what follows the folder of the store. Errors: `not-a-file` if there are several. */
function listOf({ given }: FormatInput): ListStore {
  const names = given.map(({ name }) => name.replaceAll("\\", "/"));
  const stores = storeRoots(names);
  if (stores.length > 1) throw severalStores("the list of files", stores);
  const folder = stores[0] === "" ? "" : `${stores[0]}/`;
  const files = new Map<string, (typeof given)[number]>();
  names.forEach((name, i) => {
    if (!name.startsWith(folder)) return;
    const key = name.slice(folder.length);
    if (!isKey(key)) throw keyError(folder, key);
    files.set(key, given[i]!);
  });
  return new ListStore(folder.replace(/\/$/, "") || "the list of files", files);
}

/** An array that may be wanted. */
interface Candidate {
  readonly array: ZarrArray;
  readonly image?: ImageLevel;
}

/** Opens the wanted arrays of a store. */
export async function openSome(input: FormatInput, options: OpenOptions, wanted: Wanted): Promise<Some> {
  const opened = await storeOf(input, options.signal);
  const name = input.store?.name ?? input.source.name;
  const asked = options.level === undefined ? options.array : undefined; // other levels have other names
  const walk = new Walk(opened.store, options.signal);
  const nodes = await nodesFor(walk, asked);
  const { candidates, problems } = understand(nodes, asked);
  problems.push(...walk.problems);
  if (candidates.length === 0) throw nothing(name, nodes, problems, asked);
  const helpers = new Set(candidates.filter(({ array }) => isHelper(array, candidates.length)));
  const told = problems.filter(({ details }) => details.found !== NO_NUMBERS); // arrays of texts are left out
  if (told.length > 0 && helpers.size === candidates.length) throw told[0]!;
  const { largest = false, most = Infinity } = wanted;
  const first = options.array === undefined ? firstImage(candidates) : [],
    isFirst = largest && first.length > 0;
  const some = (isFirst ? first : candidates).slice(0, most);
  const opening = { input, options, opened, name, ...indexOf(nodes, candidates) };
  const arrays: StoredDataset[] = [];
  for (const one of some) {
    const dataset = await datasetOf(one, opening).catch((error: unknown) => {
      if (!isOfContents(error) || asked !== undefined) throw error;
      told.push(error);
    });
    const auxiliary = helpers.has(one) && options.array === undefined;
    if (dataset) arrays.push(new StoredDataset({ ...dataset, auxiliary }));
  }
  if (arrays.length === 0) throw told[0]!;
  const taken = new Set(some);
  const others = new Set(candidates.filter((one) => !taken.has(one)));
  return {
    arrays: arrays.map((one) => withProblems(one, told)),
    left: [...others].map((one) => ({ ...listed(one), auxiliary: helpers.has(one) })),
    ...(isFirst ? { taken: "the first image" } : {}),
    ...defined({ main: mainOf(first, arrays) }),
  };
}

/** The largest level of the first image that is among `arrays`. */
function mainOf(levels: readonly Candidate[], arrays: readonly StoredDataset[]): string | undefined {
  const there = new Set(arrays.map(({ array }) => array));
  return levels[0]?.image?.paths.map((path) => path || "/").find((name) => there.has(name));
}

/** The array with warnings about arrays that cannot be read. */
function withProblems(dataset: StoredDataset, problems: readonly TilewiseError[]): StoredDataset {
  const some = problems.slice(0, MOST_PROBLEMS).map(({ message }) => message);
  const more = problems.length - some.length;
  const warnings = [...dataset.warnings, ...some, ...(more > 0 ? [`and ${more} more such problems`] : [])];
  return new StoredDataset({ ...dataset, warnings });
}

/** Groups and arrays by their paths, and the shapes of all arrays that can be read. */
function indexOf(
  nodes: readonly ZarrNode[],
  candidates: readonly Candidate[],
): Pick<Opening, "byPath" | "shapes"> {
  const known = new Map(candidates.map(({ array }) => [array.node.path, array.shape]));
  const { candidates: beside } = understand(nodes.filter(({ path }) => !known.has(path)), undefined);
  return {
    byPath: new Map(nodes.map((node) => [node.path, node])),
    shapes: new Map([...known, ...beside.map(({ array }) => [array.node.path, array.shape] as const)]),
  };
}

/** An array that is not opened. */
function listed({ array: { node, shape, dtype } }: Candidate): Listed {
  return { array: nameOf(node), byteLength: sizeOf(shape) * dtypeInfo(dtype).itemSize };
}

/** Groups and arrays: all, or, if it can be found directly, the array that is asked for with what describes it. */
async function nodesFor(walk: Walk, asked: string | undefined): Promise<ZarrNode[]> {
  const alone = asked === undefined ? [] : await walk.alone(asked.replace(/^\/+|\/+$/g, ""));
  return alone.length > 0 ? alone : await walk.nodes();
}

/** Problems that are told. */
const MOST_PROBLEMS = 8;

/** The arrays that can be read, and why others cannot. */
function understand(
  nodes: readonly ZarrNode[],
  asked: string | undefined,
): { candidates: Candidate[]; problems: TilewiseError[] } {
  const images = imagesOf(nodes);
  const candidates: Candidate[] = [], problems: TilewiseError[] = [];
  for (const node of nodes) {
    if (!node.array || !isWanted(node, asked)) continue;
    try {
      const array = node.version === 2 ? arrayOfV2(node) : arrayOfV3(node);
      const image = images.get(node.path), dtype = signedAs(array.dtype, node.attributes);
      candidates.push({ array: { ...array, dtype }, ...defined({ image }) });
    } catch (error) {
      if (!isOfContents(error) || asked !== undefined) throw error;
      problems.push(error);
    }
  }
  return { candidates, problems };
}

/** The name of an array: its path in the store, `/` for the store itself. */
function nameOf({ path }: Pick<ZarrNode, "path">): string {
  return path || "/";
}

/** Slashes at the ends of names need not be typed. */
function isWanted(node: ZarrNode, asked: string | undefined): boolean {
  return asked === undefined || asked.replace(/^\/+|\/+$/g, "") === node.path;
}

/** The levels of the first image that shows no labels, if there is one. */
function firstImage(candidates: readonly Candidate[]): Candidate[] {
  const images = candidates.filter(({ image }) => image);
  const first = images.find(({ image }) => !image!.isLabel) ?? images[0];
  const paths = new Set(first?.image?.paths);
  return candidates.filter(({ array }) => paths.has(array.node.path));
}

/** What is common to the arrays of a store. */
interface Opening {
  readonly input: FormatInput;
  readonly options: OpenOptions;
  readonly opened: OpenedStore;
  readonly name: string;
  readonly byPath: ReadonlyMap<string, ZarrNode>;
  readonly shapes: ReadonlyMap<string, readonly number[]>;
}

async function datasetOf({ array: told, image }: Candidate, opening: Opening): Promise<StoredDataset> {
  const { input, options, opened, name, byPath } = opening;
  const { array, warning } = await foundKeys(told, opened.store, options.signal);
  const { node, shape, inner = [], codecs, chunk, shards } = array;
  const said = image && (image.saysAxes || image.axes.length === shape.length)
    ? image.axes
    : await axesOf(array, byPath, opened);
  const { axes, warnings: problems } = axesThatFit(`${nameOf(node)} of ${name}`, shape, said ?? []);
  const split = splitOf(shape, axes, options, 2 + inner.length, frameOf(array, byPath));
  const [navShape, sigShape] = splitShape(shape, split.sig, name);
  const layout = layoutOf(array, opened, sigShape.length);
  const { levels, warnings: missing } = image
    ? levelsOf(image, opening.shapes)
    : { levels: [], warnings: [] };
  const level = levels.findIndex((one) => one.array === nameOf(node));
  const dataset = fileDataset({ ...input, source: { name } }, {
    array: options.level === undefined ? options.array ?? nameOf(node) : nameOf(node),
    images: sizeOf(navShape),
    navShape,
    sigShape,
    keepsFrames: "it is stored in chunks",
    layout,
    warnings: (given) => [
      ...given.warnings,
      ...(warning === undefined ? [] : [warning]),
      ...missing,
      ...(image?.problems ?? []),
      ...problems,
      ...toldOf(array),
    ],
    axes,
    ...valuesOf(array, byPath, image),
    ...(levels.length > 1 && level >= 0 ? { level, levels } : {}),
    metadata: {
      path: nameOf(node),
      zarrFormat: node.version,
      chunks: chunk,
      ...(shards.length > 0 ? { shards: shards[0]!.shape } : {}),
      codecs,
      ...image?.metadata,
      attributes: node.attributes,
    },
  }, asStored(options, split));
  return await splitAsSaid(dataset, split, options);
}

/** The levels that are there, and what is to be said of those that are not. */
function levelsOf({ paths }: ImageLevel, shapes: Opening["shapes"]): { levels: Level[]; warnings: string[] } {
  const first = paths.map((path) => shapes.get(path)).find((shape) => shape !== undefined) ?? [];
  const levels = paths.flatMap((path): Level[] => {
    const shape = shapes.get(path);
    if (shape?.length !== first.length) return [];
    return [{ array: path || "/", shape, scale: shape.map((n, d) => n === 0 ? 1 : first[d]! / n) }];
  });
  const there = new Set(levels.map(({ array }) => array));
  const missing = paths.filter((path) => !there.has(path || "/")).map((path) => `"${path}"`);
  const text = `Of the ${paths.length} levels that the image names, ${missing.join(", ")} ` +
    `${missing.length === 1 ? "is" : "are"} not there or cannot be read: only the others are used`;
  return { levels, warnings: missing.length > 0 ? [text] : [] };
}

/** Why there is no array. */
function nothing(
  name: string,
  nodes: readonly ZarrNode[],
  problems: readonly TilewiseError[],
  asked: string | undefined,
): TilewiseError {
  if (asked === undefined && problems.length > 0) return problems[0]!;
  const arrays = nodes.filter(({ array }) => array);
  if (asked === undefined) {
    const hint = arrays.length === 0 && nodes.length > 0
      ? "it has groups only; over HTTP, arrays are found by consolidated metadata or those of OME-Zarr"
      : "it has none";
    return unsupported(name, `there is no array of numbers in it: ${hint}`);
  }
  return noSuchArray(name, asked, arrays.map(nameOf));
}

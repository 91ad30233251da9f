/**
 * From an array to a layout: where its chunks lie.
 *
 * @module
 */

import { defined } from "../../options.ts";
import type { ChunkLayout } from "../../dataset/layout/chunks.ts";
import { gridOfEntries, keyOf } from "../../dataset/layout/keyed.ts";
import { type FileSpan, type FrameLayout, frameLayout } from "../../dataset/layout/layout.ts";
import type { SourceSpec } from "../../io/source/source.ts";
import type { KnownStore } from "../../io/store/entries.ts";
import type { Store, StoreSpec } from "../../io/store/store.ts";
import { dtypeInfo } from "../../space/dtype.ts";
import { ravel, type Shape, sizeOf } from "../../space/shape.ts";
import { malformed, unsupported } from "./json.ts";
import type { Keys, ZarrArray } from "./node.ts";

/** A store, and how readers of chunks reach it. */
export interface OpenedStore {
  /** The store. */
  readonly store: Store;
  /** How to open it again, where chunks are found by keys. */
  readonly keyed?: StoreSpec;
  /** The same store, where all entries are known. */
  readonly known?: KnownStore;
}

/** Bytes that the header of an entry of an archive may add. */
const HEADER_BYTES = 2 * 65536;

/** The layout of an array whose last `sig` dimensions are frames. */
export function layoutOf(array: ZarrArray, opened: OpenedStore, sig: number): FrameLayout {
  const { shape, chunk, dtype, byteOrder, fill, filters, shards, most, node } = array;
  const nav = shape.slice(0, shape.length - sig);
  const common: Omit<ChunkLayout, "addresses" | "sizes" | "masks"> = {
    shape,
    chunk,
    itemSize: dtypeInfo(dtype).itemSize,
    filters,
    plainEdges: false,
    most,
    ...defined({ fill }),
    ...(shards.length > 0 ? { shards } : {}),
  };
  const images = sizeOf(nav);
  const spanOf = (source: SourceSpec): FileSpan => ({ source, start: 0, end: images, headerBytes: 0 });
  const { chunks, sources } = opened.known
    ? indexed(array, common, opened.known)
    : { chunks: byKey(array, common, opened.keyed!), sources: [node.source] };
  return {
    ...frameLayout({ files: sources.map(spanOf), sigShape: shape.slice(nav.length), dtype, byteOrder }),
    storage: { kind: "chunks", chunks },
  };
}

type Common = Omit<ChunkLayout, "addresses" | "sizes" | "masks">;

function byKey({ keys }: ZarrArray, common: Common, store: StoreSpec): ChunkLayout {
  const nothing = { addresses: new Float64Array(0), sizes: new Uint32Array(0), masks: new Uint32Array(0) };
  return { ...common, ...nothing, keyed: { store, ...keys } };
}

/** Chunks with addresses: those of the entries whose keys are those of chunks. */
function indexed(
  array: ZarrArray,
  common: Common,
  store: KnownStore,
): { chunks: ChunkLayout; sources: SourceSpec[] } {
  const { node, most, shards, filters } = array;
  const grid = gridOfEntries(common);
  const count = grid.reduce((product, n) => product * n, 1);
  const entries = [...chunksIn(store, array, grid)];
  if (count > Math.max(MOST_SPARSE, 16 * entries.length)) {
    const text = `of its ${count} chunks, ${entries.length} exist: too few for a list or an archive`;
    throw unsupported(node.file, text);
  }
  const addresses = new Float64Array(count).fill(-1), sizes = new Uint32Array(count);
  const files = new Uint32Array(count), masks = new Uint32Array(count);
  const numbers = new Map<SourceSpec, number>();
  let isZip = false;
  for (const { cell, key } of entries) {
    const { source, at, span, zip } = store.placeOf(key)!;
    isZip ||= zip !== undefined;
    if (shards.length === 0 && (zip?.packed ?? span) > most) {
      throw malformed(node.file, `its chunk ${key} has ${zip?.packed ?? span} bytes; it may have ${most}`);
    }
    if ((zip?.packed ?? span) > MOST_SPAN) {
      const text = `its entry ${key} has more than 4 GiB, which is read from folders and servers only`;
      throw unsupported(node.file, text);
    }
    addresses[cell] = at;
    sizes[cell] = zip ? Math.min(span, zip.packed + HEADER_BYTES) : span;
    if (!numbers.has(source)) numbers.set(source, numbers.size);
    files[cell] = numbers.get(source)!;
  }
  const sources = numbers.size > 0 ? [...numbers.keys()] : [node.source];
  const placed = { addresses, sizes, masks, ...(sources.length > 1 ? { files } : {}) };
  if (!isZip) return { chunks: { ...common, ...placed }, sources };
  const unzip = { name: "zip-entry", values: [] };
  const [first, ...inner] = shards;
  const chunks = first
    ? { ...common, ...placed, shards: [{ ...first, filters: [...first.filters, unzip] }, ...inner] }
    : { ...common, ...placed, filters: [...filters, unzip], most: most + HEADER_BYTES };
  return { chunks, sources };
}

/** Most bytes of an entry whose size is kept. */
const MOST_SPAN = 2 ** 32 - 1 - HEADER_BYTES;

/** Most chunks of an array whose chunks have addresses, unless a good part of them exists. */
const MOST_SPARSE = 2 ** 22;

/** The entries that are chunks of an array. */
function* chunksIn(
  store: KnownStore,
  { node, keys }: ZarrArray,
  grid: Shape,
): Generator<{ cell: number; key: string }> {
  const coordinates = (keys.order ?? grid).length;
  if (coordinates === 0) {
    if (store.placeOf(keys.scalar)) yield { cell: 0, key: keys.scalar };
    return;
  }
  for (const key of store.below(node.path)) {
    if (!key.startsWith(keys.prefix)) continue;
    const parts = key.slice(keys.prefix.length).split(keys.separator);
    if (parts.length !== coordinates || !parts.every((part) => /^(0|[1-9]\d{0,15})$/.test(part))) continue;
    const at = grid.map((_, d) => Number(parts[d] ?? 0));
    if (at.every((n, d) => n < grid[d]!)) yield { cell: ravel(at, grid), key };
  }
}

// The separator in the keys of chunks, as it is stored: some writers name folders (`0/0`) and documents say that names have
// dots (`0.0`), or say nothing. Such an array would read as one that was never written.

/** An array with the keys that its chunks have, and what to say if its document says others. */
interface FoundKeys {
  /** The array. */
  readonly array: ZarrArray;
  /** Why it has other keys. */
  readonly warning?: string;
}

/** The array with the other separator, where no chunk has the one of its document, and some have the other. */
export async function foundKeys(array: ZarrArray, store: Store, signal?: AbortSignal): Promise<FoundKeys> {
  const { keys, node, shape } = array;
  const grid = gridOfEntries(array), first = grid.map(() => 0);
  const other = otherKeys(keys);
  const isSame = keyOf(keys, first) === keyOf(other, first);
  const isAsked = store.list !== undefined || saysNothing(array); // a server is asked where that was usual
  if (shape.length === 0 || grid.includes(0) || isSame || !isAsked) return { array };
  if (await store.has(keyOf(keys, first), signal)) return { array };
  const isOther = await store.has(keyOf(other, first), signal) ||
    await onlyOther(store, node.path, other.separator);
  if (!isOther) return { array };
  const warning = `The chunks of ${node.path || "/"} are read by names with "${other.separator}", as they ` +
    `are stored; ${node.file} says "${keys.separator}"`;
  return { array: { ...array, keys: other }, warning };
}

/** The first versions of Zarr 2 had no word for the separator. */
function saysNothing({ node }: ZarrArray): boolean {
  return node.version === 2 && node.array?.["dimension_separator"] === undefined;
}

function otherKeys({ prefix, separator, scalar, ...others }: Keys): Keys {
  const other = separator === "/" ? "." : "/";
  const isPart = prefix.endsWith(`c${separator}`) && scalar.endsWith("c");
  return { prefix: isPart ? prefix.slice(0, -1) + other : prefix, separator: other, scalar, ...others };
}

/** Whether the folder of the array has chunks with the other separator only: the first chunk may be missing. */
async function onlyOther(store: Store, folder: string, separator: "." | "/"): Promise<boolean> {
  const found = await store.list?.(folder) ?? [];
  const hasFlat = found.some(({ name, isFolder }) => !isFolder && /^(c|\d+)(\.\d+)+$/.test(name));
  const hasNested = found.some(({ name, isFolder }) => isFolder && /^(c|\d+)$/.test(name));
  return separator === "/" ? hasNested && !hasFlat : hasFlat && !hasNested;
}

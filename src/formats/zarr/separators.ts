/**
 * The separator in the keys of chunks, as it is stored: some writers name folders (`0/0`) and documents say that names have
 * dots (`0.0`), or say nothing. Such an array would read as one that was never written.
 *
 * @module
 */

import { gridOfEntries } from "../../dataset/layout/keyed.ts";
import type { Store } from "../../io/store/store.ts";
import type { Keys, ZarrArray } from "./node.ts";

/** An array with the keys that its chunks have, and what to say if its document says others. */
export interface FoundKeys {
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
  const isSame = keyAt(keys, first) === keyAt(other, first);
  const isAsked = store.list !== undefined || saysNothing(array); // a server is asked where that was usual
  if (shape.length === 0 || grid.includes(0) || isSame || !isAsked) return { array };
  if (await store.has(keyAt(keys, first), signal)) return { array };
  const isOther = await store.has(keyAt(other, first), signal) ||
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

function otherKeys({ prefix, separator, scalar }: Keys): Keys {
  const other = separator === "/" ? "." : "/";
  const isPart = prefix.endsWith(`c${separator}`) && scalar.endsWith("c");
  return { prefix: isPart ? prefix.slice(0, -1) + other : prefix, separator: other, scalar };
}

function keyAt({ prefix, separator }: Keys, at: readonly number[]): string {
  return prefix + at.join(separator);
}

/** Whether the folder of the array has chunks with the other separator only: the first chunk may be missing. */
async function onlyOther(store: Store, folder: string, separator: "." | "/"): Promise<boolean> {
  const found = await store.list?.(folder) ?? [];
  const hasFlat = found.some(({ name, isFolder }) => !isFolder && /^(c|\d+)(\.\d+)+$/.test(name));
  const hasNested = found.some(({ name, isFolder }) => isFolder && /^(c|\d+)$/.test(name));
  return separator === "/" ? hasNested && !hasFlat : hasFlat && !hasNested;
}

/**
 * How large a virtual data set is whose sources may have grown since it was written: as far as its last source reaches,
 * which is how the HDF5 library shows it.
 *
 * @module
 */

import type { Hdf5Array } from "./arrays.ts";
import { isPattern, type Mapping, MOST_SOURCES, numbered, readMappings } from "./mappings.ts";
import { type Blocks, freeDim, positionsOf } from "./selection.ts";
import type { OpenSource } from "./virtual_sources.ts";

/** The array with the shape that its sources give it; as it is where they do not. */
export async function withExtent(array: Hdf5Array, openSource: OpenSource): Promise<Hdf5Array> {
  const mappings = await readMappings(array);
  const rank = array.dataset.space.shape.length;
  const found = new Map<number, number>();
  for (const mapping of mappings) {
    const d = freeDim(mapping.target);
    if (d === undefined || d >= rank) continue;
    found.set(d, Math.max(found.get(d) ?? 0, await reach(array, mapping, d, openSource)));
  }
  if (found.size === 0) return array;
  for (const { target } of mappings) { // those of fixed size are shown anyway
    if (freeDim(target) !== undefined || !target) continue;
    for (const [d, size] of found) {
      const last = positionsOf(target, array.shape)[d]?.at(-1) ?? -1;
      found.set(d, Math.max(size, last + 1));
    }
  }
  const sized = <T>(shape: readonly T[]) => shape.map((size, d) => found.get(d) ?? size) as number[];
  const space = { ...array.dataset.space, shape: sized(array.dataset.space.shape) };
  return { ...array, shape: sized(array.shape), dataset: { ...array.dataset, space } };
}

/** How far the elements of one line reach along dimension `d`. */
async function reach(
  array: Hdf5Array,
  mapping: Mapping,
  d: number,
  openSource: OpenSource,
): Promise<number> {
  const target = mapping.target![d] as Blocks;
  if (isPattern(mapping)) {
    let block = 0;
    while (block < MOST_SOURCES) { // the first that is missing ends the series
      const names = [mapping.file, mapping.path].map((name) => numbered(name, block)) as [string, string];
      if (!await openSource(array.dataset.file, ...names)) break;
      block++;
    }
    return block === 0 ? 0 : target.start + (block - 1) * target.stride + target.block;
  }
  const source = await openSource(array.dataset.file, mapping.file, mapping.path);
  const along = freeDim(mapping.source);
  if (!source || along === undefined) return 0;
  const positions = positionsOf([mapping.source![along]!], [source.shape[along] ?? 0])[0]!.length;
  if (positions === 0) return 0;
  if (target.block === Infinity) return target.start + positions;
  const [full, rest] = [Math.floor(positions / target.block), positions % target.block];
  return rest > 0
    ? target.start + full * target.stride + rest
    : target.start + (full - 1) * target.stride + target.block;
}

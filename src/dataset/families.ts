/**
 * The other levels of a pyramid: data sets that were opened with one are found again by it, or opened when they are
 * needed.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import type { StoredDataset } from "./dataset.ts";

/** Opens another array of the same source by its name. */
export type OpenArray = (array: string) => Promise<StoredDataset | undefined>;

/** How to open other arrays of a source, by the layout of each of them: copies of a data set have the same layout. */
const FAMILIES = new WeakMap<object, OpenArray>();

/** Notes that `arrays` are of one source; `open` opens those of its arrays that are not among them. */
export function keepFamily(arrays: readonly StoredDataset[], open: OpenArray): void {
  const known: OpenArray = async (name) => arrays.find(({ array }) => array === name) ?? await open(name);
  for (const { layout, levels } of arrays) if (levels.length > 0) FAMILIES.set(layout, known);
}

/** Notes that `dataset` belongs to a pyramid as `origin` does, of which it was made by `change`: so are its other levels. */
export function keepFamilyOf(
  origin: StoredDataset,
  dataset: StoredDataset,
  change: (level: StoredDataset) => StoredDataset,
): void {
  const known = FAMILIES.get(origin.layout);
  if (!known) return;
  FAMILIES.set(dataset.layout, async (array) => {
    const found = await known(array);
    return found && change(found);
  });
}

/** The data set with the resolution `level` of the pyramid of `dataset`. */
export async function atLevelOf(dataset: StoredDataset, level: number): Promise<StoredDataset> {
  if (level === dataset.level) return dataset;
  const { array } = dataset.levels[level] ?? {};
  const found = array === undefined ? undefined : await FAMILIES.get(dataset.layout)?.(array);
  if (found) return found;
  const most = Math.max(1, dataset.levels.length);
  const has = most === 1 ? "one level of resolution, 0" : `${most} levels, 0 to ${most - 1}`;
  const text = `There is no level ${level} of ${dataset.source}: it has ${has}`;
  throw new TilewiseError("invalid", text, { option: "levels", expected: most - 1, found: level });
}

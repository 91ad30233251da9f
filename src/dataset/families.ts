/**
 * The other levels of a pyramid: data sets that were opened with one are found again by it.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import type { Dataset } from "./dataset.ts";

/** The arrays of a source, by the layout of each of them: copies of a data set have the same layout. */
const FAMILIES = new WeakMap<object, readonly Dataset[]>();

/** Notes that `arrays` are all arrays of one source. */
export function keepFamily(arrays: readonly Dataset[]): void {
  for (const { layout, levels } of arrays) if (levels.length > 0) FAMILIES.set(layout, arrays);
}

/** The data set with the resolution `level` of the pyramid of `dataset`. */
export function atLevelOf(dataset: Dataset, level: number): Dataset {
  if (level === dataset.level) return dataset;
  const { array } = dataset.levels[level] ?? {};
  const found = FAMILIES.get(dataset.layout)?.find((one) => one.array === array);
  if (array !== undefined && found) return found;
  const most = Math.max(1, dataset.levels.length);
  const has = most === 1 ? "one level of resolution, 0" : `${most} levels, 0 to ${most - 1}`;
  const text = `There is no level ${level} of ${dataset.source}: it has ${has}`;
  throw new TilewiseError("invalid", text, { option: "levels", expected: most - 1, found: level });
}

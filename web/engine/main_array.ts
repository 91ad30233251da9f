/**
 * The array of a source that is shown unless another one is named.
 *
 * @module
 */

import { type Dataset, TilewiseError } from "@tilewise/tilewise";

/** The largest array that is not only there for others. Errors: `unsupported` if there is none. */
export function mainOf(all: readonly Dataset[]): Dataset {
  const datasets = all.filter(({ auxiliary }) => !auxiliary);
  const dataset = largest(datasets.length > 0 ? datasets : all);
  if (!dataset) throw new TilewiseError("unsupported", "There is no array of numbers in this source");
  return dataset;
}

function largest(datasets: readonly Dataset[]): Dataset | undefined {
  return datasets.reduce<Dataset | undefined>(
    (best, one) => best && best.byteLength >= one.byteLength ? best : one,
    undefined,
  );
}

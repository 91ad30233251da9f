/**
 * Images whose pixels hold several samples, for OME-Zarr: it has channels before rows and columns.
 *
 * @module
 */

import type { StoredDataset } from "../../dataset/dataset.ts";
import { splitAxes } from "../../dataset/split_axes.ts";
import { loadKinds } from "../../dataset/storage/kinds.ts";
import type { OpenOptions } from "../../formats/common/options.ts";
import { samplesOf } from "../../sinks/chunks/chunk_options.ts";

/** A data set, and the options with which it was opened. */
interface OpenedWith {
  readonly dataset: StoredDataset;
  readonly options: OpenOptions;
}

/** The same samples with channels before rows and columns, if they come last and `options` say nothing about axes. */
export async function channelsFirst(dataset: StoredDataset, options: OpenOptions): Promise<OpenedWith> {
  const { shape, axes, array } = dataset;
  const isAsked = [options.navAxes, options.sigAxes, options.nav, options.sig].some((given) =>
    given !== undefined
  );
  if (isAsked || samplesOf(shape, axes) === 1) return { dataset, options };
  const rank = shape.length;
  const outer = [...axes.keys()].slice(0, rank - 3);
  const isTime = (d: number) => /^t(ime)?$/i.test(axes[d]!.name);
  const turned = {
    ...options,
    ...(array === "" ? {} : { array }),
    navAxes: [...outer.filter(isTime), rank - 1, ...outer.filter((d) => !isTime(d))],
    sigAxes: [rank - 3, rank - 2],
  };
  const split = splitAxes(dataset, turned);
  await loadKinds([split.layout]);
  return { dataset: split, options: turned };
}

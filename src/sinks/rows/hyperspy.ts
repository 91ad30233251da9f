/**
 * Writes HyperSpy's HDF5 (`.hspy`), version 3.3 of its format: signals with their axes.
 *
 * ```
 * Experiments/NAME/data   axis-0 {name, scale, offset, units, navigate} …   metadata/General {title}
 * ```
 *
 * @module
 */

import { type Hdf5Group, hdf5Head, UNIT } from "../hdf5/head.ts";
import { HYPERSPY_KEEPS, type HyperspySignal, hyperspySignal, navigationOf } from "../hyperspy_signal.ts";
import { targetNamed } from "../registry.ts";
import { hasNumbers } from "./dimensions.ts";
import { type FramesToWrite, plainLayout, type RowTarget } from "./layout.ts";

/** HyperSpy. */
export const hyperspyTarget: RowTarget = {
  ...targetNamed("hspy"),
  keeps: HYPERSPY_KEEPS,
  layout: (frames) => plainLayout(hdf5Head(fileOf([frames]))),
  together: { unit: UNIT, head: (all) => hdf5Head(fileOf(all)) },
};

function fileOf(all: readonly FramesToWrite[]): Hdf5Group {
  const signals = all.map(signalOf), [{ file = {} } = {}] = signals;
  const members = Object.fromEntries(signals.map(({ name, signal }) => [name, signal]));
  return { attributes: file, members: { Experiments: { members } } };
}

function signalOf(
  frames: FramesToWrite,
): Pick<HyperspySignal, "file" | "name"> & { readonly signal: Hdf5Group } {
  const { nav, sig, dtype, axes = [], isSaid } = frames;
  const shape = [...nav, ...sig];
  const navigation = navigationOf({ shape, axes, ...(isSaid ? { nav: nav.length } : {}) });
  const { file, name, groups } = hyperspySignal(shape, navigation, axes, frames);
  const attributes = (path: string) => groups[path]!;
  const own = shape.map((_, d): [string, Hdf5Group] => {
    const { positions } = axes[d] ?? {};
    const members: Hdf5Group["members"] = positions ? { axis: hasNumbers(positions) } : {};
    return [`axis-${d}`, { attributes: attributes(`axis-${d}`), members }];
  });
  const leaf = (path: string): Hdf5Group => ({ attributes: attributes(path), members: {} });
  const signal: Hdf5Group = {
    members: {
      ...Object.fromEntries(own),
      metadata: { members: { General: leaf("metadata/General"), Signal: leaf("metadata/Signal") } },
      original_metadata: leaf("original_metadata"),
      learning_results: leaf("learning_results"),
      data: { shape, dtype },
    },
  };
  return { file, name, signal };
}

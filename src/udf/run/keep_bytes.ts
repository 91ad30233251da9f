/**
 * Keeps the stored bytes of a data set in memory as they are read, so that no run reads what another one has read.
 *
 * @module
 */

import { type Dataset, StoredDataset } from "../../dataset/dataset.ts";
import { readSources } from "../../dataset/sources.ts";
import { kindOf } from "../../dataset/storage/kinds.ts";
import { isComplete, keptSpec } from "../../io/kept.ts";
import { type KeptSpec, ownSpecs, type SourceSpec } from "../../io/source/source.ts";
import { keyOf } from "../../io/unchanged.ts";
import { checkDataset } from "../plan/given.ts";
import { hasPlainSamples } from "./keep.ts";

/**
 * The same data set, whose runs keep what they read of its files, where threads share memory. The data set itself, if its files
 * have more than `most` bytes, together with its samples if these are stored in another form; if there is not that much memory;
 * or if nothing of it is read over HTTP or from a `Blob`.
 *
 * @example
 * ```ts
 * import { open, run, plan, sumFrames } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const file = new File([Uint8Array.of(1, 2, 3, 4)], "scan.raw");
 * const scan = await open(file, { format: "raw", dtype: "uint8", nav: [2], sig: [1, 2] });
 * const kept = keepBytes(scan, 1024);
 * assertEquals(inMemory(kept), kept); // nothing has been read
 * const { sum } = await run(await plan(kept, { sum: sumFrames() }));
 * assertEquals([...sum.intensity.data as Float64Array], [4, 6]);
 * assertEquals(inMemory(kept) === kept, false); // nothing need be read any more
 * ```
 */
export function keepBytes(given: Dataset, most: number): Dataset {
  checkDataset("keepBytes()", given);
  const dataset: StoredDataset = given;
  if (typeof SharedArrayBuffer === "undefined") return dataset;
  const files = new Map(readSources(dataset.layout).filter(isFar).map((spec) => [keyOf(spec), spec]));
  const bytes = [...files.values()].reduce((sum, spec) => sum + sizeOf(spec), 0);
  const samples = hasPlainSamples(dataset.layout) ? 0 : dataset.byteLength;
  if (files.size === 0 || bytes + samples > most) return dataset;
  try {
    const kept = new Map([...files].map(([key, spec]) => [key, keptSpec(spec, sizeOf(spec))]));
    return withSources(dataset, (spec) => kept.get(keyOf(spec)) ?? spec);
  } catch (error) {
    if (error instanceof RangeError) return dataset; // there is no memory for it
    throw error;
  }
}

/** The same data set over bytes in memory, if {@link keepBytes} has kept all of them; otherwise the data set itself. */
export function inMemory(given: Dataset): Dataset {
  checkDataset("inMemory()", given);
  const dataset: StoredDataset = given;
  const kept = readSources(dataset.layout).filter((spec): spec is KeptSpec => spec.kind === "kept");
  if (kept.length === 0 || !kept.every(isComplete)) return dataset;
  return withSources(
    dataset,
    (spec) => spec.kind === "kept" ? { kind: "bytes", name: spec.name, bytes: spec.bytes } : spec,
  );
}

/** Whether reading it again would cost something. */
function isFar(spec: SourceSpec): boolean {
  return ownSpecs(spec).some(({ kind }) => kind === "http" || kind === "blob") && sizeOf(spec) > 0;
}

function sizeOf(spec: SourceSpec): number {
  switch (spec.kind) {
    case "http":
      return spec.size;
    case "blob":
      return spec.blob.size;
    case "joined":
      return spec.parts.reduce((sum, { size }) => sum + size, 0);
    default:
      return 0;
  }
}

function withSources(dataset: StoredDataset, change: (spec: SourceSpec) => SourceSpec): StoredDataset {
  const { layout } = dataset;
  const files = layout.files.map((file) => ({ ...file, source: change(file.source) }));
  const storage = kindOf(layout).mapSources(layout.storage, change);
  return new StoredDataset({ ...dataset, layout: { ...layout, files, storage } });
}

/**
 * Functions of a frame, and copies of the data in a file.
 *
 * @module
 */

import { exportDataset } from "../../../src/udf/run/export_dataset.ts";
import { mapFrames } from "../../../src/udf/builtin/map_frames.ts";
import { gamma, perEntry, roundoff } from "../verdict/bounds.ts";
import { readNpy } from "../../../bench/files.ts";
import type { Expectations } from "../compare.ts";
import { isComplex, type Params } from "../data/spec.ts";
import { type AnyWork, compute, type Judged, planOptions, work } from "../work.ts";

const FUNCTIONS = ["brightest", "above", "ends", "halves", "negative"] as const;

interface MapParams extends Params {
  readonly name: string;
  readonly limit: number;
}

/** Values are samples as they are, or counts; of `halves` sums. Rounded corrections move samples, and what is counted. */
function mapExpectations({ opened: { data, truth }, params: { name } }: Judged<MapParams>): Expectations {
  const { sampleError } = truth;
  const unit = roundoff(data);
  if (name === "above" || name === "negative") return { result: sampleError > 0 ? Infinity : 0 };
  const errors = (position: number) => {
    const magnitudes = truth.magnitudes(position);
    const largest = magnitudes.reduce((most, value) => Math.max(most, value), 0);
    const sum = magnitudes.reduce((total, value) => total + value, 0);
    if (name === "brightest") return [sampleError * largest];
    if (name === "ends") return [sampleError * largest, sampleError * largest, 0];
    const error = truth.areWhole && sum < 1 / unit ? 0 : (gamma(truth.pixels, unit) + sampleError) * sum;
    return [error, error, 0, 0];
  };
  const entries = { brightest: 1, ends: 3, halves: 4 }[name]!;
  return { result: perEntry(truth, entries, errors) };
}

/** The works. */
export const MAPPING: readonly AnyWork[] = [
  work<MapParams>({
    word: "map",
    covers: ["map_frames"],
    suits: ({ data }) => !isComplex(data) && data.pattern !== "special",
    params: (random) => ({ name: random.pick(FUNCTIONS), limit: random.int(0, 20) }),
    ours: async (opened, { name, limit }) => {
      const module = import.meta.resolve("../own/map_functions.ts");
      return await compute(opened, mapFrames(module, { export: name, params: { limit } }));
    },
    expect: mapExpectations,
  }),
  work({
    word: "record",
    covers: ["record_frames"],
    params: (random, { run }) => ({ corrected: run.corrections !== undefined && random.chance(0.5) }),
    ours: async (opened, { corrected }) => {
      const path = `${opened.folder}/ours.npy`;
      const { corrections, context } = planOptions(opened);
      const chosen = corrected && corrections && corrections !== "none" ? { corrections } : {};
      await exportDataset(opened.dataset, path, { ...(context ? { context } : {}), ...chosen });
      return { frames: readNpy(path)! };
    },
    expect: ({ opened: { truth }, params: { corrected } }) => {
      if (!corrected) return { frames: { within: 0, sameType: true } };
      const positions = Array.from({ length: truth.frames }, (_, position) => position);
      return {
        frames: positions.flatMap((position) =>
          hasImage(truth.imagesFrom, position)
            ? Array.from(truth.magnitudes(position), (magnitude) => truth.sampleError * magnitude)
            : new Array<number>(truth.units * truth.pixels).fill(0)
        ),
      };
    },
  }),
];

function hasImage(
  { start, stop }: { readonly start: number; readonly stop: number },
  position: number,
): boolean {
  return position >= start && position < stop;
}

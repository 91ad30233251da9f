/** UDFs with auxiliary data, object buffers, start values and merges, as modules that workers import. */

import type { DType } from "../../../src/space/dtype.ts";
import type { AuxSpec } from "../../../src/udf/interface/aux_data.ts";
import type { Buffers, ObjectBuffers } from "../../../src/udf/interface/buffer_types.ts";
import type { JsonValue } from "../../../src/udf/interface/objects.ts";
import type { Tile } from "../../../src/udf/interface/tile.ts";
import type { Method, Udf, UdfContext } from "../../../src/udf/interface/udf.ts";

/** Small tiles of parts of frames, unless frames or partitions are asked for. */
const small = { depth: 3, totalBytes: 3 * 32768 } as const;

/** Writes down what it sees of its auxiliary data: rows of `shift`, frames weighted with `gain`, all of `one`. */
export function auxSeen(
  { shift, gain, one, method }: { shift: AuxSpec; gain: AuxSpec; one: AuxSpec; method: Method },
): Udf<Record<"shift" | "weighted" | "one" | "sizes", DType | "object">> {
  const look = (
    tile: Tile,
    buffers: Buffers<Record<"shift" | "weighted" | "one", DType | "object">>,
    { aux }: UdfContext,
  ) => {
    const [rows, weights, all] = [aux.shift!, aux.gain!, aux.one!] as Float64Array[];
    if (rows!.length !== 2 * tile.frames) throw new Error(`${rows!.length} shifts for ${tile.frames} frames`);
    if (weights!.length !== tile.pixels) {
      throw new Error(`${weights!.length} weights for ${tile.pixels} pixels`);
    }
    (buffers.shift as Float64Array).set(rows!);
    for (let f = 0; f < tile.frames; f++) {
      let sum = Number(buffers.weighted[f]);
      for (let p = 0; p < tile.pixels; p++) sum += Number(tile.data[f * tile.pixels + p]) * weights![p]!;
      buffers.weighted[f] = sum;
      buffers.one[f] = all![0]! + all![5]!;
    }
  };
  return {
    name: "aux",
    buffers: {
      shift: { kind: "nav", dtype: "float64", extraShape: [2] },
      weighted: { kind: "nav", dtype: "float64" },
      one: { kind: "nav", dtype: "float64" },
      sizes: { kind: "nav", dtype: "int32", extraShape: [3] },
    },
    inputDType: "float64",
    method: () => method,
    tiling: small,
    aux: () => ({ shift, gain, one }),
    taskData: ({ aux }) => [aux.shift!.length, Number(aux.gain![1]), aux.one!.length],
    processTile: look,
    processFrame: look,
    processPartition: look,
    postprocess({ sizes }, { aux, taskData, partition }) {
      const [before, weight] = taskData as number[];
      const frames = partition.slice.shape[0]!;
      if (before !== 2 * frames || aux.shift!.length !== before) {
        throw new Error("the partition has other rows");
      }
      if (weight !== aux.gain![1]) throw new Error("pixels are not in row-major order");
      for (let f = 0; f < frames; f++) sizes.set([before, aux.gain!.length, aux.one!.length] as never, 3 * f);
    },
  };
}

/** Lists of every kind: bright pixels of a frame, frames in which a pixel is bright, what happened in each partition. */
export function listing(
  { method, tree }: { method: Method; tree: boolean },
): Udf<Record<"bright" | "seen" | "log" | "pairs" | "sums", DType | "object">> {
  const look = (tile: Tile, _: unknown, { objects, meta }: UdfContext) => {
    const { bright, seen, log, pairs } = objects;
    if (bright!.length !== tile.frames || seen!.length !== tile.pixels) {
      throw new Error("views of another size");
    }
    for (let f = 0; f < tile.frames; f++) {
      const found = [...bright!.get(f) as number[] ?? []];
      for (let p = 0; p < tile.pixels; p++) {
        if (Number(tile.data[f * tile.pixels + p]) !== 7) continue;
        found.push(pixelOf(tile, p, meta.sigShape));
        seen!.set(p, [...seen!.get(p) as number[] ?? [], tile.positions[f]!]);
      }
      bright!.set(f, found);
      pairs!.set(f, { at: tile.coordinates(f) }, 1);
    }
    log!.set(0, [...log!.get(0) as JsonValue[], tile.frames]);
  };
  return {
    name: "listing",
    buffers: {
      bright: { kind: "nav", dtype: "object" },
      seen: { kind: "sig", dtype: "object" },
      log: { kind: "single", dtype: "object" },
      pairs: { kind: "nav", dtype: "object", extraShape: [2] },
      sums: { kind: "nav", dtype: "object", use: "result" },
    },
    inputDType: "native",
    tiling: small,
    method: () => method,
    order: () => tree ? "tree" : "any",
    preprocess: (_, { objects }) => objects.log!.set(0, []),
    processTile: look,
    processFrame: look,
    processPartition: look,
    merge(_into, _from, { objects: { into, from } }) {
      for (let p = 0; p < into.seen!.length; p++) {
        const both = [...(into.seen!.get(p) ?? []) as number[], ...(from.seen!.get(p) ?? []) as number[]];
        if (both.length > 0) into.seen!.set(p, both);
      }
      into.log!.set(0, [...into.log!.get(0) as number[], ...from.log!.get(0) as number[]]);
    },
    results: (_buffers, _meta, { objects }) => ({
      sums: [...(objects as ObjectBuffers).bright!].map((list) => (list as number[] | null)?.length ?? null),
    }),
  };
}

function pixelOf({ box }: Tile, p: number, sigShape: readonly number[]): number {
  let [flat, stride] = [0, 1];
  for (let d = sigShape.length - 1; d >= 0; d--) {
    flat += (box.origin[d]! + p % box.shape[d]!) * stride;
    p = Math.floor(p / box.shape[d]!);
    stride *= sigShape[d]!;
  }
  return flat;
}

/** Puts a value that is not a JSON into an object buffer. */
export function unspeakable({ what }: { what: string }): Udf<Record<"it", DType | "object">> {
  const values: Record<string, unknown> = {
    nan: NaN,
    undefined,
    function: () => 1,
    bigint: 1n,
    date: new Date(0),
    array: new Float32Array(1),
    inside: [{ deep: [Infinity] }],
  };
  const loop: unknown[] = [];
  loop.push(loop);
  values.loop = loop;
  return {
    name: "unspeakable",
    buffers: { it: { kind: "nav", dtype: "object" } },
    processFrame: (_frame, _, { objects }) => objects.it!.set(0, values[what] as JsonValue),
  };
}

/**
 * Starts nav at −5, sig at the number of each pixel, single at 100; counts frames in all of them. The merge refuses
 * pixels that are not in row-major order.
 */
export function starts(
  { tree, method }: { tree: boolean; method: Method },
): Udf<Record<"nav" | "sig" | "single" | "half", DType | "object">> {
  const count = (
    tile: Tile,
    { nav, sig, single, half }: Record<string, Int32Array>,
    { meta }: UdfContext,
  ) => {
    if (sig!.length !== tile.pixels || nav!.length !== tile.frames) throw new Error("views of another size");
    for (let f = 0; f < tile.frames; f++) {
      nav![f]! += tile.pixels;
      half![2 * f]! += 1;
    }
    for (let p = 0; p < tile.pixels; p++) sig![p]! += tile.frames * meta.pixels;
    if (tile.index === 0) single![0]! += tile.frames;
  };
  const run = count as unknown as NonNullable<Udf["processTile"]>;
  return {
    name: "starts",
    buffers: {
      nav: { kind: "nav", dtype: "int32" },
      sig: { kind: "sig", dtype: "int32" },
      single: { kind: "single", dtype: "int32" },
      half: { kind: "nav", dtype: "float32", extraShape: [2] },
    },
    inputDType: "native",
    tiling: small,
    method: () => method,
    order: () => tree ? "tree" : "any",
    preprocess({ nav, sig, single, half }) {
      nav.fill(-5 as never);
      for (let p = 0; p < sig.length; p++) sig[p] = p;
      single[0] = 100;
      half.fill(0.5 as never);
    },
    processTile: run,
    processFrame: run,
    processPartition: run,
    merge(into, from, { meta }) {
      for (let p = 0; p < meta.pixels; p++) {
        if (Number(into.sig[p]) % meta.pixels !== p) throw new Error(`pixel ${p} is somewhere else`);
        into.sig[p] = Number(into.sig[p]) + Number(from.sig[p]) - p;
      }
      into.single[0] = Number(into.single[0]) + Number(from.single[0]) - 100;
    },
  };
}

/** Notes the calls of one partition, in order. */
export const calls: Udf<Record<"seen" | "calls", DType | "object">> = {
  name: "calls",
  buffers: { seen: { kind: "nav" }, calls: { kind: "nav", dtype: "object" } },
  taskData: () => ["taskData"],
  preprocess: (_, { side, taskData }) => {
    if (side === "worker") (taskData as string[]).push("preprocess");
    else if (taskData !== undefined) throw new Error("there is no task here");
  },
  processFrame: (_frame, { seen }, { taskData }) => {
    seen[0] = 1;
    (taskData as string[]).push("processFrame");
  },
  postprocess: (_, { taskData, objects }) => {
    (taskData as string[]).push("postprocess");
    objects.calls!.fill(taskData as string[]);
  },
  cleanup: ({ taskData }) => void (taskData as string[]).push("cleanup"),
};

/** The brightest sample of each pixel, the frames of each partition, and all samples of the first pixel. */
export function all(
  { together }: { together: boolean },
): Udf<Record<"most" | "frames" | "first" | "marks", DType | "object">> {
  const process: Udf<Record<"most" | "frames" | "first" | "marks", DType | "object">> = {
    name: "all",
    buffers: {
      most: { kind: "sig", dtype: "float32" },
      frames: { kind: "single", dtype: "int32", use: "private" },
      first: { kind: "nav", dtype: "float64", compressed: true },
      marks: { kind: "nav", dtype: "object" },
    },
    processFrame(frame, { most, frames, first }, { objects }) {
      for (let p = 0; p < frame.pixels; p++) most[p] = Math.max(Number(most[p]), Number(frame.data[p]));
      frames[0] = Number(frames[0]) + 1;
      first[0] = Number(frame.data[0]);
      objects.marks!.set(0, [frame.positions[0]!]);
    },
  };
  if (together) {
    return {
      ...process,
      mergeAll: (parts) => ({
        most: Float32Array.from(
          parts[0]!.buffers.most as Float32Array,
          (_, p) => Math.max(...parts.map(({ buffers }) => Number(buffers.most![p]))),
        ),
        frames: Int32Array.of(parts.reduce((sum, { buffers }) => sum + Number(buffers.frames![0]), 0)),
      }),
    };
  }
  return {
    ...process,
    merge(into, from) {
      into.frames[0] = Number(into.frames[0]) + Number(from.frames[0]);
      for (let p = 0; p < into.most.length; p++) {
        into.most[p] = Math.max(Number(into.most[p]), Number(from.most[p]));
      }
    },
  };
}

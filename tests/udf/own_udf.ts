/** UDFs of a user, in a module of their own. */

import type { DType } from "../../src/space/dtype.ts";
import { auxData } from "../../src/udf/interface/aux_data.ts";
import type { Udf } from "../../src/udf/interface/udf.ts";

/** Sum of a power of the samples of each frame, and the brightest frame. */
export default function power({ power }: { power: number }): Udf<Record<"sum" | "most", DType>> {
  return {
    name: "power",
    buffers: { sum: { kind: "nav", dtype: "float64" }, most: { kind: "sig", dtype: "float32" } },
    inputDType: "float32",
    processFrame({ data }, { sum, most }) {
      let total = 0;
      for (let i = 0; i < data.length; i++) {
        const value = Number(data[i]);
        total += value ** power;
        if (value > Number(most[i])) most[i] = value;
      }
      sum[0] = total;
    },
    merge(into, from) {
      for (let i = 0; i < into.most.length; i++) {
        if (Number(from.most[i]) > Number(into.most[i])) into.most[i] = from.most[i]!;
      }
    },
  };
}

/** Likes tiles of its own: deep, and of few rows. */
export const deep: Udf<Record<"count", DType>> = {
  name: "deep",
  buffers: { count: { kind: "nav", dtype: "float64" } },
  tiling: { depth: 16, totalBytes: 65536 },
  processTile({ frames, pixels }, { count }) {
    for (let f = 0; f < frames; f++) count[f] = Number(count[f]) + pixels;
  },
};

/** Fails on the frame at flat position `at`. */
export function failing({ at }: { at: number }): Udf<Record<"x", DType>> {
  return {
    name: "failing",
    buffers: { x: { kind: "nav" } },
    processFrame({ positions }) {
      if (positions[0] === at) throw new Error("no good");
    },
  };
}

/** Does not return for seconds from the frame at flat position `at`. */
export function stuck({ at }: { at: number }): Udf<Record<"x", DType>> {
  return {
    name: "stuck",
    buffers: { x: { kind: "nav" } },
    processFrame({ positions }) {
      if (positions[0] === at) computeForSeconds();
    },
  };
}

/** Computes for seconds, which is for ever for runs that wait less; it ends, as not every system ends such a thread. */
export function computeForSeconds(): void {
  for (let left = 5e9; left > 0; left--);
}

/** Waits on the frame at flat position `at` until there is a file `gate`. */
export function gated({ at, gate }: { at: number; gate: string }): Udf<Record<"x", DType>> {
  const isOpen = () => {
    try {
      return Deno.statSync(gate).isFile;
    } catch {
      return false;
    }
  };
  const asleep = new Int32Array(new SharedArrayBuffer(4));
  return {
    name: "gated",
    buffers: { x: { kind: "nav" } },
    processFrame({ positions }) {
      while (positions[0] === at && !isOpen()) Atomics.wait(asleep, 0, 0, 5);
    },
  };
}

/** Does not come back from a read of the pipe at `path`, which has no bytes yet, on the frame at flat position `at`. */
export function blocked({ at, path }: { at: number; path: string }): Udf<Record<"x", DType>> {
  return {
    name: "blocked",
    buffers: { x: { kind: "nav" } },
    processFrame({ positions }) {
      if (positions[0] !== at) return;
      using pipe = Deno.openSync(path, { read: true, write: true });
      pipe.readSync(new Uint8Array(1));
    },
  };
}

/** Takes its time: `ms` a frame. */
export function slow({ ms }: { ms: number }): Udf<Record<"x", DType>> {
  return {
    name: "slow",
    buffers: { x: { kind: "nav", dtype: "float64" } },
    processFrame(_, { x }) {
      const until = performance.now() + ms;
      while (performance.now() < until);
      x[0] = 1;
    },
  };
}

/** No UDF. */
export const notAUdf = 3;

/** Sends messages to the main thread, like those of the workers and unlike them. */
export const talking: Udf<Record<"x", DType>> = {
  name: "talking",
  buffers: { x: { kind: "nav", dtype: "float64" } },
  processTile({ frames }, { x }) {
    for (let f = 0; f < frames; f++) x[f] = 1;
    const { postMessage } = self as unknown as { postMessage?(message: unknown): void };
    for (const message of [null, { kind: "closed", run: 0 }, { kind: "closed", run: 1 }]) {
      postMessage?.(message);
    }
    for (const end = performance.now() + 5; performance.now() < end;);
  },
};

/** Keeps everything that it sees in the heap, and more. */
export const hoarding: Udf<Record<"x", DType>> = {
  name: "hoarding",
  buffers: { x: { kind: "nav" } },
  processFrame() {
    const kept: unknown[] = [];
    for (;;) kept.push(Array.from({ length: 10_000 }, (_, i) => ({ i })));
  },
};

/** Sums frames and doubles something that it sees: samples, a constant, auxiliary data, positions. */
export function writing(
  { what, writesTile = false }: { what: string; writesTile?: boolean },
): Udf<Record<"sum", DType>> {
  return {
    name: `writing ${what}`,
    buffers: { sum: { kind: "nav", dtype: "float64" } },
    writesTile,
    constants: () => ({ weight: Float64Array.of(1) }),
    aux: () => ({ dose: auxData(Float64Array.of(1), { kind: "single" }) }),
    processTile(tile, { sum }, { constants, aux }) {
      const { data, frames, pixels } = tile;
      for (let f = 0; f < frames; f++) {
        for (let i = f * pixels; i < (f + 1) * pixels; i++) sum[f] = Number(sum[f]) + Number(data[i]);
      }
      if (what === "samples") { for (let i = 0; i < data.length; i++) data[i] = 2 * Number(data[i]); }
      if (what === "one sample") data[data.length - 1] = 1 + Number(data[data.length - 1]);
      if (what === "constant") constants.weight![0] = 2;
      if (what === "aux") aux.dose![0] = 2;
      if (what === "positions") (tile.positions as Uint32Array)[0] = 7;
    },
  };
}

/** UDFs of a user, in a module of their own, whose types a runtime has to strip. */

interface Frame {
  readonly data: ArrayLike<number>;
}

/** The sum of a power of the samples of each frame. */
export default function power({ exponent }: { readonly exponent: number }) {
  return {
    name: "power",
    buffers: { sum: { kind: "nav", dtype: "float64" } },
    inputDType: "float32",
    processFrame({ data }: Frame, { sum }: { readonly sum: Float64Array }) {
      for (let i = 0; i < data.length; i++) sum[0]! += data[i]! ** exponent;
    },
  };
}

/** Keeps more than there is room for in the heap. */
export const hoarding = {
  name: "hoarding",
  buffers: { x: { kind: "nav" } },
  processFrame() {
    const kept: number[][] = [];
    while (true) kept.push(new Array<number>(100_000).fill(kept.length));
  },
};

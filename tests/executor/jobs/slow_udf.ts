/** A UDF that takes long for each frame. */
export default function slow({ milliseconds = 5 }: { readonly milliseconds?: number }) {
  return {
    buffers: { sum: { kind: "nav", dtype: "float64" } },
    processFrame: () => {
      for (const end = performance.now() + milliseconds; performance.now() < end;);
    },
  };
}

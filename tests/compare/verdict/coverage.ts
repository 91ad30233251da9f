/**
 * UDFs that come with Tilewise and are not compared with a peer, and why.
 *
 * @module
 */

/** By the names of `src/udf/worker/builtins.ts`. */
export const NOT_COMPARED: Readonly<Record<string, string>> = {
  expression: "expressions are ours alone; they are compared with a plain twin",
  family: "kernels of our own by name, which the UDFs made of them compare",
  kernel: "kernels of users in AssemblyScript are ours alone; they are compared with a plain twin",
  noop: "has no results",
  pixel_values: "the peer reads single pixels with masks of one pixel, which point and cluster compare",
  strain_map: "neither peer computes strain; the lattices that it is made of are compared by refine",
};

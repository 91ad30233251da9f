/** Functions of views for tests, as a user has them in a module. */

import { sizeOf, unravel } from "../../../src/space/shape.ts";
import { perSample } from "../../../src/views/operations/per_sample.ts";
import type { FunctionView, ViewFunction } from "../../../src/views/operations/view_function.ts";

/** The greatest sample of a window less its first one. */
export const spread: ViewFunction<"float64", "float64"> = (view, out) => {
  const { data, radius, stride } = view;
  const window = radius.map((r) => 2 * r + 1);
  const size = sizeOf(out.shape);
  for (let i = 0; i < size; i++) {
    const at = unravel(i, out.shape);
    let most = -Infinity;
    for (let w = 0; w < sizeOf(window); w++) {
      const p = unravel(w, window).reduce((sum, o, d) => sum + (at[d]! + o) * stride[d]!, 0);
      most = Math.max(most, data[p]!);
    }
    out.data[i] = most - data[at.reduce((sum, p, d) => sum + p * stride[d]!, 0)]!;
  }
};

/** The first sample of a window less twice the last one. */
export const ends: ViewFunction<"float64", "float64"> = ({ data, radius, back, stride }, out) => {
  const far = stride.reduce((sum, step, d) => sum + (radius[d]! + back[d]!) * step, 0);
  for (const i of out.data.keys()) {
    const at = unravel(i, out.shape).reduce((sum, p, d) => sum + p * stride[d]!, 0);
    out.data[i] = data[at]! - 2 * data[at + far]!;
  }
};

/** Where every sample lies in the whole array, as one number of `params.width` samples per row. */
export const place: ViewFunction<"uint8", "int32", { readonly width: number }> = (view, out) => {
  const { origin: [top = 0, left = 0], params: { width } } = view;
  for (const i of out.data.keys()) {
    const [y = 0, x = 0] = unravel(i, out.shape);
    out.data[i] = (top + y) * width + left + x;
  }
};

/** A sample of the array a and twice one of the array b. */
export const weighted = perSample((a, b) => a(0, 1) + 2 * b!(1));

/** Every sample, twice, where views have no halo. */
export const double: ViewFunction<"float32", "uint32"> = (view, out) => {
  const [row = 0] = view.stride;
  const [, columns = 1] = out.shape;
  for (const i of out.data.keys()) out.data[i] = 2 * view.data[Math.floor(i / columns) * row + i % columns]!;
};

/** Fails for tiles that do not begin in the first row. */
export function fails({ origin: [top = 0] }: FunctionView): void {
  if (top > 0) throw new RangeError("no such row");
}

/** Nobody waits for it. */
export async function late(_: FunctionView, out: { readonly data: Float32Array }): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 1));
  out.data[0] = 1;
}

/** Ends the program. */
export function leaves(): void {
  Deno.exit(3);
}

/** No function. */
export const five = 5;

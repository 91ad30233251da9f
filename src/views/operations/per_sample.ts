/**
 * Functions of single samples and their neighbours, as functions of views.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { asNumbers, setNumber } from "../../space/numbers.ts";
import { type DType, dtypeInfo } from "../../space/dtype.ts";
import type { NDArray } from "../../space/ndarray.ts";
import { eachPlace } from "./lines.ts";
import type { FunctionView } from "./view_function.ts";

/**
 * The sample at these distances from the current one, slowest dimension first; `at()` is the current sample itself.
 * Distances are whole numbers up to the radius of the view; others end the run with an error.
 * @category Views
 */
export type Neighbour = (a?: number, b?: number, c?: number, d?: number) => number;

/** Largest number of dimensions: {@link Neighbour} has that many arguments. */
const MOST_DIMENSIONS = 4;

/**
 * Makes a function of views that computes one number for every sample, from that sample and its neighbours: shorter to
 * write than explicit loops, and a few times slower. Of joined arrays it gets the neighbours of each, in their order. For arrays of up to four dimensions, and real numbers.
 *
 * @param value gives the number, from a function of distances to neighbours
 * @returns the function, for `viewFunction`
 *
 * @example Slopes from left to right
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { mapViews, perSample, viewFunction } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const slope = viewFunction(perSample((at) => at(0, 1) - at(0, -1)), { radius: [0, 1], dtype: "int16" });
 * const image = await open(Uint8Array.of(3, 6, 9, 13), { format: "raw", dtype: "uint8", nav: [], sig: [1, 4] });
 * await using context = createContext({ workers: 0 });
 * const { data } = await mapViews(image, slope, { context });
 * assertEquals(data, Int16Array.of(3, 6, 7, 4));
 * ```
 * @category Views
 */
export function perSample(
  value: (at: Neighbour, ...others: Neighbour[]) => number,
): <I extends DType, D extends DType>(view: FunctionView<I>, out: NDArray<D>) => void {
  return (view, out) => {
    mustSuit(view, out);
    const joined = Object.values<NDArray>(view.arrays);
    const [a0, b0, c0, d0] = [0, 1, 2, 3].map((d) => view.stride[d] ?? 0) as [number, number, number, number];
    const { radius, back } = view;
    const [a1 = 0, b1 = 0, c1 = 0, d1 = 0] = radius, [a2 = 0, b2 = 0, c2 = 0, d2 = 0] = back;
    let here = 0;
    const [first = view, ...others] = joined;
    const neighbours = ({ data }: NDArray): Neighbour => {
      const samples = asNumbers(data);
      return (a = 0, b = 0, c = 0, d = 0) => {
        const isNear = a >= -a1 && a <= a2 && b >= -b1 && b <= b2 && c >= -c1 && c <= c2 && d >= -d1 &&
          d <= d2;
        const sample = isNear ? samples[here + a * a0 + b * b0 + c * c0 + d * d0] : undefined;
        if (sample === undefined) throw beyond([a, b, c, d], view);
        return sample;
      };
    };
    const at = neighbours(first);
    const more = others.map(neighbours);
    const begin = view.radius.reduce((sum, r, d) => sum + r * view.stride[d]!, 0);
    eachPlace(
      out.shape,
      { pointer: begin, strides: view.stride },
      { pointer: 0, strides: out.stride },
      (from, to) => {
        here = from;
        const number: number | undefined = value(at, ...more);
        if (number === undefined) {
          throw new Error("the function of perSample() returned nothing: it must return a number");
        }
        setNumber(out.data, to, number);
      },
    );
  };
}

function beyond(distances: readonly number[], { radius, back, shape }: FunctionView<DType>): TilewiseError {
  const rank = shape.length;
  const asked = distances.slice(0, Math.max(rank, 1 + distances.findLastIndex((distance) => distance !== 0)));
  const expected = radius.map((front, d) => front === back[d] ? `${front}` : `-${front} to ${back[d]}`).join(
    ", ",
  );
  const text =
    `perSample(): at(${asked.join(", ")}) is not in the halo, whose radius is ${expected}; use whole ` +
    "distances within it, or views with a larger radius";
  return new TilewiseError("invalid", text, { option: "radius", expected, found: asked.join(", ") });
}

function mustSuit(view: NDArray, out: NDArray): void {
  const isComplex = [view, out].some(({ dtype }) => dtypeInfo(dtype).kind === "c");
  if (out.shape.length <= MOST_DIMENSIONS && !isComplex) return;
  const found = isComplex ? "complex samples" : `${out.shape.length} dimensions`;
  const text = `perSample() takes real samples of up to ${MOST_DIMENSIONS} dimensions, not ${found}`;
  throw new TilewiseError("unsupported", text, { found });
}

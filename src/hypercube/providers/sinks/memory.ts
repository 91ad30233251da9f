/**
 * A sink that puts outputs together in memory.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { nearest } from "../../../options.ts";
import { text } from "../../../options/rules.ts";
import type { DType } from "../../../space/dtype.ts";
import type { NDArray } from "../../../space/ndarray.ts";
import { globalShape } from "../arrays.ts";
import type { StartContext } from "../context.ts";
import type { Provider } from "../provider.ts";
import { arrayAt, declarePlace, declarePutting, newPlace, putInto, type SharedArray } from "./placing.ts";
import type { Hypercube } from "../../cube/cube.ts";

/**
 * A provider whose sinks put outputs together in memory, see {@link toMemory}.
 * @category Hypercubes
 */
export interface MemorySink extends Provider {
  /** The names of its arrays. */
  readonly names: readonly string[];
  /** The array of an output, in the shape of the whole problem; with `dtype`, it must have that type. */
  array(name: string): NDArray;
  /** The array of an output, which must have the type `dtype`. */
  array<D extends DType>(name: string, dtype: D): NDArray<D>;
}

/**
 * A provider whose sinks put outputs together in memory: arrays in the shape of the whole problem, beside the memory of the
 * context. What no tile has given is zero.
 *
 * @param names names of outputs
 * @returns the provider; its arrays are complete when the run is
 *
 * @example
 * ```ts
 * import { toMemory } from "@tilewise/tilewise/hypercube";
 * import { assertThrows } from "@std/assert";
 * const memory = toMemory("vis", "chi_squared");
 * assertThrows(() => memory.array("viss"), Error, 'did you mean "vis"?');
 * ```
 * @category Hypercubes
 */
export function toMemory(...names: readonly string[]): MemorySink {
  names.forEach((name, i) => text("toMemory()", `names[${i}]`, name));
  const { array, ...provider } = putTogether(names);
  return {
    ...provider,
    names,
    array<D extends DType>(name: string, dtype?: D): NDArray<D> {
      const found = array(name);
      if (!found) throw noArray(name, names);
      if (dtype === undefined || found.dtype === dtype) return found as unknown as NDArray<D>;
      const words = `The array ${name} has samples of ${found.dtype}, not of ${dtype}`;
      throw new TilewiseError("invalid", words, { array: name, expected: found.dtype, found: dtype });
    },
  };
}

function noArray(name: string, names: readonly string[]): TilewiseError {
  const near = nearest(name, names);
  const hint = names.includes(name)
    ? "no run with it has started"
    : near
    ? `did you mean "${near}"?`
    : `there are ${names.join(", ")}`;
  return new TilewiseError("invalid", `There is no array "${name}" in memory; ${hint}`, { found: name });
}

/** A provider as {@link toSharedMemory} makes it. */
export interface SharedMemorySink extends Provider {
  /** The array of an output, in the shape of the whole problem; what no tile has given is zero. */
  array(name: string): NDArray;
}

/**
 * A provider whose sinks put outputs together in memory, as `toMemory` does. Workers that share memory with this thread put
 * their tiles there themselves: then arrays lie in a `SharedArrayBuffer`. To page in and fill a large array takes
 * about as long as a fast kernel, so the calling thread would hold up the workers. `dtype`: the type of the arrays, if it is
 * wider than that of the outputs.
 */
export function toSharedMemory(names: readonly string[], dtype?: DType): SharedMemorySink {
  const { array, ...provider } = putTogether(names, { dtype, isShared: true });
  return { ...provider, array: (name) => array(name)! };
}

/** Arrays in memory, which are made when their first tile comes, or when they are asked for once a run has started. */
function putTogether(
  names: readonly string[],
  { dtype, isShared = false }: { readonly dtype?: DType | undefined; readonly isShared?: boolean } = {},
) {
  const places = new Map<string, SharedArray>();
  let cube: Hypercube | undefined;
  const placeOf = (name: string, shared: boolean) => {
    const place = places.get(name) ??
      newPlace(globalShape(cube!, name), dtype ?? cube!.array(name).dtype, shared);
    places.set(name, place);
    return place;
  };
  const sink = declarePutting(({ name, data, extents }) =>
    putInto(placeOf(name, false), data, extents.map(([lower]) => lower))
  );
  if (isShared) declarePlace(sink, (name) => placeOf(name, true));
  return {
    name: "memory",
    sinks: Object.fromEntries(names.map((name) => [name, sink])),
    start(context: StartContext) {
      places.clear();
      cube = context.cube;
    },
    array: (name: string) => cube && names.includes(name) ? arrayAt(placeOf(name, false)) : undefined,
  };
}

/**
 * A sink that puts outputs together in memory, without work for the calling thread.
 *
 * @module
 */

import type { DType } from "../../../space/dtype.ts";
import type { NDArray } from "../../../space/ndarray.ts";
import type { Hypercube } from "../../cube/cube.ts";
import { globalShape } from "../arrays.ts";
import type { Provider } from "../provider.ts";
import { arrayAt, declarePlace, declarePutting, newPlace, putInto, type SharedArray } from "./placing.ts";

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
  declarePlace(sink, (name) => placeOf(name, true));
  return {
    name: "memory",
    sinks: Object.fromEntries(names.map((name) => [name, sink])),
    start(context) {
      places.clear();
      cube = context.cube;
    },
    array: (name) => arrayAt(placeOf(name, false)),
  };
}

/**
 * Computes nothing: the time of a run over it is that of reading and handing out tiles.
 *
 * @module
 */

import type { Udf } from "../udf.ts";
import { builtin, type UdfRef } from "../udf_ref.ts";

/** Reads everything and computes nothing. Result `seen`: `uint8`, 1 for each frame that was read. */
export function noop(): UdfRef {
  return builtin("nothing");
}

/** The UDF behind {@link noop}. */
export function nothing(): Udf<"seen"> {
  return {
    name: "noop",
    buffers: { seen: { kind: "nav", dtype: "uint8" } },
    inputDType: "native",
    raw: true,
    tiling: { contiguous: true },
    processTile(_tile, { seen }) {
      (seen as Uint8Array).fill(1);
    },
  };
}

/**
 * Computes nothing: a run takes the time of reading and distributing tiles.
 *
 * @module
 */

import type { Udf } from "../interface/udf.ts";
import { builtin, type UdfRef } from "../interface/udf_ref.ts";

/**
 * Reads everything and computes nothing. Result `seen`: `uint8`, 1 for each frame that was read.
 *
 * @example
 * ```ts
 * import { open, plan, run } from "@tilewise/tilewise";
 * import { noop } from "@tilewise/tilewise/unstable/analyses";
 * import { assertEquals } from "@std/assert";
 * const scan = await open(Uint8Array.of(1, 2, 3), { format: "raw", dtype: "uint8", nav: [3], sig: [1, 1] });
 * const { it } = await run(await plan(scan, { it: noop() }, { roi: [[0], [2]] }));
 * assertEquals([...it.seen.data], [1, 0, 1]);
 * ```
 * @category Analyses
 */
export function noop(): UdfRef<{
  /** 1 for each frame that was read. */
  seen: "uint8";
}> {
  return builtin("noop");
}

/** The UDF behind {@link noop}. */
export function noopUdf(): Udf<{ seen: "uint8" }> {
  return {
    name: "noop",
    buffers: { seen: { kind: "nav", dtype: "uint8", values: { kind: "mask" } } },
    inputDType: "native",
    raw: true,
    tiling: { contiguous: true, boxes: true },
    processTile(_tile, { seen }) {
      seen.fill(1);
    },
  };
}

/**
 * Memory in which one image is decoded, with the kernels bound to it; it belongs to the image alone and goes with it.
 *
 * @module
 */

import { instantiateKernels, type Kernels } from "../kernels/wasm.ts";
import { Arena } from "../memory/arena.ts";
import { Slab } from "../memory/slab.ts";
import { mustFit } from "./common/image.ts";

/** Memory and kernels. */
interface ImageWorkspace extends Disposable {
  readonly kernels: Kernels;
  readonly slab: Slab;
}

/** Slack for aligning the slab and each block to a cache line. */
const EXTRA = 4096;

/** Takes `bytes` bytes for an image that messages call `what`. Errors: `over-budget`. */
export function imageWorkspace(bytes: number, what: string): ImageWorkspace {
  mustFit(bytes, what);
  const arena = new Arena({ budget: bytes + 2 * EXTRA, shared: false });
  const lease = arena.lease(bytes + EXTRA, "an image");
  const slab = new Slab(arena.memory, lease.offset, lease.byteLength);
  return { kernels: instantiateKernels(arena.memory), slab, [Symbol.dispose]: () => lease[Symbol.dispose]() };
}

/**
 * The kernels of Tilewise, for threads without a compiled module: makes it from the stored bytes.
 *
 * @module
 */

import { fromBase64 } from "../space/base64.ts";
import { storeKernels, withMemory } from "./bind.ts";
import { IMPORT_SECTION, KERNELS_BASE64 } from "./kernels_bytes.ts";

export {
  instantiateKernels,
  type KernelCode,
  kernelCode,
  kernelModule,
  type Kernels,
  rewriteKernels,
} from "./bind.ts";

/** The stored module with the import section for the kind of memory. */
export function moduleBytes(shared: boolean): Uint8Array<ArrayBuffer> {
  return withMemory(fromBase64(KERNELS_BASE64), IMPORT_SECTION, shared);
}

storeKernels(moduleBytes);

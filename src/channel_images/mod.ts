/**
 * Images for kernels: what a host needs so that kernels can load PNG, JPEG, TIFF and every other format of Tilewise.
 *
 * @module
 */

import type { ServiceSource } from "../channels/host/services.ts";
import { registerJobs } from "../executor/handler.ts";

registerJobs({ "tilewise:channel-images": () => import("./service.ts") });

/**
 * The option `images` of `startHost`: with it, kernels can call `load_image`.
 *
 * The module that decodes images is loaded by the runners of the host. Images of PNG, JPEG and TIFF are recognised by their first bytes, others
 * as `open` does; of many frames the first is taken. A file, and what is needed to decode it, may have 1 GiB.
 *
 * @example
 * ```ts
 * import { images } from "@tilewise/tilewise/unstable/channels";
 * import { assertEquals } from "@std/assert";
 * assertEquals(images().name, "tilewise:channel-images");
 * ```
 * @category Channels
 */
export function images(): ServiceSource {
  return {
    name: "tilewise:channel-images",
    module: import.meta.resolve("./service.ts"),
    export: "imageService",
    shared: undefined,
  };
}

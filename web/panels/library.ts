/**
 * The library, loaded ahead or when something is first opened, and where the code of its workers is.
 *
 * @module
 */

import { useWorker } from "@tilewise/tilewise/run";

useWorker(new URL("worker.js", import.meta.url));

export { imagesIn, mainImage, openSession } from "../engine/open.ts";
export { previewOf } from "../engine/preview.ts";

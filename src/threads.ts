/**
 * In a bundle, lets pools start the worker that knows all jobs. The expression below is the one that bundlers look for: they
 * bundle that module separately and put its address there. Without a bundle, the plain worker finds jobs by their URLs and
 * loads less.
 *
 * @module
 */

import { registerWorker } from "./executor/threads.ts";

const isBundled = !/\/src\/threads\.[jt]s$/.test(import.meta.url);

if (isBundled) {
  registerWorker(() => new Worker(new URL("./worker.ts", import.meta.url), { type: "module" }));
}

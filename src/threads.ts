/**
 * Lets pools start the worker that knows all jobs, where this is part of a bundle. The words below are those that bundlers look
 * for: they bundle that module by itself, and put its address in the place. Where files lie as they are, the plain worker finds
 * jobs by their URLs, and loads less.
 *
 * @module
 */

import { registerWorker } from "./executor/threads.ts";

const isBundled = !/\/src\/threads\.[jt]s$/.test(import.meta.url);

if (isBundled) {
  registerWorker(() => new Worker(new URL("./worker.ts", import.meta.url), { type: "module" }));
}

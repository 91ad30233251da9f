/**
 * Lets pools start the worker that knows all jobs. The words below are those that bundlers look for: they bundle that module
 * by itself, and put its address in the place.
 *
 * @module
 */

import { registerWorker } from "./executor/threads.ts";

registerWorker(() => new Worker(new URL("./worker.ts", import.meta.url), { type: "module" }));

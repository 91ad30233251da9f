/**
 * In a bundle, starts the worker that knows all jobs. The expression below is the one that bundlers look for: they bundle that
 * module separately and put its address there. Without a bundle, the plain worker finds jobs by their URLs and loads less.
 *
 * @module
 */

const isBundled = !/\/src\/threads\.[jt]s$/.test(import.meta.url);

/** Starts the bundled worker; absent: this is not a bundle. */
export const startBundled: (() => Worker) | undefined = isBundled
  ? () => new Worker(new URL("./worker.ts", import.meta.url), { type: "module" })
  : undefined;

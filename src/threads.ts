/**
 * The code of threads. In a bundle it is the worker that knows all jobs: the expression below is the one that bundlers look for,
 * they bundle that module separately and put its address there. Without a bundle, the plain worker finds jobs by their URLs and
 * loads less. The package for npm puts another module in the place of this one, as its files are a bundle.
 *
 * @module
 */

const isBundled = !/\/src\/threads\.[jt]s$/.test(import.meta.url);

/** Starts the bundled worker; absent: this is not a bundle. */
export const startBundled: (() => Worker) | undefined = isBundled
  ? () => new Worker(new URL("./worker.ts", import.meta.url), { type: "module" })
  : undefined;

/** The code of threads that know no jobs. It is written so that bundlers do not find it. */
export function threadCode(): URL {
  return new URL(import.meta.resolve("./executor/worker.ts"));
}

/**
 * Builds the page: `deno task web [-o FOLDER]`, by default into `web/dist`.
 *
 * @module
 */

import { buildPage, BUILT } from "../web/build.ts";
import { task } from "./task.ts";

await task("web", { output: { type: "string", short: "o" } }, async ({ output: folder = BUILT }) => {
  const started = performance.now();
  await Deno.mkdir(folder, { recursive: true });
  await buildPage(folder);
  console.error(`${folder}: built in ${((performance.now() - started) / 1000).toFixed(1)} s`);
});

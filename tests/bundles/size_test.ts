/**
 * What a page has to load before it has its first result: open a raw file, plan, run.
 *
 * The page is bundled as for production, and run; its files say that they are loaded. Their bytes, compressed as servers
 * send them, must stay within a budget, and a second run must load nothing.
 */

import { assert, assertEquals } from "@std/assert";
import { bundlePage, gzipBytes, install, partsIn, runPage } from "./bundled.ts";
import { PAGE } from "./first_result.ts";

/** Bytes of all files that are loaded until the first run has ended, on the page and in workers. */
const BUDGET = 101_000;

Deno.test("a page with its first result has loaded no more than its budget", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await install(folder);
    const bundle = await bundlePage(PAGE, folder);
    const { output, loaded, later } = await runPage(folder);
    const sum = Array.from({ length: 40 * 64 }, (_, f) => (f * 1024) % 251).reduce((a, b) => a + b);
    assertEquals(output.split("\n"), Array(2).fill(JSON.stringify([sum, 40 * 64])));
    assert(loaded.includes("worker.js"), "the run was on workers");
    assertEquals(later, [], "the second run loads nothing");
    const bytes = gzipBytes(bundle, loaded);
    const parts = partsIn(bundle, loaded).map(([part, bytes]) => `${bytes} ${part}`);
    const said = `${bytes} bytes in ${loaded.length} files; before compression:\n${parts.join("\n")}`;
    assert(bytes <= BUDGET, said);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

/**
 * What a page has to load before it has its first result: open a raw file, plan, run.
 *
 * The page is bundled as for production, and run; its files say that they are loaded. Their bytes, compressed as servers
 * send them, must stay within a budget, and a second run must load nothing.
 */

import { assert, assertEquals } from "@std/assert";
import { bundlePage, gzipBytes, install, loadedWith, roomsIn, runPage } from "./bundled.ts";

/** Bytes of all files that are loaded until the first run has ended, on the page and in workers. */
const BUDGET = 100_000;

/** The page; 5 MiB of samples are enough for workers. */
const PAGE = `
import { annularDetector, open, plan, run, sumFrames } from "@tilewise/tilewise";

const file = new Blob([Uint16Array.from({ length: 40 * 64 * 32 * 32 }, (_, i) => i % 251)]);
const scan = await open(file, { format: "raw", dtype: "uint16", nav: [40, 64], sig: [32, 32] });
const planned = await plan(scan, { dp: sumFrames(), ring: annularDetector({ ri: 4, ro: 12 }) });
for (let times = 0; times < 2; times++) {
  const { dp, ring } = await run(planned);
  console.error("first run has ended");
  console.log(JSON.stringify([dp.intensity.data[0], ring.intensity.data.length]));
}
`;

Deno.test("a page with its first result has loaded no more than its budget", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await install(folder);
    const bundle = await bundlePage(PAGE, folder);
    const { output, loaded } = await runPage(folder);
    const sum = Array.from({ length: 40 * 64 }, (_, f) => (f * 1024) % 251).reduce((a, b) => a + b);
    assertEquals(output.split("\n"), Array(2).fill(JSON.stringify([sum, 40 * 64])));
    assert(loaded.includes("worker.js"), "the run was on workers");
    const bytes = gzipBytes(bundle, loaded);
    const rooms = roomsIn(bundle, loaded).map(([room, bytes]) => `${bytes} ${room}`);
    const said = `${bytes} bytes in ${loaded.length} files; before compression:\n${rooms.join("\n")}`;
    console.log(said, loadedWith(bundle, "page.js").length);
    assert(bytes <= BUDGET, said);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

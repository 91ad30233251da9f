/**
 * A page with its first result: it opens a raw file, plans, and runs twice.
 *
 * @module
 */

/** The page; 5 MiB of samples are enough for workers. */
export const PAGE: string = `
import { annularDetector, open, plan, run, sumFrames } from "@tilewise/tilewise";

const file = new Blob([Uint16Array.from({ length: 40 * 64 * 32 * 32 }, (_, i) => i % 251)]);
const scan = await open(file, { format: "raw", dtype: "uint16", nav: [40, 64], sig: [32, 32] });
const planned = await plan(scan, { dp: sumFrames(), ring: annularDetector({ ri: 4, ro: 12 }) });
for (let times = 0; times < 2; times++) {
  const { dp, ring } = await run(planned);
  console.error("a run has ended");
  console.log(JSON.stringify([dp.intensity.data[0], ring.intensity.data.length]));
}
`;

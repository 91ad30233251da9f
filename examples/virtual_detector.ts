/** Bright field and ring of a scan: the first example of the README. */

import { annularDetector, createContext, open, plan, run, sumFrames } from "@tilewise/tilewise";

await using context = createContext({ memory: "64MiB", workers: 2 }); // shared by all runs in it

// A path, a URL, a File, a Blob, bytes, or an array in memory, such as a result; here: 16 × 16 frames of 32 × 32.
const frames = Uint16Array.from({ length: 16 * 16 * 32 * 32 }, (_, i) => i % 251);
const scan = await open({ data: frames, shape: [16, 16, 32, 32] });

const planned = await plan(scan, { dp: sumFrames(), haadf: annularDetector({ ri: 8, ro: 15 }) }, { context });
console.log(planned.explain()); // tiles, bytes to read, peak memory, and why

const { dp, haadf } = await run(planned);
console.log(dp.intensity.data.slice(0, 2), haadf.intensity.data.slice(0, 2));

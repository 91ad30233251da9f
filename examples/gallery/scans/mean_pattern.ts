/** The sum of all frames: the mean diffraction pattern, its faint parts made visible by percentiles. */

import { open, plan, run, save, sumFrames } from "@tilewise/tilewise";

const scan = await open("scan/scan.hdr");

const { sum } = await run(await plan(scan, { sum: sumFrames() }));
await save(sum.intensity, "mean_pattern.png", { percentile: [0, 95] });

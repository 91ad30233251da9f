/** The sum of the logarithms of all frames: weak reflections beside strong ones. */

import { logSum, open, plan, run, save } from "@tilewise/tilewise";

const scan = await open("scan/scan.hdr");

const { faint } = await run(await plan(scan, { faint: logSum() }));
await save(faint.logsum, "log_pattern.png", { colormap: "inferno" });

/** Where frames differ from each other: the standard deviation over the scan, pixel by pixel. */

import { open, plan, run, save, standardDeviation } from "@tilewise/tilewise";

const scan = await open("scan/scan.hdr");

const { spread } = await run(await plan(scan, { spread: standardDeviation() }));
await save(spread.std, "deviation.png");

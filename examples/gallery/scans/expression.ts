/** A formula of the sample x, compiled when the run starts: pixels with more than 50 counts. */

import { expression, open, plan, run, save } from "@tilewise/tilewise";

const scan = await open("scan/scan.hdr");

const { bright } = await run(await plan(scan, { bright: expression("count(x > 50)") }));
await save(bright.value, "expression.png");

/** The bright field: the sum of each frame over the direct disk. */

import { diskDetector, open, plan, run, save } from "@tilewise/tilewise";

const scan = await open("scan/scan.hdr");

const { bf } = await run(await plan(scan, { bf: diskDetector({ r: 8 }) }));
await save(bf.intensity, "bright_field.png");

/** The dark field: the sum of each frame over a ring around the direct disk. */

import { annularDetector, open, plan, run, save } from "@tilewise/tilewise";

const scan = await open("scan/scan.hdr");

const { haadf } = await run(await plan(scan, { haadf: annularDetector({ ri: 13, ro: 31 }) }));
await save(haadf.intensity, "dark_field.png", { colormap: "magma" });

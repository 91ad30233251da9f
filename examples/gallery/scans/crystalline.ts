/** How crystalline each position is: Fourier magnitudes of its frame over a ring of frequencies. */

import { crystallinity, open, plan, run, save } from "@tilewise/tilewise";

const scan = await open("scan/scan.hdr");

const { order } = await run(await plan(scan, { order: crystallinity({ ri: 4, ro: 12 }) }));
await save(order.intensity, "crystalline.png");

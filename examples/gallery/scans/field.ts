/** The field by centre of mass: hue is the direction in which the beam is deflected, brightness how far. */

import { centreOfMass, open, plan, run, save } from "@tilewise/tilewise";

const scan = await open("scan/scan.hdr");

const { com } = await run(await plan(scan, { com: centreOfMass({ r: 11 }) }));
await save(com.field, "field.png", { legend: true });

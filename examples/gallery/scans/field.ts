/** The field by centre of mass: hue is the direction in which the beam is deflected, brightness how far. */

import { centreOfMass, open, plan, run } from "@tilewise/tilewise";
import { saveVectors } from "@tilewise/tilewise/unstable/results";

const scan = await open("scan/scan.hdr");

const { com } = await run(await plan(scan, { com: centreOfMass({ r: 11 }) }));
await saveVectors(com.field_y, com.field_x, "field.png");

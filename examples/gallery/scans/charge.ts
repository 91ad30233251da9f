/** The charges that deflect the beam: the divergence of the field by centre of mass. */

import { centreOfMass, open, plan, run, save } from "@tilewise/tilewise";

const scan = await open("scan/scan.hdr");

const { com } = await run(await plan(scan, { com: centreOfMass({ r: 11 }) }));
if (com.divergence) await save(com.divergence, "charge.png", { symmetric: true });

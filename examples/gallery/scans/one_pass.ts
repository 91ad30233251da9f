/** Three results in one pass over the data, and the difference of two of them. */

import { annularDetector, centreOfMass, diskDetector, open, plan, run, save } from "@tilewise/tilewise";
import { ndarray } from "@tilewise/tilewise/arrays";

const scan = await open("scan/scan.hdr");

const udfs = { bf: diskDetector({ r: 8 }), adf: annularDetector({ ri: 13, ro: 31 }), com: centreOfMass() };
const { bf, adf, com } = await run(await plan(scan, udfs));
console.log(com.magnitude.shape);
const less = bf.intensity.data.map((value, n) => value - 2 * adf.intensity.data[n]!);
await save(ndarray(less, [48, 48], "float64"), "one_pass.png", { symmetric: true });

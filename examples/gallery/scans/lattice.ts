/** The disks of the mean pattern, found by correlation, and the lattice that they form, as text. */

import { open, plan, run, save, sumFrames } from "@tilewise/tilewise";
import { ndarray } from "@tilewise/tilewise/arrays";
import { circularPattern, findLattices, findPeaks } from "@tilewise/tilewise/unstable/blobs";

const scan = await open("scan/scan.hdr");

const pattern = circularPattern({ radius: 5.5 });
const { sum } = await run(await plan(scan, { sum: sumFrames() }));
const { positions, values: weights } = await findPeaks(sum.intensity, { pattern });
const [lattice] = findLattices({ positions, weights }, { lattices: 1, minWeight: 0 });
console.log(lattice);

const marked = sum.intensity.data.map(Math.sqrt);
for (const [row, column] of positions) {
  const [y, x] = [Math.round(row), Math.round(column)];
  for (const step of [-2, -1, 0, 1, 2]) marked[(y + step) * 64 + x] = marked[y * 64 + x + step] = 0;
}
await save(ndarray(marked, [64, 64], "float64"), "lattice.png");

/** Results for other programs: NumPy, a table, and all results of a run in one file. */

import { annularDetector, diskDetector, open, plan, read, run, save } from "@tilewise/tilewise";
import { saveAll } from "@tilewise/tilewise/results";

const scan = await open("scan/scan.hdr");
const { bf, adf } = await run(
  await plan(scan, { bf: diskDetector({ r: 8 }), adf: annularDetector({ ri: 13, ro: 31 }) }),
);
await save(bf.intensity, "bf.npy"); // numpy.load("bf.npy")
await save(bf.intensity, "bf.csv"); // pandas.read_csv("bf.csv", header=None)
await saveAll({ bf: bf.intensity, adf: adf.intensity }, "both.npz"); // numpy.load("both.npz")["adf"]

const again = await open("bf.npy"); // or here
await save(await read(again), "numbers_out.png");

/** Results for other programs: NumPy, a table, and all results of a run in one file. */

import { annularDetector, diskDetector, open, plan, read, run, save } from "@tilewise/tilewise";
import { saveAll } from "@tilewise/tilewise/results";

const scan = await open("scan/scan.hdr");
const { bf, adf } = await run(
  await plan(scan, { bf: diskDetector({ r: 8 }), adf: annularDetector({ ri: 13, ro: 31 }) }),
);
await save(adf.intensity, "adf.npy"); // numpy.load("adf.npy")
await save(adf.intensity, "adf.csv"); // pandas.read_csv("adf.csv", header=None)
await saveAll({ bf: bf.intensity, adf: adf.intensity }, "both.npz"); // numpy.load("both.npz")["bf"]

const again = await open("adf.npy"); // or here
await save(await read(again), "numbers_out.png");

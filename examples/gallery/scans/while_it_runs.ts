/** Results while the run goes on: the picture of what is known after a third of the scan. */

import { diskDetector, open, plan, run, save } from "@tilewise/tilewise";

const scan = await open("scan/scan.hdr");

const planned = await plan(scan, { bf: diskDetector({ r: 8 }) }, { partitions: 12 });
for await (const { results, progress } of run(planned)) {
  if (progress.frames < progress.framesTotal / 3) continue;
  await save(results.bf.intensity, "while_it_runs.png"); // what is not known yet is transparent
  break;
}

/** One frame of the scan, of row 10 and column 20. */

import { open, pickFrames, plan, roi, run, save } from "@tilewise/tilewise";

const scan = await open("scan/scan.hdr");

const { frame } = await run(await plan(scan, { frame: pickFrames() }, { roi: roi.positions([[10, 20]]) }));
const [, ...shape] = frame.intensity.shape;
await save({ ...frame.intensity, shape, stride: [shape[1]!, 1] }, "one_frame.png");

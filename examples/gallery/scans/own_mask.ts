/** Detectors of your own form: the right half of the frame less the left one. */

import { applyMasks, open, plan, run, save } from "@tilewise/tilewise";
import { ndarray } from "@tilewise/tilewise/arrays";

const scan = await open("scan/scan.hdr");

const weights = Float32Array.from({ length: 64 * 64 }, (_, i) => (i % 64 < 32 ? -1 : 1));
const halves = applyMasks({ masks: [ndarray(weights, [64, 64], "float32")] });
const { dpc } = await run(await plan(scan, { dpc: halves }));
await save({ ...dpc.intensity, shape: [48, 48], stride: [48, 1] }, "own_mask.png", { symmetric: true });

/** A page that computes a virtual image of the scan at `?url=…`, and shows it while it grows. */
/// <reference lib="dom" />

import { annularDetector, open, plan, run } from "@tilewise/tilewise";
import { useWorker } from "@tilewise/tilewise/run";
import { pixelsOf } from "@tilewise/tilewise/unstable/web";

useWorker(new URL("worker.js", import.meta.url)); // the bundled @tilewise/tilewise/worker
const canvas = document.querySelector("canvas")!;
const scan = await open(new URLSearchParams(location.search).get("url")!);
for await (const { results } of run(await plan(scan, { ring: annularDetector({ ri: 10, ro: 30 }) }))) {
  const { data, width, height } = pixelsOf(results.ring.intensity, { colormap: "viridis" });
  Object.assign(canvas, { width, height });
  canvas.getContext("2d")!.putImageData(new ImageData(data, width), 0, 0);
}
document.title = "done";

/** An image of cells to try things with: disks with soft rims on a slope, with noise. It is stored with its pixel size. */

import { open, save } from "@tilewise/tilewise";
import { ndarray } from "@tilewise/tilewise/arrays";
import { copySamples } from "@tilewise/tilewise/unstable/views";
import { fileSink, mapViews } from "@tilewise/tilewise/views";

const SIDE = 192;

let state = 7;
/** A number from 0 to 1, the same in every run. */
const random = () => (state = Math.imul(state, 1664525) + 1013904223 >>> 0) / 2 ** 32;

const cells = Array.from({ length: 24 }, () => [random() * SIDE, random() * SIDE, 4 + 6 * random()] as const);
const samples = Uint16Array.from({ length: SIDE ** 2 }, (_, i) => {
  const [y, x] = [Math.floor(i / SIDE), i % SIDE];
  const distance = Math.min(...cells.map(([cy, cx, r]) => Math.hypot(y - cy, x - cx) - r));
  return 200 + x + 900 / (1 + Math.exp(distance)) + 120 * random();
});

const axes = ["y", "x"].map((name) => ({ name, kind: "space", unit: "µm", scale: 0.25 }) as const);
const image = await open({ data: samples, shape: [SIDE, SIDE], axes });
await mapViews(image, copySamples(), { sink: fileSink("cells.ome.tif") });
await save(ndarray(samples, [SIDE, SIDE], "uint16"), "cells.png");

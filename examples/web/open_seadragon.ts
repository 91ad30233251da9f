/**
 * OpenSeadragon shows the image at `?url=…`: a TIFF or OME-Zarr of any size, 16 bits as colours, smoothed on the way if
 * `?sigma=…` is given.
 */
/// <reference lib="dom" />

import OpenSeadragon from "openseadragon";
import { open } from "@tilewise/tilewise";
import { useWorker } from "@tilewise/tilewise/run";
import { gaussian } from "@tilewise/tilewise/views";
import { seadragonSource } from "@tilewise/tilewise/unstable/web";
import { tileSource } from "@tilewise/tilewise/web";

useWorker(new URL("worker.js", import.meta.url));
const asked = new URLSearchParams(location.search);
const image = await open(asked.get("url")!);
const sigma = Number(asked.get("sigma") ?? 0);
const tiles = await tileSource(image, sigma > 0 ? { filters: gaussian({ sigma }) } : {});

const viewer = OpenSeadragon({
  element: document.querySelector<HTMLElement>("#viewer")!,
  tileSources: seadragonSource(tiles, { colormap: "viridis" }),
  drawer: "canvas",
  showNavigationControl: false,
  animationTime: 0,
  immediateRender: true,
});
viewer.addHandler("open-failed", (event) => document.title = `failed: ${JSON.stringify(event)}`);
viewer.addHandler("tile-load-failed", ({ message }) => document.title = `failed: ${message}`);
viewer.addHandler("open", () => {
  viewer.world.getItemAt(0).addHandler("fully-loaded-change", ({ fullyLoaded }) => {
    if (fullyLoaded) document.title = "done";
  });
});

/** Regions whose frames look alike, found without saying what to look for. */

import { clusterFrames, open, save } from "@tilewise/tilewise";

const scan = await open("scan/scan.hdr");

const { labels } = await clusterFrames(scan, { n: 3, features: 12, ring: { ri: 13, ro: 31 } });
await save(labels, "regions.png", { colormap: "turbo" });

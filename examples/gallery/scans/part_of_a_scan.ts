/** A part of the scan: positions outside of the region are not computed, and are not valid. */

import { diskDetector, open, plan, roi, run, save } from "@tilewise/tilewise";

const scan = await open("scan/scan.hdr");

const inside = Uint8Array.from({ length: 48 * 48 }, (_, n) => {
  return Math.hypot(Math.floor(n / 48) - 24, n % 48 - 24) < 18 ? 1 : 0;
});
const disk = roi.mask({ data: inside, shape: [48, 48] });
const { bf } = await run(await plan(scan, { bf: diskDetector({ r: 8 }) }, { roi: disk }));
await save(bf.intensity, "part_of_a_scan.png"); // not valid: transparent

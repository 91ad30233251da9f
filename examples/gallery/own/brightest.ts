/** A function of your own over the frames of a scan: how far from the middle the brightest pixel of each frame is. */

import { mapFrames, open, plan, run, save } from "@tilewise/tilewise";

const distance = mapFrames((frame) => {
  let most = 0;
  for (let i = 1; i < frame.length; i++) if (frame[i]! > frame[most]!) most = i;
  return Math.hypot(Math.floor(most / 64) - 32, most % 64 - 32);
});

const scan = await open("scan/scan.hdr");
const { brightest } = await run(await plan(scan, { brightest: distance }));
await save(brightest.result, "brightest.png");

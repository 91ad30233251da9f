/** The example for Viv in Chromium, with Viv and deck.gl, as Vite bundles it. */

import { assert, assertEquals } from "@std/assert";
import { withFolder } from "../../cli/harness.ts";
import { host, until, withPage } from "../setup/mod.ts";
import { hostWithVite } from "./bundle.ts";
import { isNear, middleOf, rampTiff } from "./ramp.ts";
import { viewerTest } from "./viewers.ts";

await viewerTest("viv", "Viv shows a pyramid of 16 bits", async (modules) => {
  await withFolder(async (folder) => {
    const url = host("viv-ramp.ome.tif", await rampTiff(folder));
    const path = await hostWithVite("viv", modules);
    const allowed = { complaints: [/WebGL|GPU|GL Driver|deck|luma|software/i] };
    await withPage({ path: `${path}?url=${url}&most=65535`, allowed }, async ({ page }) => {
      await until(page, () => document.title === "done");
      const at = [0.2, 0.4, 0.6, 0.8];
      const found = await middleOf(page, "canvas")(at);
      at.forEach((f, i) => {
        const gray = (1000 + 20 * 1500 * f) / 65535 * 255; // the image is as wide as the canvas
        assert(isNear(found[i]!, [gray, gray, gray], 4), `${f}: ${found[i]}, not ${gray}`);
      });
      assertEquals(found.length, 4);
    });
  });
});

/**
 * The example for Viv in Chromium, with Viv and deck.gl, where they are installed:
 *
 * ```sh
 * npm install --legacy-peer-deps --prefix FOLDER @vivjs/layers@0.21.0 @deck.gl/{core,geo-layers,layers}@9.2.9
 * VIV=FOLDER/node_modules deno test -A tests/browser/web/viv_test.ts
 * ```
 */

import { assert, assertEquals } from "@std/assert";
import { withFolder } from "../../cli/harness.ts";
import { browserTest, host, withPage } from "../setup/mod.ts";
import { hostExample } from "./bundle.ts";
import { isNear, middleOf, rampTiff } from "./ramp.ts";

const MODULES = Deno.env.get("VIV");

if (MODULES === undefined) {
  Deno.test.ignore("Viv shows a pyramid: set VIV to a folder node_modules with @vivjs/layers", () => {});
} else {
  browserTest("Viv shows a pyramid of 16 bits", async () => {
    await withFolder(async (folder) => {
      const url = host("viv-ramp.ome.tif", await rampTiff(folder));
      const path = await hostExample("viv", [], MODULES);
      const allowed = { complaints: [/WebGL|GPU|GL Driver|deck|luma|software/i] };
      await withPage({ path: `${path}?url=${url}&most=65535`, allowed }, async ({ page }) => {
        await page.waitForFunction(() => document.title === "done");
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
}

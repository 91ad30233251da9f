/** `<tw-scan>` in a page of others: it opens, a ring is dragged by keys, and its numbers are those of a plain run. */

import { assertEquals } from "@std/assert";
import { annularDetector, open, plan, run } from "@tilewise/tilewise";
import type { TwImage, TwScan } from "../../../web/elements.ts";
import { withFolder, writeNpy } from "../../cli/harness.ts";
import { assertAccessible, browserTest, host, until, withPage } from "../setup/mod.ts";

const SHAPE = [6, 7, 16, 16];
const EXAMPLE = new URL("../../../examples/web/scan_element.html", import.meta.url);

/** A scan of disks that are not in the middle, and that get brighter. */
function samples(): Uint16Array<ArrayBuffer> {
  const isBright = (i: number) => Math.hypot((Math.floor(i / 16) % 16) - 9, i % 16 - 6) < 3.5;
  return Uint16Array.from(
    { length: 6 * 7 * 256 },
    (_, i) => (isBright(i) ? 90 : i % 5) + Math.floor(i / 256),
  );
}

browserTest("an element shows a scan in a page of fifteen lines, and tells what is computed", async () => {
  await withFolder(async (folder) => {
    await writeNpy(`${folder}/scan.npy`, "<u2", SHAPE, new Uint8Array(samples().buffer));
    const example = await Deno.readTextFile(EXAMPLE);
    const source = host("scan.npy", await Deno.readFile(`${folder}/scan.npy`));
    const html = example.replace("./tilewise/", "/page/").replace('"scan.npy"', `"${source}"`);
    const path = host("scan_element.html", new TextEncoder().encode(html));
    const allowed = { complaints: [/GPU stall due to ReadPixels/, /404/] };
    await withPage({ path, allowed }, async ({ page }) => {
      await page.getByText(/annular_detector:cy=.*,ri=.*: 6 × 7/).waitFor(); // around the bright disk
      await page.getByRole("slider", { name: "Detector, inner radius" }).press("ArrowRight");
      const word = await until(page, () => {
        const text = document.querySelector("output")!.textContent!;
        const { analysis } = document.querySelector("tw-scan") as TwScan;
        return text.startsWith(`${analysis}:`) && /ri=[4-9]/.test(text) ? analysis : false;
      });
      const number = (key: string) => Number(new RegExp(`${key}=([\\d.]+)`).exec(word)![1]);
      const ring = annularDetector({
        cy: number("cy"),
        cx: number("cx"),
        ri: number("ri"),
        ro: number("ro"),
      });
      const { plain } = await run(await plan(await open({ data: samples(), shape: SHAPE }), { plain: ring }));
      const shown = await page.evaluate(() => {
        const { image } = document.querySelector("tw-scan")!.shadowRoot!.querySelector<TwImage>("tw-image")!;
        return "array" in image! ? Array.from(image.array.data as Float64Array) : [];
      });
      assertEquals(shown, Array.from(plain.intensity.data as Float64Array));
      await page.getByRole("slider", { name: "Position" }).press("ArrowLeft");
      await page.getByText("Frame at 3, 2").first().waitFor();
      await assertAccessible(page);
      const shot = Deno.env.get("SHOT");
      if (shot) await page.screenshot({ path: `${shot}-element.png` });
      await page.evaluate(() => document.querySelector("tw-scan")!.setAttribute("src", "/hosted/none.npy"));
      await page.getByText(/not there|no such|404/i).first().waitFor();
    });
  });
});

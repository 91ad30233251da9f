/** From a moved handle to the picture: each move of a drag over 64 × 64 frames of 128 × 128 uint16, printed, not judged. */

import { assert } from "@std/assert";
import { fullTest, withTilewise } from "../setup/mod.ts";

/** Milliseconds from each key press on the handle to the frame in which its last picture is drawn. */
async function latencies(): Promise<number[]> {
  const allowed = { complaints: [/GPU stall due to ReadPixels/] };
  return await withTilewise(
    { address: "#v=1&sample=crystal&run=disk&run.r=20", allowed },
    async ({ page }) => {
      await page.locator(".page-foot .dot.done").waitFor({ timeout: 120_000 });
      await page.getByRole("slider", { name: /^Detector/ }).first().focus();
      await page.waitForTimeout(4000); // the samples are being kept
      await page.evaluate(watch);
      for (let i = 0; i < 30; i++) {
        await page.keyboard.press(i % 20 < 10 ? "ArrowRight" : "ArrowLeft");
        await page.waitForTimeout(300);
      }
      return await page.evaluate(() => (globalThis as unknown as { taken: number[] }).taken);
    },
  );
}

/** Runs in the page: notes when keys are pressed, and when the image of the scan has been drawn. */
function watch(): void {
  const picture = document.querySelector("tw-image") as HTMLElement & { image: unknown };
  const own = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(picture), "image")!;
  const taken: number[] = (globalThis as unknown as { taken: number[] }).taken = [];
  let begun = 0, presses = 0;
  addEventListener("keydown", () => {
    begun = performance.now();
    presses++;
  }, true);
  Object.defineProperty(picture, "image", {
    get: () => own.get!.call(picture),
    set: (image) => {
      own.set!.call(picture, image);
      requestAnimationFrame(() => setTimeout(() => taken[presses - 1] = performance.now() - begun));
    },
  });
}

fullTest("a dragged detector is followed by the picture", async () => {
  const found = (await latencies()).filter((one) => one !== null && one !== undefined).sort((a, b) => a - b);
  const at = (share: number) => found[Math.floor(share * (found.length - 1))]!.toFixed(0);
  console.log(`drag, 64 × 64 × 128 × 128 uint16: min ${at(0)} ms, median ${at(0.5)} ms, p90 ${at(0.9)} ms`);
  assert(found.length >= 20 && found.every((milliseconds) => milliseconds > 0));
});

/**
 * From a moved handle to the picture: each move over 64 × 64 frames of 128 × 128 uint16, printed, not judged. The first figure is
 * the time until the whole answer is there, the second one until its picture is drawn.
 */

import { assert } from "@std/assert";
import { fullTest, until, withTilewise } from "../setup/mod.ts";

/** Milliseconds from a key on the handle to its last answer, and to the frame in which that is drawn. */
interface Latency {
  readonly answered: number;
  readonly drawn: number;
}

/** The latencies of 40 keys. */
async function latencies(): Promise<Latency[]> {
  const allowed = { complaints: [/GPU stall due to ReadPixels/] };
  return await withTilewise(
    { address: "#v=1&sample=crystal&run=disk&run.r=20", allowed },
    async ({ page }) => {
      await page.locator(".page-foot .dot.done").waitFor();
      await page.getByRole("slider", { name: /^Detector/ }).first().focus();
      await page.evaluate(watch);
      for (let i = 0; i < 40; i++) {
        await page.keyboard.press(i % 20 < 10 ? "ArrowRight" : "ArrowLeft");
        await until(page, (i) => (globalThis as unknown as { taken: Latency[] }).taken[i] !== undefined, i);
      }
      return await page.evaluate(() => (globalThis as unknown as { taken: Latency[] }).taken);
    },
  );
}

/** Runs in the page: notes when keys are pressed, and when the image of the scan was answered and drawn. */
function watch(): void {
  const picture = document.querySelector("tw-image") as HTMLElement & { image: unknown };
  const own = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(picture), "image")!;
  const taken: Latency[] = (globalThis as unknown as { taken: Latency[] }).taken = [];
  let begun = 0, presses = 0;
  addEventListener("keydown", () => {
    begun = performance.now();
    presses++;
  }, true);
  Object.defineProperty(picture, "image", {
    get: () => own.get!.call(picture),
    set: (image) => {
      own.set!.call(picture, image);
      const [press, since] = [presses - 1, begun];
      const answered = performance.now() - since;
      const drawn = () => taken[press] = { answered, drawn: performance.now() - since };
      requestAnimationFrame(() => setTimeout(drawn));
    },
  });
}

fullTest("a dragged detector is followed by the picture", async () => {
  const found = (await latencies()).filter((one) => one !== null && one !== undefined).slice(5); // first ones warm up
  const text = (times: readonly number[]) => {
    const sorted = times.toSorted((a, b) => a - b);
    const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]!.toFixed(0);
    return `min ${at(0)} ms, median ${at(0.5)} ms, p90 ${at(0.9)} ms`;
  };
  console.log(
    `drag, 64 × 64 × 128 × 128 uint16: answer ${text(found.map(({ answered }) => answered))}; ` +
      `picture ${text(found.map(({ drawn }) => drawn))}`,
  );
  assert(found.length >= 20 && found.every(({ answered, drawn }) => answered > 0 && drawn >= answered));
});

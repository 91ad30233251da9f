/** A scan of a slow server: what is seen while it is read, and that it is read once. */

import { assert } from "@std/assert";
import { browserTest, host, sentOf, withTilewise } from "../setup/mod.ts";

const NAV = [24, 24] as const, SIDE = 64;
const FORM = `&open.format=raw&open.dtype=uint16&open.nav=${NAV.join("x")}&open.sig=${SIDE}x${SIDE}`;

/** A scan with a disk whose brightness changes from frame to frame. */
function scan(): Uint8Array {
  const data = new Uint16Array(NAV[0] * NAV[1] * SIDE * SIDE);
  for (let i = 0; i < data.length; i++) {
    const [f, y, x] = [Math.floor(i / SIDE / SIDE), Math.floor(i / SIDE) % SIDE, i % SIDE];
    data[i] = (Math.hypot(y - 40, x - 24) < 9 ? 200 + f : 0) + (Math.imul(i, 2654435761) >>> 28);
  }
  return new Uint8Array(data.buffer);
}

browserTest("while a scan is read its middle pattern is seen; nothing is read twice", async () => {
  const bytes = scan();
  const url = host("slow.raw", bytes, 700);
  const allowed = { complaints: [/GPU stall due to ReadPixels/] };
  await withTilewise({ address: `#v=1&url=${url}${FORM}&run=com&run.r=12`, allowed }, async ({ page }) => {
    await page.getByRole("heading", { name: `Frame at ${NAV[0] / 2}, ${NAV[1] / 2}` }).waitFor();
    await page.getByRole("heading", { name: "Sum of all frames" }).waitFor();
    await page.locator(".page-foot .dot.done").waitFor();
    await page.locator("input[name=shown-result][value=divergence]").check();
    await page.getByRole("button", { name: "Ring", exact: true }).click();
    await page.waitForURL((url) => url.hash.includes("run=annular"));
    await page.locator(".page-foot .dot.done").waitFor();
    await page.getByRole("button", { name: "One position" }).click();
    await page.getByRole("heading", { name: /^Frame at/ }).waitFor();
    const sent = sentOf("slow.raw");
    assert(sent >= bytes.length && sent <= 1.02 * bytes.length, `${sent} of ${bytes.length} bytes were sent`);
  });
});

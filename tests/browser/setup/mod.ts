/**
 * Tests in real browsers: one Chromium, one server and one build of the pages for all tests of a process.
 *
 * ```ts
 * import { assertAccessible, assertLooksLike, browserTest, withTilewise } from "../setup/mod.ts";
 *
 * browserTest("the page asks for a file", () =>
 *   withTilewise({ size: "phone", scheme: "dark" }, async ({ page }) => {
 *     await page.getByRole("button", { name: "Open" }).waitFor();
 *     await assertAccessible(page);
 *     await assertLooksLike(page, "open-phone-dark");
 *   }));
 * ```
 *
 * A test fails as well if its page complains on the console, throws an error that nobody caught, or asks for anything but its
 * own server and what `allowed` names. Without a Chromium its tests are shown as ignored.
 *
 * @module
 */

import { closeBrowser, HAS_CHROMIUM } from "./chromium.ts";
import { isFull } from "./full.ts";
import { closeServers } from "./server.ts";

export { assertAccessible, violations } from "./accessibility.ts";
export { browser, HAS_CHROMIUM } from "./chromium.ts";
export { dropFiles } from "./drop.ts";
export { isFull } from "./full.ts";
export type { Allowed, PageLog } from "./log.ts";
export {
  answered,
  call,
  type OpenPage,
  type PageOptions,
  type PanelOptions,
  SIZES,
  whole,
  withPage,
  withTilewise,
} from "./page.ts";
export { assertLooksLike, type Tolerance } from "./pictures.ts";
export { host, sentOf, servers } from "./server.ts";
export { until } from "./until.ts";

/** A test in Chromium; ignored where there is none. */
export function browserTest(name: string, fn: (test: Deno.TestContext) => Promise<unknown>): void {
  Deno.test({
    name: HAS_CHROMIUM ? name : `${name}: there is no Chromium`,
    ignore: !HAS_CHROMIUM,
    sanitizeOps: false, // browser and server are those of all tests
    sanitizeResources: false,
    fn: async (test) => void await fn(test),
  });
}

/** A test in Chromium that takes long, or that prints figures: only with `deno task test:browser --full`. */
export function fullTest(name: string, fn: (test: Deno.TestContext) => Promise<unknown>): void {
  if (isFull()) browserTest(name, fn);
  else Deno.test.ignore(`${name}: deno task test:browser --full`, () => {});
}

Deno.test.afterAll(async () => {
  await closeBrowser();
  await closeServers();
});

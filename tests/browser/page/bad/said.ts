/**
 * What the page says when something fails, and whether it can be used afterwards.
 *
 * @module
 */

import { assert } from "@std/assert";
import type { Page } from "playwright-core";
import { answered, until } from "../../setup/mod.ts";

/** Waits until the page says so: a title, something to do about it, and no mark of what is inside. */
export async function assertSaid(page: Page, title: string, step: RegExp): Promise<void> {
  const message = page.locator(".message").filter({ has: page.getByRole("heading", { name: title }) });
  await message.first().waitFor();
  const text = await message.first().innerText();
  assert(step.test(text), text);
  assert(!/undefined|\[object|\bNaN\b|^\s*at /m.test(text), text);
}

/** Goes back to the welcome. */
export async function leave(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Open something else" }).click();
  await page.getByRole("button", { name: "Choose files" }).waitFor();
}

/** Opens a sample, and waits for its result. */
export async function assertUsable(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Small 4D-STEM scan/ }).click();
  await answered(page);
  await until(page, () => document.querySelectorAll(".message.bad").length === 0);
}

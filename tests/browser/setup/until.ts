/**
 * Waiting for what a page shows.
 *
 * @module
 */

import type { Frame, Page } from "playwright-core";

/** Most milliseconds until something is so: what also a busy machine keeps. */
const LIMIT = 180_000;

/** A value that is not false. */
type Found<R> = Exclude<Awaited<R>, false | null | undefined>;

/**
 * Waits until `predicate` is true in the page, and gives its value. Unlike `page.waitForFunction` of Playwright it waits for
 * promises too, which are no answer yet, and a predicate that throws is not true yet: what it reads, such as an element or its
 * samples, need not be there when it is asked first. Where the page goes elsewhere meanwhile, the next one is asked.
 */
export async function until<R, A = undefined>(
  page: Page | Frame,
  predicate: (argument: A) => R,
  argument?: A,
): Promise<Found<R>> {
  const asked = new Function(
    "argument",
    `return (async () => {
      for (const end = performance.now() + ${LIMIT};;) {
        const found = await (async () => (${predicate})(argument))().catch((error) => ({ error }));
        if (found && !found.error) return found;
        if (performance.now() > end) throw new Error("It is not so after ${LIMIT} ms: " + (found?.error ?? found));
        await new Promise((next) => document.hidden ? setTimeout(next) : requestAnimationFrame(next));
      }
    })()`,
  );
  for (const end = performance.now() + LIMIT;;) {
    try {
      return await page.evaluate(asked as (argument: unknown) => Promise<Found<R>>, argument as unknown);
    } catch (error) {
      if (!/Execution context was destroyed/.test(String(error)) || performance.now() > end) throw error;
    }
  }
}

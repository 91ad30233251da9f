/**
 * Whether everybody can use a page: the rules of axe-core.
 *
 * @module
 */

import axe from "axe-core";
import type { Frame, Page } from "playwright-core";

/** One rule that a page breaks. */
interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** Rules that a page or a frame, or the part of it that `selector` names, breaks: one line per element. */
export async function violations(page: Page | Frame, selector = "html"): Promise<string[]> {
  await page.evaluate(axe.source); // by the debugger: policies of the page do not apply to it
  const found = await page.evaluate(
    (selector) =>
      (globalThis as unknown as { axe: { run(where: string, options: object): Promise<unknown> } })
        .axe.run(selector, { resultTypes: ["violations"] }),
    selector,
  ) as { readonly violations: readonly Violation[] };
  return found.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary = "" }) => `${id}: ${help}: ${html} ${failureSummary}`)
  );
}

/** Throws if a page breaks a rule. */
export async function assertAccessible(page: Page | Frame, selector?: string): Promise<void> {
  const found = await violations(page, selector);
  if (found.length > 0) throw new Error(`Not everybody can use this page:\n${found.join("\n\n")}`);
}

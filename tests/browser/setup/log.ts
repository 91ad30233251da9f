/**
 * What a page says and asks for: errors on its console, errors that nobody caught, and every request.
 *
 * @module
 */

import type { BrowserContext, ConsoleMessage, Page } from "playwright-core";

/** What has happened in a page since it was opened. */
export interface PageLog {
  /** Errors and warnings of the console, and errors that nobody caught. */
  readonly complaints: string[];
  /** Addresses of all requests, also of workers, in their order. */
  readonly requests: string[];
  /** Forgets what is there: for tests that expect complaints, after they have looked at them. */
  clear(): void;
}

/** What a test allows its page. */
export interface Allowed {
  /** Beginnings of addresses, besides the server of the page, that may be asked for: the opened source. */
  readonly requests?: readonly string[];
  /** Complaints that the test expects. */
  readonly complaints?: readonly RegExp[];
}

/** Listens to a page and its workers from now on. */
export function logOf(context: BrowserContext, page: Page): PageLog {
  const complaints: string[] = [], requests: string[] = [];
  context.on("request", (request) => void requests.push(request.url()));
  page.on("pageerror", (error) => void complaints.push(String(error.stack ?? error)));
  page.on("console", (message) => {
    if (isComplaint(message)) complaints.push(`${message.text()} (${message.location().url})`);
  });
  page.on("crash", () => void complaints.push("the page has crashed"));
  return {
    complaints,
    requests,
    clear() {
      complaints.length = requests.length = 0;
    },
  };
}

/** What drivers without a graphics card remark on their own speed. */
const OF_DRIVERS = /GPU stall due to ReadPixels/;

function isComplaint(message: ConsoleMessage): boolean {
  return !OF_DRIVERS.test(message.text()) && ["error", "warning", "assert"].includes(message.type());
}

/** Throws if a page has complained, or has asked for anything but its own server and what is allowed. */
export function assertQuiet(
  { complaints, requests }: PageLog,
  origin: string,
  { requests: others = [], complaints: expected = [] }: Allowed = {},
): void {
  const known = [`${origin}/`, `blob:${origin}/`, "data:", ...others];
  const foreign = requests.filter((url) => !known.some((start) => url.startsWith(start)));
  if (foreign.length > 0) throw new Error(`The page has asked for:\n${foreign.join("\n")}`);
  const unexpected = complaints.filter((text) => !expected.some((one) => one.test(text)));
  if (unexpected.length > 0) throw new Error(`The page has complained:\n${unexpected.join("\n")}`);
}

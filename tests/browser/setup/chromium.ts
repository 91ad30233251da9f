/**
 * One Chromium for all tests of a process, started when it is first needed.
 *
 * It ends with the process, however that ends: it is driven through a pipe, and a Chromium whose pipe is closed ends itself.
 *
 * @module
 */

import { type Browser, chromium } from "playwright-core";
import { CHROMIUM, programPath } from "./paths.ts";

/** Nothing is asked for but what pages ask for, and only from this machine. */
const FLAGS = [
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-dev-shm-usage",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
  "--enable-blink-features=ForceEagerMeasureMemory", // measures at once, not within minutes
];

/** Whether there is a Chromium. */
export const HAS_CHROMIUM: boolean = programPath(CHROMIUM) !== undefined;

let started: Promise<Browser> | undefined;

/** The browser. */
export function browser(): Promise<Browser> {
  return started ??= start();
}

async function start(): Promise<Browser> {
  const executablePath = programPath(CHROMIUM);
  if (!executablePath) {
    throw new Error(`There is no Chromium: none of ${CHROMIUM.names.join(", ")} is in PATH`);
  }
  return await chromium.launch({ executablePath, args: FLAGS, headless: true, chromiumSandbox: false });
}

/** Ends it, if it has been started. */
export async function closeBrowser(): Promise<void> {
  await (await started)?.close();
  started = undefined;
}

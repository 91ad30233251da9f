/**
 * Pages in the shared browser, each with an empty profile of its own, closed in the end.
 *
 * @module
 */

import type { BrowserContext, Page } from "playwright-core";
import type { TwTiles } from "../../../web/pictures/mod.ts";
import type { Work } from "../programs/main.ts";
import { browser } from "./chromium.ts";
import { type Allowed, assertQuiet, logOf, type PageLog } from "./log.ts";
import { servers } from "./server.ts";
import { until } from "./until.ts";

/** Sizes of windows, in pixels of style sheets. */
export const SIZES = { wide: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } } as const;

/** How a page is opened. */
export interface PageOptions {
  /** Path on the server, or a whole address. Default: `/lib/`, the programs of these tests. */
  readonly path?: string;
  /** Whether it is served with the headers that shared memory needs. Default: yes. */
  readonly isolated?: boolean;
  /** Size of the window. Default: wide. */
  readonly size?: keyof typeof SIZES;
  /** What the user prefers. Default: light. */
  readonly scheme?: "light" | "dark";
  /** Whether the user prefers reduced motion. Default: yes, so that pictures do not depend on time. */
  readonly reducedMotion?: boolean;
  /** What it may ask for and complain about. */
  readonly allowed?: Allowed;
  /** Most milliseconds of a single step. Default: 3 min, which also a busy machine keeps. */
  readonly timeout?: number;
  /** Most milliseconds of all steps: what runs in a page may never come back. Default: 15 min. */
  readonly limit?: number;
}

/** A page and what belongs to it. */
export interface OpenPage {
  /** The page. */
  readonly page: Page;
  /** Its profile. */
  readonly context: BrowserContext;
  /** Where it comes from, such as `http://127.0.0.1:1234`. */
  readonly origin: string;
  /** What it has said and asked for. */
  readonly log: PageLog;
}

/**
 * Opens a page, does `work`, and closes it. Fails as well if the page has complained on its console, has thrown an error that
 * nobody caught, or has asked for anything but its own server.
 */
export async function withPage<T>(options: PageOptions, work: (open: OpenPage) => Promise<T>): Promise<T> {
  const { isolated = true, size = "wide", scheme = "light", reducedMotion = true, allowed } = options;
  const all = await servers();
  const address = new URL(options.path ?? "/lib/", isolated ? all.isolated : all.plain);
  const context = await (await browser()).newContext({
    viewport: SIZES[size],
    hasTouch: size === "phone",
    colorScheme: scheme,
    reducedMotion: reducedMotion ? "reduce" : "no-preference",
  });
  try {
    context.setDefaultTimeout(options.timeout ?? 180_000);
    const page = await context.newPage();
    const open = { page, context, origin: address.origin, log: logOf(context, page) };
    await page.goto(address.href);
    const result = await within(options.limit ?? LIMIT, work(open));
    assertQuiet(open.log, address.origin, allowed);
    return result;
  } finally {
    await context.close();
  }
}

/** Most milliseconds of a page, if nothing else is said. */
const LIMIT = 900_000;

/** The result, or an error after so many milliseconds. */
async function within<T>(limit: number, result: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const alarm = setTimeout(() => late.reject(new Error(`The page has taken more than ${limit} ms`)), limit);
  try {
    return await Promise.race([result, late.promise]);
  } finally {
    clearTimeout(alarm);
  }
}

/** What a page of Tilewise shows. */
export interface PanelOptions extends Omit<PageOptions, "path"> {
  /** What follows the path in the address, such as `?…` or `#…`. */
  readonly address?: string;
}

/** Opens the page of Tilewise, does `work`, and closes it, as {@link withPage} does. */
export function withTilewise<T>(options: PanelOptions, work: (open: OpenPage) => Promise<T>): Promise<T> {
  return withPage({ ...options, path: `/page/${options.address ?? ""}` }, async (open) => {
    await open.page.waitForSelector("tw-page");
    return await work(open);
  });
}

/** Waits until the page has answered the question that its state means, which it asks before the next frame of the screen. */
export async function answered(page: Page): Promise<void> {
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await page.locator(".page-foot[aria-busy=false] .dot.done").waitFor();
}

/** Waits until all images in tiles are shown whole, as drawn; so many, and the first at this level, if these are given. */
export async function whole(page: Page, level?: number, count?: number): Promise<void> {
  await until(page, ([level, count]) => {
    const all = [...document.querySelectorAll("tw-tiles")] as TwTiles[];
    return all.length > 0 && (count === undefined || all.length === count) &&
      (level === undefined || all[0]!.progress.level === level) &&
      all.every(({ progress, samples }) => progress.missing === 0 && samples[0]?.length! > 0);
  }, [level, count] as const);
}

/** Calls a function of the programs in a page of `/lib/`, see `programs/main.ts`. */
export async function call<K extends keyof Work>(
  page: Page,
  name: K,
  ...args: Parameters<Work[K]>
): Promise<Awaited<ReturnType<Work[K]>>> {
  await until(page, () => "work" in globalThis);
  return await page.evaluate(
    ([name, args]) =>
      (globalThis as unknown as { work: Record<string, (...args: unknown[]) => unknown> })
        .work[name]!(...args),
    [name as string, args as unknown[]] as const,
  ) as Awaited<ReturnType<Work[K]>>;
}

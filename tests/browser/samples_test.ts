/**
 * Every sample file of up to 8 MiB opens in Chromium, from files and folders that the user has chosen and by addresses, and has
 * the samples that other programs found in it.
 *
 * Without independent digests (lossy images), it is compared with what Deno reads.
 */

import { assert, assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import type { Page } from "playwright-core";
import {
  arrayFor,
  dtypeName,
  type Entry,
  filesOf,
  FOLDER,
  formatIdOf,
  isFolder,
  needSamples,
  numericArrays,
  optionsOf,
  pathOf,
  READABLE,
  TIFFS,
} from "../formats/conformance/samples.ts";
import { arraysIn, type Found } from "./programs/samples.ts";
import { browserTest, call, fullTest, withPage } from "./setup/mod.ts";

/** Most bytes of files. */
const MOST = 8 * 2 ** 20;

const SMALL = [...READABLE, ...TIFFS].filter((entry) => entry.expect === "read" && bytesOf(entry) < MOST);

function bytesOf(entry: Entry): number {
  return filesOf(entry).reduce((sum, file) => sum + Deno.statSync(new URL(urlPath(file), FOLDER)).size, 0);
}

function urlPath(file: string): string {
  return file.replaceAll("#", "%23");
}

const systemPath = (file: string) => fromFileUrl(new URL(urlPath(file), FOLDER));

/** Opens an entry from files or from a folder, as a user does who chooses them. */
async function choose(page: Page, entry: Entry): Promise<Found> {
  if (isFolder(entry)) {
    await page.setInputFiles("#folder", pathOf(entry));
    return await call(page, "chosenFolder", optionsOf(entry));
  }
  const files = filesOf(entry);
  await page.setInputFiles("#files", files.map(systemPath));
  return await call(page, "chosenFiles", files[0]!.replace(/^.*\//, ""), optionsOf(entry));
}

/** Opens it by addresses of all its files: servers do not list folders. */
function fetchIt(page: Page, entry: Entry): Promise<Found> {
  const options = { ...optionsOf(entry), ...(TIMED.includes(entry.file) ? { nav: [2, 4] } : {}) };
  return call(page, "fromUrls", filesOf(entry).map((file) => `/data/${urlPath(file)}`), options);
}

/** Scans whose shape is known from the time stamps of their frames: over HTTP it is said (`docs/formats.md`). */
const TIMED = ["mib/001_4x2_6bit.mib", "mib/002_4x2_6bit_roi128.mib"];

/** What is wrong with what was found; empty if nothing is. */
async function problems(entry: Entry, found: Found): Promise<string[]> {
  if (!isList(found)) {
    const hasNumbers = numericArrays(entry).length > 0;
    return hasNumbers || found.code !== "unsupported" ? [`${found.code}: ${found.message}`] : [];
  }
  const wrong: string[] = [];
  for (const [i, expected] of numericArrays(entry).entries()) {
    const array = arrayFor(found, expected, i);
    if (!array || expected.empty) continue;
    const [is, shouldBe] = [
      [array.shape, array.dtype, array.sha256],
      [expected.shape, dtypeName(expected.dtype), expected.sha256_all],
    ].map((one) => JSON.stringify(one));
    if (is !== shouldBe) wrong.push(`${expected.name} is ${is}, should be ${shouldBe}`);
  }
  if (numericArrays(entry).length > 0) return wrong;
  const here = await arraysIn(pathOf(entry), optionsOf(entry));
  return JSON.stringify(here) === JSON.stringify(found) ? wrong : [...wrong, "Deno finds something else"];
}

function isList(found: Found): found is Extract<Found, readonly unknown[]> {
  return found instanceof Array;
}

/** Opens entries, one after another, in a page. */
async function openThem(entries: readonly Entry[], open: typeof choose): Promise<void> {
  const wrong: string[] = [];
  await withPage({ allowed: { complaints: [/404/] } }, async ({ page }) => {
    for (const entry of entries) {
      const found = await problems(entry, await open(page, entry));
      wrong.push(...found.map((text) => `${entry.file} (${formatIdOf(entry)}): ${text}`));
    }
  });
  assertEquals(wrong, []);
}

needSamples("sample files in Chromium");
if (SMALL.length > 0) {
  browserTest("all sample files by files and folders", async () => {
    await openThem(SMALL, choose);
    assert(SMALL.length > 250);
  });
  browserTest("one sample file of each format by addresses", async () => {
    const first = [...Map.groupBy(SMALL, formatIdOf).values()].map(([entry]) => entry!);
    await openThem(first, fetchIt);
    assert(first.length > 12, `${first.length} formats`);
  });
  fullTest("all sample files by addresses", () => openThem(SMALL, fetchIt));
}

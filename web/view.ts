/**
 * Builds the page where its code has changed, and shows it: `deno task view [SOURCE…]`, with the flags of `tilewise view`.
 *
 * @module
 */

import { fromFileUrl } from "@std/path";
import { main } from "../src/cli/main.ts";
import { exitProcess, hostIo } from "../src/cli/shell/host.ts";
import { buildPage, BUILT } from "./build.ts";
import { isStale } from "./build/stale.ts";

const io = hostIo();
if (await isStale(BUILT, fromFileUrl(new URL("../", import.meta.url)))) {
  io.err("Building the page…\n");
  await buildPage(BUILT, { compress: false });
}
exitProcess(await main(["view", ...Deno.args], io));

/**
 * The rules of back ends where other platforms have the files: private files of a page in Chromium, and Node.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { build } from "esbuild";
import { MANY_CALLS, RULES } from "../channels/backends/suite.ts";
import { visit } from "./browser.ts";
import { output } from "./processes.ts";
import type { Room } from "./room.ts";
import { toolPath } from "../../assembly/tools.ts";

const ROOT = fromFileUrl(new URL("../../", import.meta.url));
const PROGRAMS = `${ROOT}tests/channels/backends/runtimes/`;

/** Throws unless every rule holds. */
export async function byBackEnds({ folder, data }: Room): Promise<void> {
  const target = join(folder, "back-ends");
  await build({
    entryPoints: ["page", "worker", "node"].map((name) => `${PROGRAMS}${name}.ts`),
    outdir: target,
    bundle: true,
    format: "esm",
    target: "esnext",
    alias: { "@std/path": `${ROOT}tests/std/path.ts` },
    external: ["node:*"],
    logLevel: "silent",
  });
  await Deno.writeTextFile(
    join(target, "index.html"),
    '<!doctype html>\n<script type="module" src="./page.js"></script>\n',
  );
  await Deno.rename(join(target, "node.js"), join(target, "node.mjs"));
  const node = JSON.parse(await output([await toolPath("node"), join(target, "node.mjs")]));
  const page = await visit({ folder: target, data, workers: 0, isolated: true });
  for (const found of [node.system, node.memory, page]) {
    assertEquals(Object.entries(found).filter(([, came]) => came !== "fine"), []);
    assertEquals(Object.keys(found), [...RULES, MANY_CALLS].map(({ name }) => name));
  }
}

/**
 * Programs as bundlers build them from the package, in Chromium: `deno task test:bundlers [--bundler NAME]…`. Prints a table:
 * warnings, files, kilobytes as servers send them, workers.
 *
 * The package is made once. Bundlers are installed by npm into the user's cache, and each builds in a folder of its own.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { dirname, join } from "@std/path";
import { gzipSync } from "node:zlib";
import { pack } from "../../assembly/pack/main.ts";
import { mustBeOneOf, task } from "../../assembly/task.ts";
import { visit } from "../runtimes/browser.ts";
import type { DataPaths } from "../runtimes/room.ts";
import { scanBytes } from "../runtimes/programs/work.ts";
import { cacheFolder, npmInstall, toolPath } from "../../assembly/tools.ts";
import { type Bundler, BUNDLERS, PROGRAM } from "./tools.ts";

/** The page: it counts workers that start, and sends what it has found to where it comes from. */
const MAIN = `
import { sum } from "./sum.js";

let workers = 0;
globalThis.Worker = class extends Worker {
  constructor(url, options) {
    super(url, options);
    workers++;
  }
};
const say = (answer) => fetch("/found", { method: "POST", body: JSON.stringify(answer) });
sum(new URL("/data/raw", location.href), 2).then(
  (found) => say({ digests: { first: String(found[0]), workers: String(workers) } }),
  (error) => say({ error: String(error.stack ?? error) }),
);
`;

/** What a bundler has made. */
interface Made {
  readonly warnings: number;
  readonly files: number;
  readonly gzip: number;
}

/** Builds with a bundler in `folder`. */
async function build(
  { packages, files, command, out, warning }: Bundler,
  folder: string,
  tgz: string,
): Promise<Made> {
  await npmInstall(folder, [tgz, ...packages]);
  const all = { ...files, "sum.js": PROGRAM, "main.js": MAIN };
  for (const [path, text] of Object.entries(all)) {
    await Deno.mkdir(dirname(join(folder, path)), { recursive: true });
    await Deno.writeTextFile(join(folder, path), text);
  }
  const [bin, ...args] = command;
  const node = await toolPath("node");
  const { success, stdout, stderr } = await new Deno.Command(node, {
    args: [await Deno.realPath(join(folder, "node_modules", ".bin", bin!)), ...args],
    cwd: folder,
    env: { NO_COLOR: "1", NEXT_TELEMETRY_DISABLED: "1", PATH: `${dirname(node)}:${Deno.env.get("PATH")}` },
  }).output();
  const said = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("");
  assert(success, said);
  const made = [...filesIn(join(folder, out))];
  const gzip = made.reduce((sum, path) => sum + gzipSync(Deno.readFileSync(path)).length, 0);
  return { warnings: said.split("\n").filter((line) => warning.test(line)).length, files: made.length, gzip };
}

function* filesIn(folder: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    const path = join(folder, name);
    if (isDirectory) yield* filesIn(path);
    else if (!path.endsWith(".map")) yield path;
  }
}

/** What the page finds: the sum over all frames at the first pixel, by another way. */
function expected(bytes: Uint8Array): Record<string, string> {
  const samples = new Uint16Array(bytes.buffer);
  let sum = 0;
  for (let at = 0; at < samples.length; at += 32 * 32) sum += samples[at]!;
  return { first: String(sum), workers: "2" };
}

async function main(names: readonly string[]): Promise<void> {
  const place = await Deno.makeTempDir({ prefix: "tilewise-bundlers-" });
  try {
    const tgz = join(place, "package.tgz"), raw = join(place, "scan.raw");
    const bytes = scanBytes();
    await Deno.writeFile(tgz, await pack());
    await Deno.writeFile(raw, bytes);
    const data: DataPaths = { raw, filters: raw, library: raw, kernels: raw };
    console.log(
      "| bundler | warnings | files | kB gzip | seconds | workers |\n| --- | --- | --- | --- | --- | --- |",
    );
    for (const name of names) {
      const bundler = BUNDLERS[name]!;
      const folder = join(cacheFolder(), `bundler-${name}`);
      await Deno.remove(join(folder, bundler.out), { recursive: true }).catch(() => {});
      const start = performance.now();
      const { warnings, files, gzip } = await build(bundler, folder, tgz);
      const seconds = ((performance.now() - start) / 1000).toFixed(0);
      const found = await visit({ folder: join(folder, bundler.out), data, workers: 2, isolated: true });
      assertEquals(found, expected(bytes), name);
      console.log(
        `| ${bundler.packages[0]} | ${warnings} | ${files} | ${(gzip / 1000).toFixed(0)} | ${seconds} | ${
          found["workers"]
        } |`,
      );
      assertEquals(warnings, bundler.warnings ?? 0, name);
      if (name === "vite") assert(files <= 40, `${files} files`);
    }
  } finally {
    await Deno.remove(place, { recursive: true });
  }
}

if (import.meta.main) {
  const all = Object.keys(BUNDLERS);
  await task("test:bundlers", { bundler: { type: "string", multiple: true } }, async ({ bundler = all }) => {
    mustBeOneOf("bundler", bundler, all);
    await main(bundler);
    Deno.exit();
  });
}

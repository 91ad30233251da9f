/**
 * Makes `tilewise` as one file per system, which needs no Deno: `deno task compile [--target NAME]… [-o FOLDER]`, by default for
 * the system that this is, into `dist`. Deno fetches its runtime for the target once, or takes the file in `DENORT_BIN`.
 *
 * @module
 */

import { parseArgs } from "node:util";

/** The systems that Deno compiles for, by their names here. */
export const TARGETS: Readonly<Record<string, string>> = {
  "linux-x64": "x86_64-unknown-linux-gnu",
  "linux-arm64": "aarch64-unknown-linux-gnu",
  "macos-x64": "x86_64-apple-darwin",
  "macos-arm64": "aarch64-apple-darwin",
  "windows-x64": "x86_64-pc-windows-msvc",
};

/** What is reached by a computed address: threads, all jobs, the packages that are loaded on demand, the page. */
export const INCLUDED = [
  "src/executor/worker.ts",
  "src/cli/shell/watchdog_thread.ts",
  "src/worker.ts",
  "src/offline.ts",
  "web/dist/page.json",
];

const ROOT = new URL("../", import.meta.url);

/** The name of the system that this is. */
function here(): string | undefined {
  return Object.keys(TARGETS).find((name) => TARGETS[name] === Deno.build.target);
}

async function compile(name: string, folder: string): Promise<string> {
  const target = TARGETS[name];
  if (!target) throw new Error(`There is no target ${name}; there are ${Object.keys(TARGETS).join(", ")}`);
  const out = `${folder}/tilewise-${name}${name.startsWith("windows") ? ".exe" : ""}`;
  const included = INCLUDED.flatMap((path) => ["--include", path]);
  const args = [
    "compile",
    "--quiet",
    "-A",
    "--no-check",
    "--target",
    target,
    ...included,
    "-o",
    out,
    "src/cli/main.ts",
  ];
  const { code } = await new Deno.Command(Deno.execPath(), { args, cwd: ROOT }).spawn().status;
  if (code !== 0) throw new Error(`deno compile for ${target} ended with ${code}`);
  const { size } = await Deno.stat(new URL(out, ROOT));
  return `${out}  ${(size / 2 ** 20).toFixed(0)} MiB`;
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      target: { type: "string", multiple: true },
      output: { type: "string", short: "o", default: "dist" },
    },
  });
  const targets = values.target ?? [here() ?? "linux-x64"];
  const { renewedPage } = await import("../web/build.ts");
  await renewedPage();
  for (const name of targets) console.log(await compile(name, values.output));
}

/**
 * Makes `tilewise` as one file per system, for machines that have no runtime: `deno task compile [--target NAME]… [-o FOLDER]`, by
 * default for the system that this is, into `dist`.
 *
 * It is the package for npm with all packages that are loaded on demand but engines, and the page, put together with the runtime
 * Bun by Bun, for all systems from each of them (decision 0174). Bun is fetched once per system, into the user's cache.
 *
 * @module
 */

import { fromFileUrl, join, resolve } from "@std/path";
import { renewedPage } from "../web/build.ts";
import { cacheFolder, npmInstall, toolPath } from "./tools.ts";
import { code } from "./pack/main.ts";
import { inside } from "./pack/packages.ts";
import { packedPage, PAGE } from "./pack/page.ts";
import { mustBeOneOf, task } from "./task.ts";

/** What Bun is called for each system; for x86-64 the one that needs no processor of the last ten years. */
export const TARGETS: Readonly<Record<string, string>> = {
  "linux-x64": "bun-linux-x64-baseline",
  "linux-arm64": "bun-linux-aarch64",
  "macos-x64": "bun-darwin-x64-baseline",
  "macos-arm64": "bun-darwin-aarch64",
  "windows-x64": "bun-windows-x64-baseline",
  "windows-arm64": "bun-windows-aarch64",
};

/** The version of Bun, which is the one that is tested. */
const VERSION = "1.4.5";

/** What starts: the command, and its threads by their addresses. */
const STARTED = ["command.js", "worker.js", "watchdog_thread.js"];

/** The name of the system that this is. */
export function systemHere(): string {
  const { os, arch } = Deno.build;
  return `${os === "darwin" ? "macos" : os}-${arch === "aarch64" ? "arm64" : "x64"}`;
}

/** Makes the files in `folder`; their paths. */
export async function compile(names: readonly string[], folder: string): Promise<string[]> {
  mustBeOneOf("target", names, Object.keys(TARGETS));
  await Deno.mkdir(folder, { recursive: true });
  const place = await Deno.makeTempDir({ prefix: "tilewise-compile-" });
  try {
    await writeParts(place);
    const paths: string[] = [];
    for (const name of names) paths.push(await compileFor(name, place, resolve(folder)));
    return paths;
  } finally {
    await Deno.remove(place, { recursive: true });
  }
}

/** Writes all that is put together: what is beside the code in the package is below it here. */
async function writeParts(place: string): Promise<void> {
  const files = await code(inside(true));
  const around = /(?<=return new URL\(")\.\.\/(?=",\w+\)\})/;
  const homes = [...files].filter(([, text]) => around.test(text)).map(([path]) => path);
  if (homes.length !== 1) throw new Error(`The place of the code is known to ${homes.join(", ")}`);
  for (const [path, text] of files) await Deno.writeTextFile(join(place, path), text.replace(around, "./"));
  await Deno.mkdir(join(place, "web/dist"), { recursive: true });
  await Deno.writeFile(join(place, PAGE), packedPage(await renewedPage()));
}

async function compileFor(name: string, place: string, folder: string): Promise<string> {
  const path = join(folder, `tilewise-${name}${name.startsWith("windows") ? ".exe" : ""}`);
  const args = [
    "build",
    "--compile",
    `--compile-executable-path=${await runtimeOf(name)}`,
    `--target=${TARGETS[name]}`,
    "--no-compile-autoload-dotenv", // files of the folder in which somebody works are theirs
    "--no-compile-autoload-bunfig",
    "--splitting", // command and threads share their parts
    "--asset=web",
    ...STARTED.map((file) => `./${file}`),
    `--outfile=${path}`,
  ];
  const { success, stdout, stderr } = await new Deno.Command(await toolPath("bun"), { args, cwd: place })
    .output();
  if (!success) {
    const said = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("");
    throw new Error(`bun build --compile for ${name} failed:\n${said}`);
  }
  return path;
}

/** The runtime for a system. */
async function runtimeOf(name: string): Promise<string> {
  const folder = join(cacheFolder(), `${TARGETS[name]}@${VERSION}`);
  const file = name.startsWith("windows") ? "bun.exe" : "bun";
  const path = join(folder, "node_modules/@oven", TARGETS[name]!, "bin", file);
  const isThere = await Deno.stat(path).then(() => true, () => false);
  if (!isThere) await npmInstall(folder, ["--force", `@oven/${TARGETS[name]}@${VERSION}`]); // also of other systems
  return path;
}

if (import.meta.main) {
  const flags = {
    target: { type: "string", multiple: true },
    output: { type: "string", short: "o", default: fromFileUrl(new URL("../dist", import.meta.url)) },
  } as const;
  await task("compile", flags, async ({ target = [systemHere()], output }) => {
    for (const path of await compile(target, output)) {
      console.log(`${path}  ${((await Deno.stat(path)).size / 2 ** 20).toFixed(0)} MiB`);
    }
  });
}

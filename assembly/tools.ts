/**
 * Other runtimes and bundlers: fetched once, when they are needed, into a folder of the user's cache. They are no
 * dependencies of `deno.json`, as everybody would fetch them: 350 MB for a task that few run.
 *
 * @module
 */

import { join } from "@std/path";

const { os, arch } = Deno.build;
const PLATFORM = os === "windows" ? "win" : os;

/** What can be fetched: packages of npm with their versions, and where a file of theirs lies that can be run. */
const TOOLS = {
  node: nodeTool("24.21.0"),
  node22: nodeTool("22.23.3"),
  node20: nodeTool("20.20.2"),
  bun: {
    packages: [`@oven/bun-${os}-${arch === "aarch64" ? arch : "x64"}@1.4.5`],
    file: (name: string) => join(name, "bin", os === "windows" ? "bun.exe" : "bun"),
  },
  vite: { packages: ["vite@8.3.8"], file: (name: string) => join(name, "bin", "vite.js") },
  typescript: { packages: ["typescript@6.0.3"], file: (name: string) => join(name, "bin", "tsc") },
} as const;

/** Node of a version. */
function nodeTool(version: string) {
  return {
    packages: [`node-${PLATFORM}-${arch === "aarch64" ? "arm64" : "x64"}@${version}`] as const,
    file: (name: string) => join(name, "bin", os === "windows" ? "node.exe" : "node"),
  };
}

/** A tool. */
export type Tool = keyof typeof TOOLS;

/** The path of a file of `tool`, which is fetched unless it is there. */
export async function toolPath(tool: Tool): Promise<string> {
  const { packages, file } = TOOLS[tool];
  const name = packages[0].slice(0, packages[0].lastIndexOf("@"));
  const folder = join(cacheFolder(), packages[0].replaceAll("/", "-"));
  const path = join(folder, "node_modules", file(name));
  if (!await exists(path)) await npmInstall(folder, packages);
  return path;
}

/**
 * Installs packages, or a tarball at a path, into `node_modules` of `folder`. `overrides`: what npm takes instead of packages that
 * they ask for.
 */
export async function npmInstall(
  folder: string,
  packages: readonly string[],
  overrides: Readonly<Record<string, string>> = {},
): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  const facts = { private: true, type: "module", overrides };
  await Deno.writeTextFile(join(folder, "package.json"), JSON.stringify(facts));
  const words = ["install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
  const { success, stderr } = await new Deno.Command(os === "windows" ? "npm.cmd" : "npm", {
    args: [...words, ...packages],
    cwd: folder,
  }).output();
  if (!success) {
    throw new Error(`npm install ${packages.join(" ")} failed:\n${new TextDecoder().decode(stderr)}`);
  }
}

/** Where programs and packages are kept that only tests need. */
export function cacheFolder(): string {
  const home = Deno.env.get("HOME") ?? Deno.env.get("USERPROFILE") ?? ".";
  return join(Deno.env.get("XDG_CACHE_HOME") ?? join(home, ".cache"), "tilewise", "tests");
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

/**
 * The packages that are loaded when something needs them: which are there, and how to get the others. And what Deno lets this program
 * do, with the flags for the rest.
 *
 * @module
 */

import { readdir, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { CLUSTER_PACKAGES } from "../../cluster/engine/bullmq/packages.ts";
import { INSIDE } from "../../import_package.ts";
import { type PackageName, PACKAGES, remedyFor } from "../../packages.ts";
import { environment, isGranted } from "../shell/permissions.ts";
import { system } from "../shell/system.ts";
import { type Check, needed, optional } from "./check.ts";

/** What each package is for. */
const PURPOSES: Readonly<Record<PackageName | keyof typeof CLUSTER_PACKAGES, string>> = {
  "assemblyscript/asc": "kernels of your own",
  "aws4fetch": "stores in s3://",
  "bullmq": "engines on Redis and PostgreSQL",
  "fflate": "npz files",
  "h5wasm": "rare filters of HDF5, such as szip",
  "ioredis": "engines on Redis",
  "lerc": "TIFF and Zarr packed with LERC",
  "msgpackr-extract": "engines, faster",
  "numcodecs/zstd": "writing Zstandard",
  "pg": "engines on PostgreSQL",
  "smol-toml": "sparse frames with a .toml file",
};

/** The optional packages. */
export async function partChecks(): Promise<Check[]> {
  const all: Readonly<Record<string, string>> = { ...PACKAGES, ...CLUSTER_PACKAGES };
  const cache = "Deno" in globalThis && !Deno.build.standalone ? denoCache() : "";
  if (cache === undefined || cache !== "" && !isGranted({ name: "read", path: cache })) {
    const text = "which optional packages were fetched may not be known";
    return [optional("packages", false, text, "add --allow-env and --allow-read to see it")];
  }
  return await Promise.all(
    Object.entries(PURPOSES).map(async ([name, purpose]) => {
      const there = await isThere(name, all[name]!, cache);
      return optional(
        name,
        there,
        `${purpose}: ${there ? "there" : "not there yet"}`,
        remedyFor(all[name]!).replace(/^It/, "it"),
      );
    }),
  );
}

/** Whether a package is on this machine, without fetching it; a compiled program has those that are loaded on demand. */
async function isThere(name: string, specifier: string, cache: string): Promise<boolean> {
  if (INSIDE.includes(name)) return true;
  if (!("Deno" in globalThis)) return isInstalled(name);
  if (cache === "") return name in PACKAGES;
  const [, folder, version] = /^npm:((?:@[^/]+\/)?[^/@]+)@([^/]+)/.exec(specifier)!;
  const registries = await readdir(`${cache}/npm`).catch(() => []);
  const found = await Promise.all(
    registries.map((one) => exists(`${cache}/npm/${one}/${folder}/${version}`)),
  );
  return found.includes(true);
}

function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch (error) {
    return (error as { code?: string }).code !== "MODULE_NOT_FOUND"; // others are for `import` alone
  }
}

/** Where Deno keeps packages. */
function denoCache(): string | undefined {
  const own = environment("DENO_DIR");
  if (own) return own;
  const home = environment("HOME") ?? environment("USERPROFILE");
  const base = {
    windows: environment("LOCALAPPDATA"),
    darwin: home && `${home}/Library/Caches`,
  }[system.platform] ?? environment("XDG_CACHE_HOME") ?? (home && `${home}/.cache`);
  return base && `${base}/deno`;
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(() => true, () => false);
}

/** The permissions; none where the runtime has none. */
export function permissionChecks(may: typeof isGranted = isGranted): Check[] {
  if (!("Deno" in globalThis)) return [];
  const here = (name: "read" | "write") => may({ name, path: "." });
  return [
    needed(
      "read",
      here("read"),
      said("this folder may be read", here("read")),
      "add --allow-read=FOLDER, that of your files",
    ),
    optional(
      "write",
      here("write"),
      said("this folder may be written to", here("write")),
      "to save results, add --allow-write=FOLDER, and --allow-read for the same folder",
    ),
    optional(
      "net",
      may({ name: "net" }),
      said("URLs may be opened", may({ name: "net" })),
      "add --allow-net, or --allow-net=HOST",
    ),
    optional(
      "env",
      may({ name: "env" }),
      said("environment variables may be read", may({ name: "env" })),
      "for colours and the cache of compiled kernels, add --allow-env",
    ),
  ];
}

function said(text: string, may: boolean): string {
  return may ? text : text.replace("may be", "may not be");
}

/**
 * The packages that are loaded when they are first needed. Only this file names them.
 *
 * Their names are not written into `import()`: Deno would see them there and fetch all of them before a program starts,
 * for example 15 MB of h5wasm to read a `.npy` file. `deno.json` has the same versions under the same names, for tests
 * and for `deno install`. `offline.ts` imports them where Deno does see them. The package for npm has most of them inside: see
 * `import_package.ts`.
 *
 * @module
 */

import { TilewiseError } from "./errors.ts";
import { importPackage } from "./import_package.ts";
import { checkNames } from "./options.ts";

/** The packages as Deno finds them without an import map, by their names in Node, Bun and bundlers. */
export const PACKAGES = {
  "assemblyscript/asc": "npm:assemblyscript@0.28.20/asc",
  "aws4fetch": "npm:aws4fetch@1.0.20",
  "fflate": "npm:fflate@0.8.3",
  "h5wasm": "npm:h5wasm@0.10.3",
  "lerc": "npm:lerc@3.0.0",
  "numcodecs/zstd": "npm:numcodecs@0.3.2/zstd",
  "smol-toml": "npm:smol-toml@1.9.1",
} as const;

/** The name of a package. */
export type PackageName = keyof typeof PACKAGES;

/**
 * Loads a package with exports of type `T`. Error messages begin with `task`, which says what cannot be done without the
 * package, such as `Cannot read masks.npz`.
 *
 * Errors: `unsupported`, with the reason and a remedy.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const { zipSync } = await loadPackage<{ zipSync(files: object): Uint8Array }>("fflate", "Cannot make a zip archive");
 * assertEquals(zipSync({}).length, 22);
 * ```
 */
export async function loadPackage<T>(name: PackageName, task: string): Promise<T> {
  const specifier: string = "Deno" in globalThis ? PACKAGES[name] : addresses[name] ?? name;
  try {
    return await importPackage(specifier) as T;
  } catch (cause) {
    const [reason] = String(cause instanceof Error ? cause.message : cause).split("\n", 1);
    const text = `${task}: the package ${specifier}, which does it, cannot be loaded (${reason}). ${
      remedyFor(PACKAGES[name])
    }`;
    throw new TilewiseError("unsupported", text, { package: specifier }, { cause });
  }
}

/** Where packages are, by their names, on threads where the names alone lead nowhere. */
let addresses: PackageAddresses = {};

/**
 * Addresses of modules, by the names of packages.
 * @category Packages
 */
export type PackageAddresses = Readonly<Record<string, string>>;

/**
 * Says where packages are that are loaded when they are needed, and whose names alone lead nowhere: `h5wasm` in a page that a
 * bundler has made. Workers are told as well.
 *
 * Errors: `invalid` for the name of a package that is never loaded.
 *
 * @param at addresses of modules, by the names of packages
 *
 * @example
 * ```ts
 * import { usePackages } from "@tilewise/tilewise/unstable/formats";
 * usePackages({ h5wasm: "https://example.org/h5wasm/hdf5_hl.js" });
 * ```
 * @category Packages
 */
export function usePackages(at: PackageAddresses): void {
  checkNames("usePackages() has no option", at, Object.keys(PACKAGES));
  addresses = at;
}

/** Where packages are, for workers: what this page was told, and what its import maps say; elsewhere names are enough. */
export function mappedPackages(): PackageAddresses {
  const { document } = globalThis as { document?: Page };
  if (!document) return addresses;
  const found: Record<string, string> = {};
  for (const { textContent } of document.querySelectorAll('script[type="importmap"]')) {
    const { imports = {} }: { imports?: PackageAddresses } = JSON.parse(textContent); // the browser has read it
    for (const name of Object.keys(PACKAGES)) {
      if (imports[name] !== undefined) found[name] = new URL(imports[name], document.baseURI).href;
    }
  }
  return { ...found, ...addresses };
}

/** The part of a document that is used. */
interface Page {
  readonly baseURI: string;
  querySelectorAll(what: string): Iterable<{ readonly textContent: string }>;
}

/** How to get packages that could not be loaded, in this runtime; they are named as Deno finds them. */
export function remedyFor(...specifiers: readonly string[]): string {
  if ("Deno" in globalThis) {
    return `It is fetched once, when it is needed or ahead of time by "deno cache ${specifiers.join(" ")}"`;
  }
  const names = specifiers.map((one) => one.replace(/^npm:((?:@[^/]+\/)?[^/]+).*$/, "$1")).join(" ");
  return `"npm install ${names}" gets it; a page says where it is, by its import map or usePackages()`;
}

/**
 * What modules import, found in their text; the code of Tilewise that modules of users import: named by its place in Tilewise,
 * wherever that lies on a machine, and compared by its bytes.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { sha256Of } from "../../io/hash.ts";
import { home, placeOf } from "../../place.ts";
import { VERSION } from "../../version.ts";
import type { ModuleIdentity } from "./manifest.ts";

/** The specifiers of static and dynamic imports, and of exports from other modules. */
export function importsIn(text: string): string[] {
  const found = text.matchAll(/\b(?:from|import)\s*\(?\s*(["'])([^"'\n]+)\1/g);
  return [...new Set([...found].map(([, , specifier]) => specifier ?? ""))];
}

/**
 * The module that a specifier stands for in the module `importer`: its URL, or the specifier of a package with its version
 * (`npm:x@1.0.0`). Names are looked up as the runtime does it; one that it does not know stays as it is.
 */
export async function resolved(specifier: string, importer: string): Promise<string> {
  if (/^(\.{0,2}\/|file:|https?:)/.test(specifier)) {
    return URL.canParse(specifier, importer) ? new URL(specifier, importer).href : specifier;
  }
  if (/^\w{2,}:/.test(specifier)) return specifier;
  try {
    return "Deno" in globalThis ? known(specifier) : await installed(specifier, importer);
  } catch {
    return specifier;
  }
}

/** The module that Deno knows by this name. A package lies in a folder of its own on every machine, so it stands for itself. */
function known(specifier: string): string {
  const url = import.meta.resolve(specifier);
  const [, name, version] = /\/npm\/[^/]+\/((?:@[^/]+\/)?[^/]+)\/(\d[^/]*)\//.exec(url) ?? [];
  return name ? `npm:${name}@${version}` : url;
}

/** The module of a package that is installed beside `importer`, in Node and Bun. */
async function installed(specifier: string, importer: string): Promise<string> {
  const [{ createRequire, isBuiltin }, { pathToFileURL }] = await Promise.all([
    import("node:module"),
    import("node:url"),
  ]);
  if (isBuiltin(specifier)) return `node:${specifier}`;
  return pathToFileURL(createRequire(importer).resolve(specifier)).href;
}

/** What names of modules of Tilewise begin with. */
const SCHEME = "tilewise:";

const PACKAGE = "@tilewise/tilewise";

/** Digests of modules with all that they import: the code of this process does not change while it runs. */
const digests = new Map<string, Promise<string>>();

/** Whether the module of a manifest is one of Tilewise. */
export function isOwn({ url }: Pick<ModuleIdentity, "url">): boolean {
  return url.startsWith(SCHEME);
}

/** Whether a specifier is that of this version of Tilewise in a registry; its version is compared, and names its code. */
export function isOwnPackage(specifier: string): boolean {
  const found = new RegExp(`^(?:jsr|npm):/?${PACKAGE}(?:@([^/]*))?(?:/|$)`).exec(specifier);
  return found !== null && admits(found[1] ?? "*", VERSION);
}

/** Whether a range of versions (`1.2.3`, `^1.2.3`, `~1.2.3`, `1.2`, `*`) has this one. */
export function admits(range: string, version: string): boolean {
  const [, sign, text = ""] = /^([\^~]?)([\d.*]+)$/.exec(range) ?? [];
  const [least, found] = [text, version].map((one) =>
    one.split(".").filter((part) => part !== "*").map(Number)
  );
  if (!least || !found || sign === undefined) return false;
  const first = sign === "^" ? 1 + Math.max(0, least.findIndex((part) => part > 0)) : least.length;
  const same = sign === "~" ? Math.min(2, least.length) : first;
  if (least.slice(0, same).some((part, i) => part !== found[i])) return false;
  const differs = least.findIndex((part, i) => part !== found[i]);
  return differs < 0 || least[differs]! < found[differs]!;
}

/**
 * What a manifest says of a module of Tilewise: where it lies in Tilewise, and the digest of it and all that it imports;
 * `undefined` for a module of users.
 */
export async function ownIdentity(url: string): Promise<ModuleIdentity | undefined> {
  const place = placeOf(url);
  if (place === undefined) return undefined;
  const own = `${SCHEME}${place}`;
  if (home().protocol !== "file:") return { url: own }; // a registry: the version names the code
  const digest = digests.get(url) ?? ownDigest(url);
  digests.set(url, digest);
  return { url: own, sha256: await digest };
}

/** SHA-256 of a module of Tilewise and of all that it imports, in the order of their names. */
async function ownDigest(url: string): Promise<string> {
  const files = new Map<string, Promise<Uint8Array>>();
  await reach(url, files);
  const sorted = [...files].sort(([a], [b]) => a < b ? -1 : 1);
  const texts = await Promise.all(sorted.map(async ([url, bytes]) => {
    return [new TextEncoder().encode(`${placeOf(url)}\n`), await bytes];
  }));
  return await sha256Of(texts.flat());
}

async function reach(url: string, files: Map<string, Promise<Uint8Array>>): Promise<void> {
  if (files.has(url)) return;
  const bytes = ownText(url);
  files.set(url, bytes);
  const near = importsIn(new TextDecoder().decode(await bytes)).filter((specifier) =>
    /^\.\.?\//.test(specifier)
  );
  await Promise.all(near.map((specifier) => reach(new URL(specifier, url).href, files)));
}

async function ownText(url: string): Promise<Uint8Array> {
  const { readFile } = await import("node:fs/promises");
  try {
    return await readFile(new URL(url));
  } catch (cause) {
    if ((cause as { code?: string }).code === "ENOENT") return new Uint8Array(); // an example in a comment
    const text = `Cannot read ${url}, whose code other machines must have as well; allow reading it`;
    throw new TilewiseError("permission", text, { file: url }, { cause });
  }
}

/**
 * Which code a run needs: the modules of users with all modules that they import, and their digests.
 *
 * Imports are found in the text, so a comment that looks like an import counts as one: that adds a digest, never loses
 * one. Specifiers of packages stand for themselves, as they name a version; modules of Tilewise have that of Tilewise.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { sha256 } from "../../io/hash.ts";
import type { ModuleIdentity } from "./manifest.ts";

/** The folder of Tilewise. */
const OWN = new URL("../../../", import.meta.url).href;

/** The modules at `urls` and all that they import, in the order of their URLs. Errors: `not-found`. */
export async function moduleIdentities(urls: readonly string[]): Promise<ModuleIdentity[]> {
  const found = new Map<string, ModuleIdentity>();
  for (const url of urls) {
    if (!await visit(url, found)) {
      throw new TilewiseError("not-found", `Cannot read the module ${url}`, { file: url });
    }
  }
  return [...found.values()].sort((a, b) => a.url < b.url ? -1 : 1);
}

/** Adds a module and what it imports; `false`: it cannot be read. */
async function visit(url: string, found: Map<string, ModuleIdentity>): Promise<boolean> {
  if (found.has(url)) return true;
  const bytes = await textOf(url).catch(() => undefined);
  if (!bytes) return false;
  found.set(url, { url, sha256: await sha256(bytes) });
  for (const specifier of importsIn(new TextDecoder().decode(bytes))) {
    if (!/^(\.{0,2}\/|file:|https?:)/.test(specifier)) found.set(specifier, { url: specifier });
    else if (URL.canParse(specifier, url)) await follow(new URL(specifier, url).href, found);
  }
  return true;
}

/** Modules of Tilewise belong to its version, unless they are where users write: tests and examples. */
async function follow(url: string, found: Map<string, ModuleIdentity>): Promise<void> {
  const isOurs = url.startsWith(`${OWN}src/`) || url === `${OWN}mod.ts`;
  if (!isOurs) await visit(url, found);
}

/** The specifiers of static and dynamic imports, and of exports from other modules. */
function importsIn(text: string): string[] {
  const found = text.matchAll(/\b(?:from|import)\s*\(?\s*(["'])([^"'\n]+)\1/g);
  return [...new Set([...found].map(([, , specifier]) => specifier ?? ""))];
}

async function textOf(url: string): Promise<Uint8Array> {
  const { protocol } = new URL(url);
  if (protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    return await readFile(new URL(url.replace(/[?#].*$/, "")));
  }
  const answer = await fetch(url);
  if (!answer.ok) throw new TilewiseError("io", `Cannot read ${url}: ${answer.status}`, { file: url });
  return new Uint8Array(await answer.arrayBuffer());
}

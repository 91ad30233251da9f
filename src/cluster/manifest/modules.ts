/**
 * Which code a run needs: the modules of users with all modules that they import, and their digests.
 *
 * Specifiers of packages stand for themselves, as they name a version. Modules of the runtime are left out, since its version
 * is compared.
 *
 * @module
 */

import { cannot, TilewiseError } from "../../errors.ts";
import { sha256 } from "../../io/hash.ts";
import { importsIn, isOwnPackage, ownIdentity, resolved } from "./own.ts";
import type { ModuleIdentity } from "./manifest.ts";

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
    await follow(await resolved(specifier, url), found);
  }
  return true;
}

async function follow(url: string, found: Map<string, ModuleIdentity>): Promise<void> {
  if (url.startsWith("node:") || isOwnPackage(url)) return;
  const own = await ownIdentity(url);
  if (own) found.set(own.url, own);
  else if (/^(file|https?):/.test(url)) await visit(url, found);
  else found.set(url, { url });
}

async function textOf(url: string): Promise<Uint8Array> {
  const { protocol } = new URL(url);
  if (protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    return await readFile(new URL(url.replace(/[?#].*$/, "")));
  }
  const answer = await fetch(url);
  if (!answer.ok) throw cannot("read", url, "io", String(answer.status));
  return new Uint8Array(await answer.arrayBuffer());
}

/**
 * Whether this machine has the code of a run: refused by name before anything is computed.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { kernelsDigest } from "../../kernels/digest.ts";
import { PACKS } from "../../kernels/families/packs.ts";
import { VERSION } from "../../version.ts";
import { runtimeHere } from "./here.ts";
import type { ClusterManifest, ModuleIdentity } from "./manifest.ts";
import { moduleIdentities } from "./modules.ts";
import { isOwn } from "./own.ts";

/**
 * Compares versions, kernels and modules of users with those of the manifest. No module is imported.
 *
 * Errors: `unsupported` for another version of Tilewise or of the runtime, or other kernels; `changed` for another module.
 */
export async function checkHere(manifest: ClusterManifest): Promise<void> {
  const { tilewise, runtime, kernels, modules } = manifest;
  mustEqual("Tilewise", tilewise, VERSION);
  mustEqual("the runtime", runtime, runtimeHere());
  mustEqual(
    "the kernels",
    kernels.sha256,
    await kernelsDigest(PACKS.filter((pack) => kernels.packs.includes(pack))),
  );
  const found = await moduleIdentities(ofUsers(modules).map(({ url }) => url));
  for (const module of modules) {
    const { url, sha256 } = module;
    const now = found.find((one) => one.url === url)?.sha256;
    if (isOwn(module)) mustEqual(`the code of Tilewise (${url})`, sha256 ?? tilewise, now ?? tilewise);
    else if (now !== sha256) throw otherModule(url, sha256 ?? "", now ?? "unreadable");
  }
  const more = found.find(({ url }) => !modules.some((known) => known.url === url));
  if (more) throw otherModule(more.url, "not there", more.sha256 ?? "a package");
}

/** The modules of users that were read, without those of Tilewise and of packages. */
export function ofUsers(modules: readonly ModuleIdentity[]): ModuleIdentity[] {
  return modules.filter((module) => module.sha256 !== undefined && !isOwn(module));
}

function mustEqual(what: string, expected: string, found: string): void {
  if (expected === found) return;
  const text =
    `This machine cannot take part in the run: it was planned with ${expected} of ${what}, here is ` +
    `${found}. Nothing was computed; install the same on all machines`;
  throw new TilewiseError("unsupported", text, { what, expected, found });
}

function otherModule(file: string, expected: string, found: string): TilewiseError {
  const text = `The module ${file} is not the one that the run was planned with (SHA-256 ${expected}, here ` +
    `${found}). Nothing was computed; use the same code everywhere, or plan a new run in a new store`;
  return new TilewiseError("changed", text, { file, expected, found });
}

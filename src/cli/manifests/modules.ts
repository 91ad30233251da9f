/**
 * Modules that a manifest names may be code of other people: `replay` imports only those that the user allows.
 *
 * @module
 */

import { readFile } from "node:fs/promises";
import { cannot, type TilewiseError } from "../../errors.ts";
import { fileError } from "../../io/file/error.ts";
import { sha256 } from "../../io/hash.ts";
import type { ManifestCommand } from "../../udf/results/manifest.ts";
import type { Arguments } from "../shell/args.ts";
import { type CliIo, printable } from "../shell/io.ts";
import { moduleUrl } from "../shell/module_url.ts";
import type { Flag } from "../shell/verb.ts";

/** The flag that allows modules. */
export const ALLOW_MODULES: Flag = {
  name: "allow-modules",
  value: "PATH,…",
  optional: true,
  help: "import these modules that manifests name; without a path, all of them",
};

/** SHA-256 of the modules that can be read as files, by the name that was typed. */
export async function moduleDigests(modules: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const entries = modules.map(async (name) => [name, await digestOf(name).catch(() => undefined)] as const);
  const known = (await Promise.all(entries)).filter((entry): entry is [string, string] =>
    entry[1] !== undefined
  );
  return Object.fromEntries(known);
}

/** Returns if the user allows every one of the `modules` of a command, and says which of them are not as recorded. */
export async function allowModules(
  manifest: string,
  recorded: ManifestCommand,
  modules: readonly string[],
  args: Arguments,
  io: CliIo,
): Promise<void> {
  for (const module of modules) {
    const expected = recorded.modules?.[module];
    const isLocal = moduleUrl(module).startsWith("file:"); // others are fetched only once they are allowed
    const changed = isLocal && expected !== undefined && await digestOf(module) !== expected;
    if (changed) io.err(`tilewise: warning: ${printable(module)} is not the module that the run used\n`);
    if (isAllowed(module, args)) continue;
    const about = `${printable(manifest)} names the module ${printable(module)}`;
    const isConfirmed = await io.ask?.(`tilewise: ${about}: its code would run. Import it? [y/N] `);
    if (!isConfirmed) throw refusal(manifest, module);
  }
}

/** Of these modules, those that are allowed, with all that they import. */
export async function allowedWithImports(modules: readonly string[], args: Arguments): Promise<Set<string>> {
  const roots = modules.filter((module) => isAllowed(module, args));
  const { moduleIdentities } = await import("../../cluster/manifest/modules.ts");
  return new Set((await moduleIdentities(roots)).map(({ url }) => url));
}

function isAllowed(module: string, args: Arguments): boolean {
  const texts = args.texts(ALLOW_MODULES.name);
  const paths = texts.flatMap((text) => [text, ...text.split(",")]).filter((path) => path !== "");
  return texts.includes("") || paths.some((path) => moduleUrl(path) === moduleUrl(module));
}

function refusal(manifest: string, module: string): TilewiseError {
  const text = `it names the module ${module}, whose code would run; read it, then allow ` +
    `it with --allow-modules=${module}, or all modules with --allow-modules`;
  return cannot("use", manifest, "permission", text, { found: module });
}

async function digestOf(module: string): Promise<string> {
  try {
    return await sha256(await readFile(new URL(moduleUrl(module))));
  } catch (cause) {
    throw fileError(module, cause);
  }
}

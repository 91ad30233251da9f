/**
 * What modules import, found in their text, and what their specifiers stand for.
 *
 * A comment that looks like an import counts as one: that adds a digest, never loses one.
 *
 * @module
 */

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

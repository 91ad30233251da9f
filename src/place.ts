/**
 * Where the code of Tilewise lies: its modules in `src/` of a checkout, its files in `dist/` of the package for npm.
 *
 * The address is kept in a constant: bundlers that see `new URL("…", import.meta.url)` look for a file to bundle.
 *
 * @module
 */

const HERE = import.meta.url;

/** The folder with the code. */
export function codeFolder(): URL {
  return new URL("./", HERE);
}

/** What names of jobs of Tilewise begin with in the package, whose files have many modules. */
const NAMED = "tilewise:code/";

/** Whether a module that a job names is one of Tilewise. */
export function isOwnModule(module: string): boolean {
  return module.startsWith(NAMED) || module.startsWith(codeFolder().href);
}

/** The folder around that of the code: a checkout, or a package. */
export function home(): URL {
  return new URL("../", HERE);
}

/** The place of a module in Tilewise, such as `src/run.ts`; `undefined` for modules of users. */
export function placeOf(module: string): string | undefined {
  const { href } = home();
  const place = module.startsWith(href) ? module.slice(href.length) : "";
  return /^(src\/|dist\/|mod\.ts$)/.test(place) ? place : undefined;
}

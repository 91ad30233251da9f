/**
 * Files that others name: where they may lie.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";

/**
 * The path, or URL, of the file `name` beside `base` or below one of `more` folders. Errors: `invalid` (with the option `root` in
 * its details) for one that lies elsewhere, `not-found`.
 */
export async function pathBeside(
  base: string,
  name: string,
  ...more: readonly (string | undefined)[]
): Promise<string> {
  if (!/^https?:/i.test(base)) {
    const { pathInside } = await import("./file/folder.ts");
    return pathInside(base, name.replaceAll("\\", "/"), ...more);
  }
  const url = new URL(name.split(/[/\\]/).map(encodeURIComponent).join("/"), base).href;
  const roots = more.flatMap((root) => root === undefined ? [] : [root.replace(/\/*$/, "/")]);
  const isAbsolute = /^([/\\]|[a-z]+:)/i.test(name);
  if (!isAbsolute && [new URL(".", base).href, ...roots].some((one) => url.startsWith(one))) return url;
  const text =
    `Cannot open ${name}, which ${base} names: it must lie beside it, or below the place that the ` +
    "option root names";
  throw new TilewiseError("invalid", text, { file: name, found: url, option: "root" });
}

/**
 * Whether all links of a built site lead somewhere: to a file, and to an anchor in it.
 *
 * @module
 */

import { dirname, join } from "@std/path";

/** Throws with the list of links that lead nowhere. */
export async function checkLinks(folder: string): Promise<void> {
  const pages = new Map<string, string>();
  for (const path of htmlFiles(folder)) pages.set(path, await Deno.readTextFile(path));
  const broken = [...pages].flatMap(([path, text]) =>
    [...linksOf(text).filter((link) => !leadsTo(link, path, folder, pages)), ...picturesWithout(text)].map((
      link,
    ) => `${path.slice(folder.length + 1)}: ${link}`)
  );
  if (broken.length > 0) throw new Error(`Links that lead nowhere:\n${broken.join("\n")}`);
}

function* htmlFiles(folder: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    const path = join(folder, name);
    if (isDirectory) yield* htmlFiles(path);
    else if (name.endsWith(".html")) yield path;
  }
}

/** Pictures that name no file: the generator leaves the name out where it finds none. */
function picturesWithout(html: string): string[] {
  return [...html.matchAll(/<img\b[^>]*>/g)].map(([tag]) => tag).filter((tag) => !/\ssrc="[^"]/.test(tag));
}

/** Links and pictures within the site. */
export function linksOf(html: string): string[] {
  const found = [...html.matchAll(/<(?:a|img|link|script)\b[^>]*?\s(?:href|src)="([^"]*)"/g)];
  return [...new Set(found.map(([, link]) => decodeURIComponent(link!.replaceAll("&amp;", "&"))))]
    .filter((link) => !/^[a-z]+:/.test(link));
}

function leadsTo(link: string, from: string, folder: string, pages: ReadonlyMap<string, string>): boolean {
  const [path = "", anchor] = link.replace(/\?[^#]*/, "").split("#");
  const asked = path === "" ? from : join(path.startsWith("/") ? folder : dirname(from), path);
  const file = [asked, `${asked}.html`, join(asked, "index.html")].find((name) => isFile(name));
  if (file === undefined) return false;
  return anchor === undefined || anchor === "" || (pages.get(file) ?? "").includes(` id="${anchor}"`);
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

/**
 * Copies pages to where the site is built, with links that fit there.
 *
 * @module
 */

import { dirname, fromFileUrl, join, relative } from "@std/path";
import { placeOf } from "./pages.ts";

/** The checkout. */
export const ROOT = fromFileUrl(new URL("../../", import.meta.url));

/** A link or a picture: what stands before its target, the target, what follows. */
const LINK = /(\]\()([^)\s]+)(\))/g;

/** Blocks and spans of code: links in them are text. */
const CODE = /^ *```[\s\S]*?^ *```|`[^`\n]+`/gm;

/** What has been copied, and what is still to be copied. */
export class Stage {
  readonly #folder: string;
  readonly #wanted = new Set<string>();

  /** Pages go to `folder`. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Writes a page of the site at its place there. */
  async write(place: string, text: string): Promise<void> {
    const path = join(this.#folder, place);
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeTextFile(path, text);
  }

  /** Copies files of the checkout, and all that they link to. */
  async copy(paths: Iterable<string>): Promise<void> {
    const left = [...paths];
    for (let path = left.pop(); path !== undefined; path = left.pop()) {
      if (this.#wanted.has(path)) continue;
      this.#wanted.add(path);
      left.push(...await this.#copyOne(path));
    }
  }

  /** Copies one file; what it links to. */
  async #copyOne(path: string): Promise<string[]> {
    const source = join(ROOT, path);
    if ((await Deno.stat(source)).isDirectory) return await this.#list(path);
    if (/\.(png|svg)$/.test(path)) {
      await Deno.mkdir(dirname(join(this.#folder, placeOf(path))), { recursive: true });
      await Deno.copyFile(source, join(this.#folder, placeOf(path)));
      return [];
    }
    const text = await Deno.readTextFile(source);
    if (!path.endsWith(".md")) {
      await this.write(placeOf(path), `# ${path}\n\n${fenced(path, text)}`);
      return [];
    }
    const { page, targets } = relinked(path, text);
    await this.write(placeOf(path), page);
    return targets;
  }

  /** Writes a page that lists the files of a folder; those are wanted as well. */
  async #list(folder: string): Promise<string[]> {
    const path = folder.replace(/\/$/, "");
    const files = [...Deno.readDirSync(join(ROOT, path))].filter(({ isFile, name }) => isFile && isText(name))
      .map(({ name }) => `${path}/${name}`).toSorted();
    const lines = files.map((file) => `- [${file}](${linkBetween(placeOf(path), placeOf(file))})`);
    await this.write(placeOf(path), `# ${path}\n\n${lines.join("\n")}\n`);
    return files;
  }
}

function isText(name: string): boolean {
  return /\.(ts|md|html|css|mjs|py|ipynb)$/.test(name);
}

/** Text as a block of code. */
export function fenced(path: string, text: string): string {
  const ending = path.split(".").at(-1)!;
  const language = { ipynb: "json", mjs: "js" }[ending] ?? ending;
  const fence = "`".repeat(Math.max(3, ...[...text.matchAll(/`{3,}/g)].map(([{ length }]) => length + 1)));
  return `${fence}${language}\n${text.trimEnd()}\n${fence}\n`;
}

/** A page with links that fit its place in the site, and the files of the checkout that it links to. */
export function relinked(path: string, text: string): { page: string; targets: string[] } {
  const targets: string[] = [];
  const page = outsideCode(
    text,
    (part) =>
      part.replace(LINK, (whole, before: string, target: string, after: string) => {
        if (/^([a-z]+:|#|\/)/.test(target)) return whole;
        const [file, anchor] = target.split("#");
        const found = targetOf(path, file!);
        targets.push(found);
        const link = linkBetween(placeOf(path), placeOf(found));
        return `${before}${link}${anchor === undefined ? "" : `#${anchor}`}${after}`;
      }),
  );
  return { page, targets };
}

/** The file or folder of the checkout that a page links to; that of decisions is their list. */
function targetOf(path: string, link: string): string {
  const found = join(dirname(path), link).replace(/\/$/, "");
  return found === "docs/decisions" ? `${found}/README.md` : found;
}

/** The link from one page of the site to another. */
export function linkBetween(from: string, to: string): string {
  const path = relative(dirname(from), to);
  return path.startsWith(".") ? path : `./${path}`;
}

/** Changes what is not code. A name in code may be the text of a link: it is put back where it stood. */
function outsideCode(text: string, change: (part: string) => string): string {
  const kept: string[] = [];
  const marked = text.replace(CODE, (code) => `\u{E000}${kept.push(code) - 1}\u{E001}`);
  return change(marked).replaceAll(/\u{E000}(\d+)\u{E001}/gu, (_, i: string) => kept[Number(i)]!);
}

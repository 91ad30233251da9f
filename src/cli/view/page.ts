/**
 * The built page, as the server sends it: only names that the build has given, nothing from the file system.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { TilewiseError } from "../../errors.ts";
import { deniedError, isDenied } from "../../io/source/permission.ts";
import { codeOf } from "../../io/file/error.ts";
import { home } from "../../place.ts";
import { VERSION } from "../../version.ts";

/** All files of the page in one, beside the code in a checkout and on JSR; the package for npm has it packed, with `.br`. */
const PAGE = new URL("web/dist/page.json", home());

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  json: "application/json",
};

/** A file of the page. */
export class PageFile {
  /** Its entity tag, without quotes. */
  readonly etag: string;
  /** What it is. */
  readonly type: string;
  /** How long browsers keep it: names with a digest for good, others ask each time. */
  readonly cache: string;
  #plain: Uint8Array | undefined;
  #packed: Uint8Array | undefined;

  /** The file at `path`: packed with gzip, or as text. */
  constructor(path: string, content: Uint8Array | string) {
    if (typeof content === "string") this.#plain = Buffer.from(content);
    else this.#packed = content;
    this.etag = createHash("sha256").update(content).digest("base64url").slice(0, 22);
    this.type = TYPES[path.replace(/^.*\./, "")] ?? "application/octet-stream";
    this.cache = /^p-[0-9a-f]{16}\//.test(path) ? "public, max-age=31536000, immutable" : "no-cache";
  }

  /** Its bytes. */
  get plain(): Uint8Array {
    return this.#plain ??= gunzipSync(this.#packed!);
  }

  /** Its bytes as a browser takes them that accepts these encodings. */
  encoded(accepted: string): { readonly bytes: Uint8Array; readonly encoding?: string } {
    if (!accepts(accepted, "gzip")) return { bytes: this.plain };
    return { bytes: this.#packed ??= gzipSync(this.#plain!), encoding: "gzip" };
  }
}

/** Files by path; the empty path is the page itself. */
export type Page = ReadonlyMap<string, PageFile>;

/** The page. Errors: `not-found` if it was not built, `permission`. */
export async function builtPage(place: URL = PAGE): Promise<Page> {
  const files = (await filesAt(place)).map(([path, content]) => {
    if (path !== "index.html") return [path, new PageFile(path, content)] as const;
    const html = typeof content === "string" ? content : gunzipSync(content).toString();
    return ["", new PageFile(path, marked(html))] as const;
  });
  return new Map(files);
}

/** Files by path: packed with gzip, or as text. */
async function filesAt(place: URL): Promise<[path: string, content: Uint8Array | string][]> {
  const packed = place.protocol === "file:"
    ? await readFile(new URL(`${place}.br`)).catch(() => {})
    : undefined;
  if (packed) return Object.entries(JSON.parse(brotliDecompressSync(packed).toString()));
  return Object.entries(await packedAt(place)).map(([path, text]) => [path, Buffer.from(text, "base64")]);
}

/** Files by path: packed with gzip, as base64. */
async function packedAt(place: URL): Promise<Readonly<Record<string, string>>> {
  try {
    if (place.protocol === "file:") return JSON.parse(await readFile(place, "utf8"));
    return (await import(place.href, { with: { type: "json" } })).default; // from JSR, which keeps it as it keeps code
  } catch (error) {
    const problem = "Cannot show the page";
    if (isDenied(error)) throw deniedError(problem, error, { file: place.href });
    const isMissing = codeOf(error) === "ENOENT";
    const text = isMissing
      ? `${problem}: it has not been built; in a checkout, deno task view builds and shows it`
      : `${problem}: ${error instanceof Error ? error.message : error}`;
    throw new TilewiseError(isMissing ? "not-found" : "io", text, { file: place.href }, { cause: error });
  }
}

/** Says in the page that this server has sources. */
function marked(html: string): string {
  return html.replace("</title>", `</title>\n    <meta name="tilewise-served" content="${VERSION}">`);
}

/** Whether a header `Accept-Encoding` names an encoding, and not with weight 0. */
function accepts(header: string, encoding: string): boolean {
  return header.split(",").some((one) => {
    const [name, ...parameters] = one.split(";").map((part) => part.trim().toLowerCase());
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}

/**
 * What the server of this page has to show, if it is `tilewise view`; on other servers there is nothing, and nobody is asked.
 *
 * @module
 */

/// <reference lib="dom" />

import { TilewiseError } from "../../src/errors.ts";

/** A source that was named on the command line. */
export interface ServedSource {
  /** Its name. */
  readonly name: string;
  /** Its address, as it stands in that of the page. */
  readonly url: string;
  /** What to give to `open`: the addresses of all files that belong together, or one address. */
  readonly files: readonly string[];
  /** Options of `open`, as text. */
  readonly options: Readonly<Record<string, string>>;
}

/** Where the list of sources is. */
const LIST = "data/sources.json";

let listed: Promise<readonly ServedSource[]> | undefined;

/**
 * Takes the token out of the address of the page and exchanges it for a cookie that scripts cannot read. To be called before
 * the address is read. Errors: `permission` if the server refuses it, `io` if it does not answer.
 */
export async function enter(): Promise<void> {
  const { token, rest } = withoutToken(location.hash);
  if (token === undefined) return;
  history.replaceState(history.state, "", `${location.pathname}${location.search}${rest}`);
  listed = ask({ authorization: `Bearer ${token}` });
  await listed;
}

/** All that was named on the command line; nothing on a server that is not `tilewise view`. */
export async function servedSources(): Promise<readonly ServedSource[]> {
  if (!isServed()) return [];
  return await (listed ??= ask({}));
}

/** What to give to `open` for an address: all files of a series that the server has under it; else the address itself. */
export async function servedInput(url: string): Promise<string | readonly string[]> {
  const absolute = new URL(url, document.baseURI).href;
  if (!absolute.startsWith(new URL("data/", document.baseURI).href)) return url;
  const found = (await servedSources()).find((source) =>
    new URL(source.url, document.baseURI).href === absolute
  );
  const files = (found?.files ?? [url]).map((file) => new URL(file, document.baseURI).href);
  return files.length === 1 ? files[0]! : files;
}

/**
 * The token in the fragment of an address, and the fragment without it.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(withoutToken("#token=abc&v=1&at=3,5"), { token: "abc", rest: "#v=1&at=3,5" });
 * assertEquals(withoutToken("#v=1"), { token: undefined, rest: "#v=1" });
 * ```
 */
export function withoutToken(hash: string): { readonly token: string | undefined; readonly rest: string } {
  const parts = hash.replace(/^#/, "").split("&").filter((part) => part !== "");
  const token = parts.find((part) => part.startsWith("token="))?.slice("token=".length);
  const rest = parts.filter((part) => !part.startsWith("token=")).join("&");
  return { token, rest: rest === "" ? "" : `#${rest}` };
}

/** Whether the server of this page is `tilewise view`, which says so in the page. */
function isServed(): boolean {
  return document.querySelector('meta[name="tilewise-served"]') !== null;
}

async function ask(headers: Readonly<Record<string, string>>): Promise<readonly ServedSource[]> {
  const response = await fetch(new URL(LIST, document.baseURI), { headers, cache: "no-store" })
    .catch((cause) => {
      const text = "Cannot reach tilewise view: is the command still running?";
      throw new TilewiseError("io", text, { file: LIST }, { cause });
    });
  if (response.ok) return (await response.json()).sources;
  const text = "tilewise view refuses this page: open the link that the command has printed";
  throw new TilewiseError("permission", text, { file: LIST, found: response.status });
}

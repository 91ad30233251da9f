/**
 * Servers of other origins, as a page sees them: browsers hide answers and headers that these servers do not open to it.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";

/** Headers of answers that a page needs, and that browsers hide unless the server names them. */
export const NEEDED_HEADERS = "Content-Range, Content-Length, ETag, Last-Modified";

/** The part of `location` that is used. */
interface Here {
  readonly protocol: string;
  readonly origin: string;
}

/** The origin of this page, if this is a page and `url` is of another origin. */
export function foreignTo({ origin }: URL): string | undefined {
  const here: Here | undefined = globalThis.location;
  return here?.protocol.startsWith("http") && here.origin !== origin ? here.origin : undefined;
}

/**
 * The error for a request that the browser has refused, if it was the browser: then the server answers requests whose answer the
 * page may not see. `undefined` if the server cannot be reached, or if this cannot be seen, as in isolated pages.
 */
export async function refusedByBrowser(
  url: URL,
  name: string,
  own: Readonly<Record<string, string>>,
  fetch: (url: URL, init: RequestInit) => Promise<Response>,
  signal: AbortSignal,
  cause: unknown,
): Promise<TilewiseError | undefined> {
  const here = foreignTo(url);
  if (here === undefined || !(cause instanceof TypeError)) return undefined;
  if (here.startsWith("https:") && url.protocol === "http:") {
    const text =
      `Cannot read ${name}: a page that was loaded by https may not read from http; use an https URL`;
    return new TilewiseError("permission", text, { file: name, expected: "https:", found: "http:" }, {
      cause,
    });
  }
  try {
    const answer = await fetch(url, { mode: "no-cors", method: "HEAD", cache: "no-store", signal });
    await answer.body?.cancel();
  } catch {
    return undefined;
  }
  const expected = `Access-Control-Allow-Origin: ${here}`;
  const names = Object.keys(own);
  const more = names.length > 0 ? `, "Access-Control-Allow-Headers: Range, ${names.join(", ")}"` : "";
  const text = `Cannot read ${name}: its server does not let pages of ${here} read it; it must answer with ` +
    `"${expected}"${more} and "Access-Control-Expose-Headers: ${NEEDED_HEADERS}"; or download the file and open it`;
  return new TilewiseError("permission", text, { file: name, expected }, { cause });
}

/** What else than the connection may be the reason that a page gets no answer: browsers do not say. */
export function otherReasons(url: URL): string {
  const here = foreignTo(url);
  if (here === undefined) return "";
  return `. If its server can be reached, it must answer with "Access-Control-Allow-Origin: ${here}", and the ` +
    "Content-Security-Policy of this page must let it connect there (connect-src)";
}

/** The error for an answer whose headers a page may not see, if that is the reason why they are missing. */
export function hiddenHeaders(url: URL, name: string): TilewiseError | undefined {
  if (foreignTo(url) === undefined) return undefined;
  const expected = `Access-Control-Expose-Headers: ${NEEDED_HEADERS}`;
  const text = `Cannot read ${name} in parts: this page may not see which bytes its server has sent; ` +
    `the server must answer with "${expected}"`;
  return new TilewiseError("permission", text, { file: name, expected });
}

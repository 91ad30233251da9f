/**
 * One HTTP request, with redirects, deadlines, refusals and broken connections.
 *
 * @module
 */

import { abortedError, cannot, type ErrorCode, throwIfAborted, TilewiseError } from "../../errors.ts";
import { isPromise } from "../../options.ts";
import { parseUrl } from "../../portable.ts";
import { deniedError, isDenied } from "../source/permission.ts";
import { type HttpTimeouts, TransientError, Watch } from "../source/watch.ts";

// Servers of other origins, as a page sees them: browsers hide answers and headers that these servers do not open to it.

/** Headers of answers that a page needs, and that browsers hide unless the server names them. */
const NEEDED_HEADERS = "Content-Range, Content-Length, ETag, Last-Modified";

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
async function refusedByBrowser(
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
    const text = "a page that was loaded by https may not read from http; use an https URL";
    return cannot("read", name, "permission", text, { expected: "https:", found: "http:" }, {
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
  const text = `its server does not let pages of ${here} read it; it must answer with ` +
    `"${expected}"${more} and "Access-Control-Expose-Headers: ${NEEDED_HEADERS}"; or download the file and open it`;
  return cannot("read", name, "permission", text, { expected }, { cause });
}

/** What else than the connection may be the reason that a page gets no answer: browsers do not say. */
function otherReasons(url: URL): string {
  const here = foreignTo(url);
  if (here === undefined) return "; is the name of the server right, and is there a network?";
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

/**
 * The part of `fetch` that is used, so that another function can replace it.
 * @category Data sets
 */
export type Fetch = (url: URL, init: RequestInit) => Promise<Response>;

/** Everything about one request. */
export interface Ask extends HttpTimeouts {
  /** Where to. */
  readonly url: URL;
  /** Headers of the user: sent to this origin only, not to other origins after redirects. */
  readonly own: Readonly<Record<string, string>>;
  /** Headers of the protocol: also sent after redirects. */
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes that the answer should have; the deadline grows with them. */
  readonly length: number;
  /** Sends the request. */
  readonly fetch: Fetch;
  /** Whether a URL may be asked; called for every redirect too. */
  readonly allow?: (url: URL) => boolean;
  /** Cancels. */
  readonly signal?: AbortSignal;
}

/** Redirects that are followed. */
const MOST_REDIRECTS = 3;

/**
 * Sends a request and hands the answer, of any status, to `use`. The rest of the body after `use` is dropped.
 * Temporary failures are {@link TransientError}s.
 */
export async function exchange<T>(
  ask: Ask,
  use: (response: Response, watch: Watch) => Promise<T>,
): Promise<T> {
  throwIfAborted(ask.signal);
  using watch = new Watch(ask.length, ask, ask.signal);
  let answered = false;
  try {
    const response = await follow(ask, watch.signal);
    answered = true;
    watch.headersArrived();
    return await use(response, watch).finally(() => dropBody(response));
  } catch (error) {
    throw await explain(error, ask, watch, answered);
  }
}

/** A URL for messages: without user, password and query, which may hold secrets. */
export function showUrl({ origin, pathname, search }: URL): string {
  return `${origin}${pathname}${search === "" ? "" : "?…"}`;
}

async function follow(ask: Ask, signal: AbortSignal): Promise<Response> {
  let url = ask.url;
  for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
    checkAllowed(url, ask);
    const headers = url.origin === ask.url.origin ? { ...ask.own, ...ask.headers } : { ...ask.headers };
    const init: RequestInit = { headers, signal, redirect: "manual", cache: cacheFor(headers) };
    const response = await ask.fetch(url, init);
    // A browser does not show the target of a redirect; it follows redirects by its own rules.
    if (response.type === "opaqueredirect") return await ask.fetch(url, { ...init, redirect: "follow" });
    const next = redirect(response, url);
    if (!next) return response;
    await dropBody(response);
    url = next;
  }
  const text = `it was redirected more than ${MOST_REDIRECTS} times`;
  throw cannot("read", showUrl(ask.url), "io", text, { found: showUrl(url) });
}

/**
 * How a browser uses its cache: whole objects are sent again only if they have changed. Ranges of one file would wait for each
 * other, one request at a time.
 */
function cacheFor(headers: Readonly<Record<string, string>>): RequestCache {
  return "range" in headers ? "no-store" : "no-cache";
}

/** The target of a redirect; `undefined` when the answer is not a redirect. */
function redirect({ status, headers }: Response, from: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(status)) return undefined;
  const location = headers.get("location") ?? "";
  const to = parseUrl(location, from);
  const fine = to && location !== "" && (to.protocol === from.protocol || to.protocol === "https:");
  if (fine) return to;
  const text = `it was redirected to "${location}", which is not followed`;
  throw cannot("read", showUrl(from), "io", text, { found: location });
}

function checkAllowed(url: URL, { allow, url: asked }: Ask): void {
  const name = showUrl(asked);
  if (url.username !== "" || url.password !== "") {
    const text = "a user name in the URL is not supported; send an authorization header";
    throw cannot("read", name, "invalid", text);
  }
  const allowed: unknown = allow ? allow(url) : true;
  if (isPromise(allowed)) { // it would count as true
    const text = `"allow" returned a promise; it must say true or false at once, not be async`;
    throw cannot("read", name, "invalid", text, { option: "http.allow", found: "a promise" });
  }
  if (allowed) return;
  throw cannot("read", name, "permission", `${showUrl(url)} is not allowed`, { found: showUrl(url) });
}

/** What a failure means; `answered`: it came after the headers of an answer, so the page may see the answer. */
async function explain(error: unknown, ask: Ask, watch: Watch, answered: boolean): Promise<unknown> {
  const { url, own, fetch, signal } = ask;
  const file = showUrl(url);
  if (signal?.aborted) return abortedError(signal, { file });
  if (watch.late) {
    return new TransientError("timeout", `Cannot read ${file}: the server ${watch.late}`, { file });
  }
  if (error instanceof TilewiseError) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (isDenied(error)) return deniedError(`Cannot read ${file}`, error, { file });
  if (answered) {
    const text = `Cannot read ${file}: the connection ended in the middle of an answer (${message})`;
    return new TransientError("io", text, { file }, { cause: error });
  }
  const refused = await refusedByBrowser(url, file, own, fetch, watch.signal, error);
  if (refused) return refused;
  const text = `Cannot read ${file}: the connection failed (${message})${otherReasons(url)}`;
  return new TransientError("io", text, { file }, { cause: error });
}

/** The error for a status that does not answer the request. */
export function refusal({ status, statusText, headers }: Response, url: URL): TilewiseError {
  const file = showUrl(url);
  const text = `Cannot read ${file}: the server answered ${status} ${statusText}`.trimEnd();
  const details = { file, found: status };
  if ([408, 425, 429, 500, 502, 503, 504].includes(status)) {
    return new TransientError("io", text, details, undefined, retryAfter(headers.get("retry-after")));
  }
  const codes: Readonly<Record<number, ErrorCode>> = {
    401: "permission",
    403: "permission",
    404: "not-found",
    407: "permission",
    410: "not-found",
  };
  return new TilewiseError(codes[status] ?? "io", text, details);
}

/** Milliseconds that a `Retry-After` header asks for, which has seconds or a date. */
export function retryAfter(header: string | null, now: number = Date.now()): number {
  if (header === null) return 0;
  const wait = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return wait > 0 ? wait : 0;
}

/** Ends a body that is not read; errors of it are ignored. */
async function dropBody({ body }: Response): Promise<void> {
  if (body && !body.locked) await body.cancel().catch(() => {});
}

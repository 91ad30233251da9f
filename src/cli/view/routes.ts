/**
 * What the server answers: files of the page to everyone, data to those who show the token.
 *
 * @module
 */

import { VERSION } from "../../version.ts";
import type { Contents, Served } from "./contents.ts";
import { isOwnHost, isOwnOrigin, type Keeper, type RequestHeaders, type ServerAddress } from "./guard.ts";
import { type ListedSource, listPart } from "./link.ts";
import type { Page } from "./page.ts";
import { partOf, textOf } from "./ranges.ts";
import { keyOf } from "./roots.ts";

/** A request. */
interface PageRequest {
  /** Its method. */
  readonly method: string;
  /** Its target: path and query as they were sent. */
  readonly target: string;
  /** Its headers. */
  readonly headers: RequestHeaders;
  /** Fires when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** An answer. */
export interface Answer {
  /** Its status. */
  readonly status: number;
  /** Its headers, without those that all answers have. */
  readonly headers: Readonly<Record<string, string>>;
  /** What it has, in pieces. */
  readonly body?: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** Called when the body was sent, or will not be. */
  readonly close?: () => Promise<void>;
}

/** What a server has. */
export interface Site {
  /** Where it is. */
  readonly place: ServerAddress;
  /** Checks tokens. */
  readonly keeper: Keeper;
  /** The page. */
  readonly page: Page;
  /** The sources. */
  readonly served: readonly Served[];
  /** The sources, as the page is told of them. */
  readonly listed: readonly ListedSource[];
}

/** Answers one request. */
export async function answer(asked: PageRequest, site: Site): Promise<Answer> {
  const { method, target, headers } = asked;
  if (!isOwnHost(textOf(headers["host"]), site.place)) {
    return say(421, "This server has another name: use the link that tilewise view has printed");
  }
  if (method !== "GET" && method !== "HEAD") return say(405, "Only reading", { allow: "GET, HEAD" });
  if (!target.startsWith("/")) return say(400, "The target of a request is a path");
  const path = target.slice(1).replace(/[?#].*$/, "");
  return path.startsWith("data/")
    ? await guarded(asked, path.slice("data/".length), site)
    : pageFile(asked, path, site.page);
}

/** A file of the page. */
function pageFile({ method, headers }: PageRequest, path: string, page: Page): Answer {
  const file = page.get(path);
  if (!file) return say(404, "There is nothing under this name");
  const { bytes, encoding } = file.encoded(textOf(headers["accept-encoding"]) ?? "");
  const etag = `"${file.etag}${encoding ? `-${encoding}` : ""}"`;
  const { status } = partOf("HEAD", headers, { size: bytes.length, etag, modified: 0 });
  const common = { etag, "cache-control": file.cache, vary: "accept-encoding" };
  if (status !== 200) return { status, headers: common };
  return {
    status,
    headers: {
      ...common,
      "content-type": file.type,
      "content-length": String(bytes.length),
      ...(encoding ? { "content-encoding": encoding } : {}),
    },
    ...(method === "HEAD" ? {} : { body: [bytes] }),
  };
}

/** Data, for those who may have it. */
async function guarded(asked: PageRequest, path: string, site: Site): Promise<Answer> {
  const { place, keeper, listed } = site;
  if (!isOwnOrigin(asked.headers, place)) return say(403, "Another page asks");
  const refusal = await keeper.refuse(asked.headers);
  if (refusal) return say(refusal.status, refusal.text, { "www-authenticate": "Bearer" });
  const answer = path === "sources.json"
    ? json(asked.method, { sources: listed })
    : path.startsWith("list/")
    ? await part(asked, path.slice("list/".length), site)
    : await data(asked, path, site.served);
  if (!keeper.showsToken(asked.headers)) return answer;
  return { ...answer, headers: { ...answer.headers, "set-cookie": keeper.setCookie } };
}

/** A part of a folder: `list/NUMBER/NAMES?from=N`. */
async function part(
  { method, target }: PageRequest,
  path: string,
  { served, listed }: Site,
): Promise<Answer> {
  const [, number, rest = ""] = /^(\d{1,9})(?:\/(.*))?$/s.exec(path) ?? [];
  const key = rest === "" ? "" : keyOf(rest);
  const from = /\?from=(\d{1,9})$/.exec(target)?.[1] ?? "0";
  const n = Number(number ?? NaN);
  const found = key === undefined ? undefined : await served[n]?.folder?.list(key, Number(from));
  if (!found) return say(404, "There is nothing under this name");
  const { sources: _, ...others } = found;
  return json(method, { ...others, sources: listPart(found, n, listed[n]!.options) });
}

function json(method: string, content: object): Answer {
  const bytes = new TextEncoder().encode(JSON.stringify({ version: VERSION, ...content }));
  const headers = {
    "content-type": "application/json",
    "content-length": String(bytes.length),
    "cache-control": "no-store",
  };
  return { status: 200, headers, ...(method === "HEAD" ? {} : { body: [bytes] }) };
}

/** Bytes of a source. */
async function data(asked: PageRequest, path: string, served: readonly Served[]): Promise<Answer> {
  const [, number, rest] = /^(\d{1,9})\/(.*)$/s.exec(path) ?? [];
  const key = rest === undefined ? undefined : keyOf(rest);
  const source = number === undefined ? undefined : served[Number(number)];
  if (!source || key === undefined) return say(404, "There is nothing under this name");
  const contents = await source.contents(key, asked.signal);
  return contents ? range(asked, contents) : say(404, "There is nothing under this name");
}

/** The part of `contents` that a request asks for. */
function range({ method, headers, signal }: PageRequest, contents: Contents): Answer {
  const { size, etag, modified } = contents.version;
  const { status, start, stop } = partOf(method, headers, contents.version);
  const length = String(stop - start);
  return {
    status,
    headers: {
      etag,
      "last-modified": new Date(modified).toUTCString(),
      "accept-ranges": "bytes",
      "cache-control": "no-store",
      "content-type": "application/octet-stream",
      ...(status === 206 ? { "content-range": `bytes ${start}-${stop - 1}/${size}` } : {}),
      ...(status === 416 ? { "content-range": `bytes */${size}` } : {}),
      ...(status === 304 ? {} : { "content-length": length }),
    },
    ...(method === "HEAD" || stop === start ? {} : { body: contents.bytes(start, stop, signal) }),
    close: async () => await contents[Symbol.asyncDispose](),
  };
}

/** A line of text. */
export function say(status: number, line: string, headers: Readonly<Record<string, string>> = {}): Answer {
  const bytes = new TextEncoder().encode(`${line}\n`);
  return {
    status,
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "content-length": String(bytes.length),
      "cache-control": "no-store",
      ...headers,
    },
    body: [bytes],
  };
}

/**
 * Servers for tests, and requests to them as they are written, which `fetch` would tidy up.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { gzipSync } from "node:zlib";
import { Keeper, newToken, Refusals } from "../../../src/cli/view/guard.ts";
import { listSources } from "../../../src/cli/view/link.ts";
import { securityHeaders } from "../../../src/cli/view/view.ts";
import { type Page, PageFile } from "../../../src/cli/view/page.ts";
import type { Served } from "../../../src/cli/view/contents.ts";
import { servedSource } from "../../../src/cli/view/served.ts";
import { listenAt } from "../../../src/cli/view/server.ts";

/** A server that runs. */
export interface TestSite extends AsyncDisposable {
  readonly port: number;
  readonly token: string;
  /** Milliseconds that wrong tokens have waited, instead of waiting. */
  readonly waits: number[];
  /** Asks with the token. */
  ask(path: string, headers?: Record<string, string>, method?: string): Promise<Reply>;
}

/** An answer. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  readonly text: string;
}

/** A page of three files, as the build makes it. */
export const PAGE: Page = new Map([
  ["", new PageFile("index.html", gzipSync("<!doctype html><title>T</title>"))],
  ["p-0123456789abcdef/main.js", new PageFile("p-0123456789abcdef/main.js", gzipSync("1;".repeat(2000)))],
  ["icon.svg", new PageFile("icon.svg", gzipSync("<svg/>"))],
]);

/** Serves `sources`, or what is `given`. */
export async function site(sources: readonly string[], given: readonly Served[] = []): Promise<TestSite> {
  const served = [...given];
  for (const source of sources) served.push(await servedSource(source, {}));
  const server = await listenAt("127.0.0.1", 0);
  const { port } = server.place;
  const token = newToken();
  const waits: number[] = [];
  const refusals = new Refusals((time) => Promise.resolve(void waits.push(time)));
  const listed = listSources(served, {});
  const place = {
    place: server.place,
    keeper: new Keeper(token, port, refusals),
    page: PAGE,
    served,
    listed,
  };
  server.serve(place, securityHeaders());
  return {
    port,
    token,
    waits,
    ask: (path, headers = {}, method = "GET") =>
      raw(port, `${method} ${path}`, {
        host: `127.0.0.1:${port}`,
        authorization: `Bearer ${token}`,
        ...headers,
      }),
    [Symbol.asyncDispose]: async () => await server[Symbol.asyncDispose](),
  };
}

/** Sends a request line and headers as they are. */
export async function raw(port: number, line: string, headers: Record<string, string>): Promise<Reply> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const lines = Object.entries({ ...headers, connection: "close" }).map(([name, value]) =>
    `${name}: ${value}\r\n`
  );
  await writeAll(connection, new TextEncoder().encode(`${line} HTTP/1.1\r\n${lines.join("")}\r\n`));
  const all = Buffer.from(await new Response(connection.readable).arrayBuffer());
  const end = all.indexOf("\r\n\r\n");
  const [status, ...fields] = all.subarray(0, end).toString("latin1").split("\r\n");
  const body = all.subarray(end + 4);
  const found = new Headers(fields.map((field) => field.split(/: ?(.*)/s).slice(0, 2) as [string, string]));
  const bytes = found.get("transfer-encoding") === "chunked" ? unchunked(body) : new Uint8Array(body);
  return {
    status: Number(status!.split(" ")[1]),
    headers: found,
    bytes,
    text: new TextDecoder().decode(bytes),
  };
}

async function writeAll(connection: Deno.Conn, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
}

function unchunked(body: Uint8Array): Uint8Array {
  const parts: number[] = [];
  for (let at = 0; at < body.length;) {
    const end = body.indexOf(13, at);
    const length = parseInt(new TextDecoder().decode(body.subarray(at, end)), 16);
    if (!(length > 0)) break;
    parts.push(...body.subarray(end + 2, end + 2 + length));
    at = end + 4 + length;
  }
  return Uint8Array.from(parts);
}

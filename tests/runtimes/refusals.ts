/**
 * Pages in Chromium whose servers, files, policies or processors refuse something: they get a typed error that says what to do,
 * and go on.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { rightAnswer, serve } from "../io/range_server.ts";
import { visit } from "./browser.ts";
import { byImportMap } from "./plain.ts";
import type { Room } from "./room.ts";

/** Errors by what was tried: how they begin, and what they say to do. */
type Expected = Readonly<Record<string, readonly string[]>>;

const SERVERS: Expected = {
  "without CORS": ["permission: ", '"Access-Control-Allow-Origin: http://127.0.0.1:', "download the file"],
  "without names of headers": ["permission: ", "Access-Control-Expose-Headers: Content-Range"],
  "nobody there": ["io: ", "the connection failed"],
  "without ranges, too large": ["unsupported: ", "does not support range requests", "raise wholeLimit"],
};

/** Isolated pages cannot find out whether a server that they may not read from is there. */
const UNTOLD: Expected = {
  "without CORS": ["io: ", '"Access-Control-Allow-Origin: http://127.0.0.1:', "connect-src"],
};

const FILES: Expected = {
  changed: ["changed: ", "it was changed or removed on disk", "choose the file again"],
  removed: ["", "choose the file again"],
};

const NO_WASM: Expected = {
  workers: ["unsupported: ", "Content-Security-Policy", "'wasm-unsafe-eval'"],
  inline: ["unsupported: ", "Content-Security-Policy", "'wasm-unsafe-eval'"],
};

const NO_WORKERS: Expected = {
  workers: ["unsupported: Cannot start a worker", "worker-src 'self'", "workers: 0"],
};

const NO_SIMD: Expected = {
  workers: ["unsupported: ", "WebAssembly with 128-bit SIMD"],
  inline: ["unsupported: ", "WebAssembly with 128-bit SIMD"],
};

/** What page scripts need in a policy: import maps are written into the page. */
const SCRIPTS = "script-src 'self' 'unsafe-inline'";

/** Throws unless every refusal has its error, and all else has the sum that it should have. */
export async function byRefusals(room: Room): Promise<void> {
  const folder = await byImportMap(room);
  const page = { folder, data: room.data, workers: 0, document: "plain.html", work: "refusals" } as const;
  const right = String((await visit({ ...page, isolated: true, visit: "sums" }))["inline"]);
  for (const isolated of [true, false]) {
    const own = { ...page, isolated };
    await using servers = await someServers(room);
    const found = await visit({ ...own, visit: "servers", elsewhere: servers.url, routes: servers.routes });
    check(found, isolated ? { ...SERVERS, ...UNTOLD } : SERVERS, right);
    check(await visit({ ...own, visit: "files" }), FILES, right);
    const full = await visit({ ...own, visit: "memory" });
    check(full, { full: ["over-budget: ", "the machine has no room for it"] }, right);
    check(await visit({ ...own, visit: "sums", policy: SCRIPTS }), NO_WASM, right);
    const noWorkers = `${SCRIPTS} 'wasm-unsafe-eval'; worker-src 'none'`;
    check(await visit({ ...own, visit: "sums", policy: noWorkers }), NO_WORKERS, right);
    check(await visit({ ...own, visit: "sums", flags: ["--js-flags=--no-enable-sse4-1"] }), NO_SIMD, right);
  }
}

function check(found: Readonly<Record<string, string>>, expected: Expected, right: string): void {
  for (const [name, text] of Object.entries(found)) {
    const [start = right, ...words] = expected[name] ?? [];
    assert(text.startsWith(start), `${name} is ${text}, not ${start}`);
    for (const word of words) assert(text.includes(word), `${name} is ${text}, without ${word}`);
  }
  assertEquals(Object.keys(expected).filter((name) => !(name in found)), []);
}

/** A server of another origin, with more and less of what pages need; and routes of the server of the page. */
async function someServers({ data }: Room) {
  const bytes = await Deno.readFile(data.raw);
  const allow = { "access-control-allow-origin": "*", "cross-origin-resource-policy": "cross-origin" };
  const expose = { "access-control-expose-headers": "Content-Range, Content-Length, ETag, Last-Modified" };
  const more: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    "/closed": {},
    "/hidden": allow,
    "/shared": { ...allow, ...expose },
  };
  const server = serve((question) => {
    const answer = rightAnswer(bytes, question);
    return { ...answer, headers: { ...answer.headers, ...more[question.path] } };
  });
  const routes = {
    "/whole": () => new Response(bytes),
    "/ranges": (request: Request) => {
      const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.get("range") ?? "") ?? [];
      const [start, stop] = [Number(from), Math.min(Number(to) + 1, bytes.length)];
      const headers = { "content-range": `bytes ${start}-${stop - 1}/${bytes.length}` };
      return new Response(bytes.slice(start, stop), { status: 206, headers });
    },
  };
  return {
    url: new URL(server.url).origin,
    routes,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

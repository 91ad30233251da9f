/**
 * The server of these tests on loopback, twice: with the headers that shared memory needs, and without them.
 *
 * | path | what |
 * |---|---|
 * | `/lib/` | the programs of these tests, with the library |
 * | `/page/` | the page of Tilewise |
 * | `/modules/PATH` | a module of the checkout, as JavaScript |
 * | `/data/PATH` | a sample file, in ranges |
 * | `/hosted/NAME` | what a test has put there with {@link host}, in ranges |
 * | `/served/` | the page of a `tilewise view`, see {@link serveBehind} |
 * | `/found/NAME` | where pages of browsers that nobody drives send what they have found |
 *
 * @module
 */

import { extname, join } from "@std/path";
import { FOLDER } from "../../formats/conformance/samples.ts";
import { buildPages, bundleModule, stopBundler } from "./bundle.ts";
import { builtPages } from "./full.ts";
import { type Ranged, rangeOf } from "./ranges.ts";

const ISOLATED = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
  "cross-origin-resource-policy": "same-origin",
};

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
  ".ts": "text/javascript",
  ".wasm": "application/wasm",
};

/** The server. */
export interface Servers {
  /** Address with the headers, such as `http://127.0.0.1:1234`. */
  readonly isolated: string;
  /** Address without them. */
  readonly plain: string;
}

const hosted = new Map<string, Uint8Array | string>();
const waits = new Map<string, number>();
const sent = new Map<string, number>();
const awaited = new Map<string, (answer: unknown) => void>();
let running: { servers: Servers; close(): Promise<void> } | undefined;
let starting: Promise<Servers> | undefined;

/** The servers, started at the first call; pages are built where that has not been done for all files. */
export function servers(): Promise<Servers> {
  return starting ??= start();
}

/** Serves bytes, or the file at a path, as `/hosted/NAME`, each answer after `wait` milliseconds; their path on the servers. */
export function host(name: string, content: Uint8Array | string, wait: number = 0): string {
  hosted.set(name, content);
  waits.set(name, wait);
  sent.delete(name);
  return `/hosted/${name}`;
}

/** Bytes of `/hosted/NAME` that were sent. */
export function sentOf(name: string): number {
  return sent.get(name) ?? 0;
}

/** The server behind `/served/`. */
let behind = "";

/** Shows what is at the link of a `tilewise view` as `/served/` of these servers, so that a page of theirs can act in it; the path. */
export function serveBehind(link: string): string {
  const { origin, hash } = new URL(link);
  behind = origin;
  return `/served/${hash}`;
}

/** What a page sends to `/found/NAME`. */
export function found(name: string): Promise<unknown> {
  return new Promise((resolve) => awaited.set(name, resolve));
}

/** Ends the servers, and removes the bundles. */
export async function closeServers(): Promise<void> {
  await starting?.catch(() => {});
  await running?.close();
  running = starting = undefined;
  hosted.clear();
}

async function start(): Promise<Servers> {
  const built = builtPages();
  const folder = built ?? await Deno.makeTempDir({ prefix: "tilewise-pages-" });
  if (built === undefined) await buildPages(folder);
  const both = [ISOLATED, {}].map((headers) =>
    Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen() {} },
      (request) => answer(request, folder, headers),
    )
  );
  const [isolated, plain] = both.map(({ addr }) => `http://127.0.0.1:${(addr as Deno.NetAddr).port}`);
  running = {
    servers: { isolated: isolated!, plain: plain! },
    async close() {
      await Promise.all(both.map((server) => server.shutdown()));
      await stopBundler();
      if (built === undefined) await Deno.remove(folder, { recursive: true });
    },
  };
  return running.servers;
}

/** Asks the server behind, as its own page would; its answer may stand in a frame, which that server refuses. */
async function forward({ url, headers: asked }: Request): Promise<Response> {
  const { pathname, search } = new URL(url);
  const wanted = ["authorization", "cookie", "range"].flatMap((name) => {
    const value = asked.get(name);
    return value === null ? [] : [[name, value] as [string, string]];
  });
  const { status, body, headers } = await fetch(`${behind}${pathname.slice("/served".length)}${search}`, {
    headers: [...wanted, ["accept-encoding", "identity"]],
  });
  const said = [...headers].filter(([name]) => name !== "x-frame-options").map((
    [name, value],
  ): [string, string] => [
    name,
    value.replace("frame-ancestors 'none'", "frame-ancestors 'self'").replace(
      "Path=/data",
      "Path=/served/data",
    ),
  ]);
  return new Response(body, { status, headers: said });
}

async function answer(request: Request, folder: string, headers: Record<string, string>): Promise<Response> {
  const path = decodeURIComponent(new URL(request.url).pathname);
  if (path.startsWith("/served/")) return await forward(request);
  const [, room = "", rest = ""] = /^\/(\w+)\/((?!.*\.\.\/).*)$/.exec(path) ?? [];
  try {
    if (request.method === "POST" && room === "found") {
      awaited.get(rest)?.(await request.json());
      return new Response(null, { headers });
    }
    const { bytes, type } = await contentOf(room, rest, folder);
    const response = await rangeOf(request, bytes, { ...headers, "content-type": type });
    if (room === "hosted") await noteHosted(rest, response);
    return response;
  } catch (error) {
    if (isMissing(error)) return new Response("not found", { status: 404, headers });
    return new Response(String(error), { status: 500, headers });
  }
}

async function noteHosted(name: string, { headers }: Response): Promise<void> {
  sent.set(name, sentOf(name) + Number(headers.get("content-length") ?? 0));
  await new Promise((resolve) => setTimeout(resolve, waits.get(name)));
}

async function contentOf(
  room: string,
  rest: string,
  folder: string,
): Promise<{ bytes: Ranged; type: string }> {
  const type = TYPES[extname(rest)] ?? "application/octet-stream";
  if (room === "modules") return { bytes: await moduleOf(rest), type: TYPES[".js"]! };
  if (room === "data") return { bytes: new URL(rest.replaceAll("#", "%23"), FOLDER), type };
  if (room === "hosted") return { bytes: contentOfHosted(rest), type };
  if (room === "lib" && rest.endsWith(".ts")) return { bytes: await moduleOf(BESIDE + rest), type };
  const name = rest === "" ? "index.html" : rest;
  return { bytes: join(folder, room, name), type: TYPES[extname(name)] ?? type };
}

/** Modules that samples of UDFs name relative to their own place, which a bundle does not have. */
const BESIDE = "tests/udf/builtin/";

function contentOfHosted(name: string): Uint8Array | string {
  const content = hosted.get(name);
  if (content === undefined) throw new Deno.errors.NotFound(name);
  return content;
}

const modules = new Map<string, Promise<Uint8Array>>();

function moduleOf(path: string): Promise<Uint8Array> {
  const made = modules.get(path) ?? bundleModule(path).then((text) => new TextEncoder().encode(text));
  modules.set(path, made);
  return made;
}

/** Nothing is there, or what should be a folder is a file. */
function isMissing(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory;
}

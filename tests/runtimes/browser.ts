/**
 * A page in Chromium: served on loopback, opened in a browser without a window, which tells what it has found.
 *
 * @module
 */

import { extname, join } from "@std/path";
import type { Found } from "./processes.ts";
import type { DataPaths, Room } from "./room.ts";

/** Where Chromium may be. */
const NAMES = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/** Nothing but the page is to be asked for, and nothing of the user is touched. */
const FLAGS = [
  "--headless=new",
  "--no-sandbox",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".wasm": "application/wasm",
};

/** What pages need for shared memory. */
const ISOLATED = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
};

/** Milliseconds that a page may take. */
const LIMIT = 120_000;

/** How a page is opened. */
export interface Visit {
  /** Its folder. */
  readonly folder: string;
  /** The data. */
  readonly data: DataPaths;
  /** On how many workers it is to compute. */
  readonly workers: number;
  /** Whether it is served with what shared memory needs. */
  readonly isolated: boolean;
  /** What it is to do. Default: what the programs compute. */
  readonly work?: "channels" | "refusals";
  /** What of it. */
  readonly visit?: string;
  /** The origin of another server. */
  readonly elsewhere?: string;
  /** What the server of the page answers to some paths. */
  readonly routes?: Readonly<Record<string, (request: Request) => Response>>;
  /** The Content-Security-Policy of the page. */
  readonly policy?: string;
  /** Further words for the command of the browser. */
  readonly flags?: readonly string[];
  /** Its document. Default `index.html`. */
  readonly document?: string;
}

/** What the page has found. */
export async function visit(how: Visit): Promise<Record<string, string>> {
  const { folder, data, workers, isolated, work = "", document = "index.html" } = how;
  const answer = Promise.withResolvers<{ digests?: Record<string, string>; error?: string }>();
  const headers = {
    ...isolated ? ISOLATED : {},
    ...how.policy === undefined ? {} : { "content-security-policy": how.policy },
  };
  await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/found") {
      answer.resolve(await request.json());
      return new Response(null, { headers });
    }
    const route = how.routes?.[pathname];
    if (route) return route(request);
    return await served(pathname === "/" ? `/${document}` : pathname, folder, data, headers);
  });
  const { port } = server.addr as Deno.NetAddr;
  const { visit = "", elsewhere = "" } = how;
  const query = new URLSearchParams({ workers: `${workers}`, work, visit, elsewhere });
  await using _browser = await openBrowser(`http://127.0.0.1:${port}/?${query}`, how.flags);
  const timer = setTimeout(() => answer.reject(new Error("the page says nothing")), LIMIT);
  try {
    const { digests, error } = await answer.promise;
    if (!digests) throw new Error(`the page failed: ${error}`);
    return digests;
  } finally {
    clearTimeout(timer);
  }
}

async function served(
  pathname: string,
  folder: string,
  data: DataPaths,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const named = /^\/data\/(\w+)$/.exec(pathname)?.[1] as keyof DataPaths | undefined;
  const path = named ? data[named] : join(folder, pathname);
  try {
    const type = TYPES[extname(path)] ?? "application/octet-stream";
    return new Response(await Deno.readFile(path), { headers: { ...headers, "content-type": type } });
  } catch {
    return new Response(null, { status: 404, headers });
  }
}

/** Opens Chromium with a profile of its own; it is ended in the end. */
async function openBrowser(url: string, flags: readonly string[] = []): Promise<AsyncDisposable> {
  const profile = await Deno.makeTempDir({ prefix: "tilewise-browser-" });
  const process = new Deno.Command(await browserPath(), {
    args: [...FLAGS, ...flags, `--user-data-dir=${profile}`, url],
    stdout: "null",
    stderr: "null",
  }).spawn();
  return {
    async [Symbol.asyncDispose]() {
      process.kill("SIGTERM");
      await process.status;
      await removeWhenFree(profile);
    },
  };
}

/** Processes of a browser live on for a moment, and write to its profile. */
async function removeWhenFree(folder: string): Promise<void> {
  for (let attempts = 50; attempts > 0; attempts--) {
    if (await Deno.remove(folder, { recursive: true }).then(() => true, () => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function browserPath(): Promise<string> {
  const own = Deno.env.get("CHROMIUM");
  if (own) return own;
  for (const folder of (Deno.env.get("PATH") ?? "").split(Deno.build.os === "windows" ? ";" : ":")) {
    for (const name of NAMES) {
      const path = join(folder, name);
      if (await Deno.stat(path).then(({ isFile }) => isFile, () => false)) return path;
    }
  }
  throw new Error(`There is no Chromium: none of ${NAMES.join(", ")} is in PATH; let CHROMIUM name it`);
}

/** What a page finds inline and on 2 workers, both with and without shared memory. */
export async function byChromium(folder: string, { data }: Room, document = "index.html"): Promise<Found> {
  const page = { folder, data, document };
  const unshared = await visit({ ...page, workers: 0, isolated: false });
  const unsharedWorkers = await visit({ ...page, workers: 2, isolated: false });
  const inline = await visit({ ...page, workers: 0, isolated: true });
  const workers = await visit({ ...page, workers: 2, isolated: true });
  const channels = await visit({ ...page, workers: 2, isolated: true, work: "channels" });
  return { inline, workers, unshared, unsharedWorkers, channels };
}

/**
 * A folder of files for a browser, as a server of files sends them: with ranges.
 *
 * @module
 */

import { extname, join } from "@std/path";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** What isolates pages. */
export const ISOLATED: Readonly<Record<string, string>> = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
};

/** Serves a folder while `work` runs. */
export async function served(
  folder: string,
  work: (address: string) => Promise<void>,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const path = decodeURIComponent(new URL(request.url).pathname);
    const file = path.endsWith("/") ? `${path}index.html` : path;
    const bytes = await Deno.readFile(join(folder, file)).catch(() => undefined);
    if (bytes === undefined) return new Response("", { status: 404 });
    const headers = { ...more, "content-type": TYPES[extname(file)] ?? "application/octet-stream" };
    const [, start, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.get("range") ?? "") ?? [];
    if (start === undefined) return new Response(bytes, { headers });
    const part = bytes.subarray(Number(start), last ? Number(last) + 1 : undefined);
    const range = `bytes ${start}-${Number(start) + part.length - 1}/${bytes.length}`;
    return new Response(part, { status: 206, headers: { ...headers, "content-range": range } });
  });
  try {
    await work(`http://127.0.0.1:${server.addr.port}`);
  } finally {
    await server.shutdown();
  }
}

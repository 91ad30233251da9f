/**
 * Serves an OME-Zarr to neuroglancer, and prints the link that shows it:
 *
 * ```sh
 * tilewise convert image.tif image.ome.zarr
 * deno run --allow-read=. --allow-net=127.0.0.1 examples/web/neuroglancer.ts image.ome.zarr
 * ```
 *
 * Any server of files will do that lets pages of other origins read them (CORS). This one lets all of them, and has one folder.
 */

import { basename } from "node:path";

/** Pages that show it. */
const NEUROGLANCER = "https://neuroglancer-demo.appspot.com/";

/** The link to neuroglancer with one layer, the OME-Zarr at `url`. */
export function neuroglancerLink(url: string): string {
  const layer = { type: "image", source: `zarr://${url}`, name: basename(url), opacity: 1 };
  return `${NEUROGLANCER}#!${encodeURIComponent(JSON.stringify({ layers: [layer], layout: "xy" }))}`;
}

/** Serves the files in `folder`, whole or in ranges. */
export function serveFolder(folder: string, port = 0): Deno.HttpServer<Deno.NetAddr> {
  const root = Deno.realPathSync(folder);
  return Deno.serve({ hostname: "127.0.0.1", port, onListen() {} }, async (request) => {
    const headers = { "access-control-allow-origin": "*", "access-control-allow-headers": "range" };
    if (request.method === "OPTIONS") return new Response(null, { headers });
    const keys = new URL(request.url).pathname.split("/").slice(2).map(decodeURIComponent);
    const path = await Deno.realPath([root, ...keys].join("/")).catch(() => "");
    if (!path.startsWith(`${root}/`) || !(await Deno.stat(path)).isFile) {
      return new Response(null, { status: 404, headers });
    }
    const bytes = await Deno.readFile(path);
    const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.get("range") ?? "") ?? [];
    if (first === undefined) return new Response(bytes, { headers });
    const start = first === "" ? Math.max(0, bytes.length - Number(last)) : Number(first);
    const part = bytes.slice(start, first === "" || last === "" ? undefined : Number(last) + 1);
    const range = `bytes ${start}-${start + part.length - 1}/${bytes.length}`;
    return new Response(part, { status: 206, headers: { ...headers, "content-range": range } });
  });
}

if (import.meta.main) {
  const folder = Deno.args[0] ?? "image.ome.zarr";
  const { addr } = serveFolder(folder);
  console.log(neuroglancerLink(`http://127.0.0.1:${addr.port}/${basename(folder)}`));
}

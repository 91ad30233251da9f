/**
 * JSR on this machine, with the checkout as the version that is published: what Deno asks it for are files.
 *
 * @module
 */

import config from "../../../deno.json" with { type: "json" };

const ROOT = new URL("../../../", import.meta.url);

/** A registry that is being served. */
export interface Registry extends AsyncDisposable {
  /** Where Deno finds it. */
  readonly url: string;
}

/** Serves all files that `deno publish` would send. */
export async function serveJsr(): Promise<Registry> {
  const sizes = await publishedFiles();
  const { name, version, exports } = config;
  const manifest: Record<string, { size: number; checksum: string }> = {};
  for (const [path, bytes] of sizes) {
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    manifest[`/${path}`] = { size: bytes.length, checksum: `sha256-${digest.toHex()}` };
  }
  const answers: Readonly<Record<string, unknown>> = {
    [`/${name}/meta.json`]: {
      scope: "tilewise",
      name: "tilewise",
      latest: version,
      versions: { [version]: {} },
    },
    [`/${name}/${version}_meta.json`]: { manifest, exports },
  };
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, ({ url }) => {
    const { pathname } = new URL(url);
    const answer = answers[pathname];
    if (answer) return Response.json(answer);
    const bytes = sizes.get(pathname.slice(`/${name}/${version}/`.length));
    const headers = { "content-type": pathname.endsWith(".json") ? "application/json" : "text/typescript" };
    return bytes ? new Response(bytes, { headers }) : new Response(null, { status: 404 });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** The files by their paths. */
async function publishedFiles(): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const { stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["publish", "--dry-run", "--allow-dirty", "--no-check"],
    cwd: ROOT,
    env: { NO_COLOR: "1" },
  }).output();
  const found = [...new TextDecoder().decode(stderr).matchAll(/^ +(file:\S+) \(/gm)].map(([, url]) => url!);
  if (found.length < 500) throw new Error("deno publish names no files");
  const paths = found.map((url) => decodeURIComponent(url.slice(ROOT.href.length)));
  return new Map(
    await Promise.all(paths.map(async (path) => [path, await Deno.readFile(new URL(path, ROOT))] as const)),
  );
}

/** What the server has of a source opens as the source itself does: one file, a series, a store, a URL, a folder. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { open, plan, run, sumPixels, TilewiseError } from "@tilewise/tilewise";
import { servedSource } from "../../../src/cli/view/served.ts";
import { cli, withFolder, writeNpy } from "../harness.ts";
import { site, type TestSite } from "./site.ts";

/** Sums per frame of what `input` is. */
async function sumsOf(
  input: Parameters<typeof open>[0],
  options: Parameters<typeof open>[1] = {},
): Promise<number[]> {
  const results = await run(await plan(await open(input, options), { sum: sumPixels() }));
  return [...results.sum.intensity.data].map(Number);
}

/** Sums per frame of source `n` of a server, read from there as the page does. */
async function servedSums(served: TestSite, n: number): Promise<number[]> {
  const { sources } = JSON.parse((await served.ask("/data/sources.json")).text);
  const files = sources[n].files.map((file: string) => `http://127.0.0.1:${served.port}/${file}`);
  const http = { headers: { authorization: `Bearer ${served.token}` } };
  return await sumsOf(files.length === 1 ? files[0] : files, { http });
}

async function demo(folder: string): Promise<void> {
  const { code } = await cli([
    "demo",
    "--scan",
    "8x4",
    "--side",
    "64",
    "--quiet",
    "--workers",
    "0",
    "-o",
    `${folder}/d`,
  ]);
  assertEquals(code, 0);
}

Deno.test("a series has all of its files, whichever is named, and nothing else of the folder", async () => {
  await withFolder(async (folder) => {
    await demo(folder);
    const expected = await sumsOf(`${folder}/d/scan.hdr`);
    for (const name of ["scan_000.mib", "scan_002.mib", "scan.hdr"]) {
      await using served = await site([`${folder}/d/${name}`]);
      const { sources: [source] } = JSON.parse((await served.ask("/data/sources.json")).text);
      assertEquals(source.files[0], `data/0/${name}`);
      assertEquals(source.files.map((file: string) => file.slice(7)).sort(), [
        "scan.hdr",
        ...["000", "001", "002", "003"].map((n) => `scan_${n}.mib`),
      ]);
      assertEquals(await servedSums(served, 0), expected);
      assertEquals((await served.ask("/data/0/sum.npy")).status, 404);
    }
  });
});

Deno.test("stores, and files of several formats, are what they are on disk", async () => {
  await withFolder(async (folder) => {
    await demo(folder);
    for (const name of ["a.zarr", "a.ome.zarr", "a.tif", "a.npy", "ä 1%.npy"]) {
      assertEquals(
        (await cli(["convert", `${folder}/d/scan.hdr`, `${folder}/${name}`, "--quiet"])).code,
        0,
        name,
      );
      await using served = await site([`${folder}/${name}`]);
      assertEquals(await servedSums(served, 0), await sumsOf(`${folder}/${name}`), name);
    }
  });
});

Deno.test("a URL is read from its server, and only it: by the page it need not be permitted", async () => {
  await withFolder(async (folder) => {
    await writeNpy(`${folder}/a.npy`, "|u1", [2, 2, 3], Uint8Array.from({ length: 12 }, (_, i) => i));
    await writeNpy(`${folder}/b.npy`, "|u1", [1], Uint8Array.of(1));
    assertEquals((await cli(["convert", `${folder}/a.npy`, `${folder}/a.zarr`, "--quiet"])).code, 0);
    const other = await site([], [{
      name: "",
      files: [],
      contents: async (key) => {
        const served = await servedSource(`${folder}/${key.split("/")[0]}`, {});
        return await served.contents(key, new AbortController().signal);
      },
    }]);
    const asked: string[] = [];
    await using remote = serveOpenly((path) => {
      asked.push(path);
      return other.ask(`/data/0${path}`);
    });
    await using served = await site([`${remote.url}/a.npy`, `${remote.url}/a.zarr`]);
    const expected = await sumsOf(`${folder}/a.npy`);
    assertEquals(await servedSums(served, 0), expected);
    assertEquals(await servedSums(served, 1), expected);
    const before = asked.length;
    for (const path of ["0/b.npy", "0/../b.npy", "0/http:%2f%2flocalhost%2fb.npy", "1/a.zarr/../b.npy"]) {
      assertEquals((await served.ask(`/data/${path}`)).status, 404, path);
    }
    assertEquals(asked.length, before);
    await other[Symbol.asyncDispose]();
  });
});

/** A server whose answers say nothing of other origins. */
function serveOpenly(answer: (path: string) => Promise<{ status: number; bytes: Uint8Array }>) {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const { status, bytes } = await answer(new URL(request.url).pathname);
    if (status !== 200) return new Response(null, { status });
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.get("range") ?? "") ?? [];
    const body = new Uint8Array(bytes);
    if (first === undefined) return new Response(body);
    const part = body.slice(Number(first), Number(last) + 1);
    const range = `bytes ${first}-${Number(first) + part.length - 1}/${body.length}`;
    return new Response(part, { status: 206, headers: { "content-range": range, etag: '"1"' } });
  });
  const { port } = server.addr as Deno.NetAddr;
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: () => server.shutdown() };
}

Deno.test("a source that needs facts is served; one that is not there is an error", async () => {
  await withFolder(async (folder) => {
    await Deno.writeFile(`${folder}/scan.raw`, new Uint8Array(100));
    await Deno.mkdir(`${folder}/empty`);
    const raw = await servedSource(`${folder}/scan.raw`, {});
    assertEquals([raw.name, raw.files], ["scan.raw", ["scan.raw"]]);
    for (const [name, code] of [["none.mib", "not-found"], ["empty", "not-a-file"]] as const) {
      const error = await assertRejects(() => servedSource(`${folder}/${name}`, {}), TilewiseError);
      assert(error.code === code, error.message);
    }
  });
});

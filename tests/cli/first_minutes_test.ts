/** What people meet in their first minutes: short output, near names, values in order, files beside a URL. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { openStored } from "../../src/formats/open.ts";
import { writeMib } from "../formats/mib/mib_files.ts";
import { parseUdfs } from "../../src/cli/analyses/udf_args.ts";
import { partsOf } from "../../src/analyses/filters/words.ts";
import { cli, withFolder, writeNpy } from "./harness.ts";

/** A scan of 4 × 5 frames of 8 × 8 counts. */
async function writeScan(folder: string): Promise<string> {
  const path = `${folder}/scan.npy`;
  const counts = Uint16Array.from({ length: 4 * 5 * 64 }, (_, i) => i % 97);
  await writeNpy(path, "<u2", [4, 5, 8, 8], new Uint8Array(counts.buffer));
  return path;
}

Deno.test("run prints one line per result, one for what is not kept, and one for the manifest", () =>
  withFolder(async (folder) => {
    const scan = await writeScan(folder);
    const words = ["run", "sum", "bf", "com", scan, "-o", `${folder}/out/`, "--workers", "0"];
    const results = (await cli([...words, "--json"])).json().filter(({ result }) => result !== undefined);
    const { out } = await cli(words);
    const lines = out.trimEnd().split("\n");
    assertEquals(lines.length, results.length + 2);
    for (const [i, { files }] of results.entries()) {
      assert(lines[i]!.includes(`: ${(files as string[])[0]}, .png`), out);
    }
    assertMatch(lines.at(-2)!, /^ {2}not kept {2}/);
    assertMatch(lines.at(-1)!, /^ {2}manifest {2}/);
  }));

Deno.test("values without names are those of the parameters in their order, and the others keep their names", () => {
  const values = (word: string) => parseUdfs([word])[0]!.values;
  assertEquals(values("bf:60,64,22"), values("bf:cy=60,cx=64,r=22"));
  assertEquals(values("bf:60,64,r=22"), values("bf:cy=60,cx=64,r=22"));
  assertEquals(values("bf:60"), values("bf:cy=60"));
  assertEquals(values("annular:1,2,3,4"), values("annular:cy=1,cx=2,ri=3,ro=4"));
  assertEquals(partsOf("gaussian:2").pairs, partsOf("gaussian:sigma=2").pairs);
  assertEquals(partsOf("median:0x2x2").pairs, [["radius", "0x2x2"]]);
});

Deno.test("an array that is not there: the nearest name comes first, by its last part too", () =>
  withFolder(async (folder) => {
    const scan = await writeScan(folder);
    const zarr = `${folder}/two.ome.zarr`;
    assertEquals((await cli(["map", "gaussian:1", scan, "-o", zarr, "--levels", "2", "-q"])).code, 0);
    const { code, err } = await cli(["info", zarr, "--array", "NOPE"]);
    assertEquals([code, err], [
      1,
      `tilewise: [not-found] There is no array "NOPE" in ${zarr}; it has "0", "1"\n`,
    ]);
    const hdf5 = decodeURIComponent(new URL("../data/hdf5/library.h5", import.meta.url).pathname);
    const near = await cli(["info", hdf5, "--array", "/chunked/szpi"]);
    assertMatch(near.err, /There is no array "\/chunked\/szpi" in .*; did you mean "\/szip"\? It has "/);
  }));

Deno.test("info shows an image with its levels once", () =>
  withFolder(async (folder) => {
    const scan = await writeScan(folder);
    const zarr = `${folder}/two.ome.zarr`;
    await cli(["map", "gaussian:1", scan, "-o", zarr, "--levels", "2", "-q"]);
    const { out } = await cli(["info", zarr]);
    assertEquals(out.split("\n").filter((line) => /^\S/.test(line)), [`${zarr} [0]`]);
    assertMatch(out, /level 1 +\S.*, array "1"/);
    assertEquals((await cli(["info", zarr, "--json"])).json().map(({ array }) => array), ["0", "1"]);
    assertMatch((await cli(["info", zarr, "--array", "1"])).out, /\[1\]\n/);
  }));

Deno.test("a warning is given once per command", () =>
  withFolder(async (folder) => {
    const scan = await writeScan(folder);
    const { err } = await cli(["run", "sum", scan, "--nav", "6x5", "--workers", "0"]);
    const warnings = err.split("\n").filter((line) => line.includes("warning"));
    assert(warnings.length > 0 && new Set(warnings).size === warnings.length, err);
  }));

Deno.test("a MIB file at a URL finds its .hdr, and does without where there is none", () =>
  withFolder(async (folder) => {
    const frames = Array.from({ length: 12 }, (_, f) => new Uint16Array(6).fill(f));
    const { files: [file], hdr } = await writeMib(`${folder}/scan.mib`, frames, { sig: [2, 3], nav: [3, 4] });
    const served = {
      "/scan.mib": file!,
      "/scan.hdr": hdr,
      "/alone.mib": file!,
      "/odd.mib": file!,
      "/odd.hdr": file!,
    };
    const missing = { "/locked.mib": 403 };
    await using server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen: () => {} },
      async (request) => {
        const { pathname } = new URL(request.url);
        const path = (served as Record<string, string>)[pathname.replace("locked.mib", "alone.mib")];
        if (!path) {
          return new Response("", { status: pathname.startsWith("/locked") ? missing["/locked.mib"] : 404 });
        }
        const bytes = await Deno.readFile(path);
        const [, start, last] = /bytes=(\d+)-(\d+)/.exec(request.headers.get("range") ?? "") ?? [];
        const stop = Math.min(bytes.length, Number(last ?? bytes.length - 1) + 1);
        const headers = { "content-range": `bytes ${start}-${stop - 1}/${bytes.length}` };
        return new Response(bytes.slice(Number(start ?? 0), stop), start ? { status: 206, headers } : {});
      },
    );
    const base = `http://127.0.0.1:${server.addr.port}`;
    const scan = await openStored(`${base}/scan.mib`);
    assertEquals(scan.navShape, [3, 4]);
    assertMatch(scan.detection.why.join(), /scan\.hdr: ScanX 4, ScanY 3/);
    for (const name of ["alone", "locked", "odd"]) {
      assertEquals((await openStored(`${base}/${name}.mib`)).navShape, [12], name);
    }
  }));

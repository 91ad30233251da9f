/**
 * The first start of all, on a machine without a network: nothing is in Deno's cache, nothing can be fetched. Files that
 * need no package are described, added up and computed; one that does need one says which.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { encodeNpy } from "../npy_files.ts";
import { withFolder } from "../cli/harness.ts";
import { counting, mibBytes } from "../formats/helpers.ts";

const MAIN = fromFileUrl(new URL("../../src/cli/main.ts", import.meta.url));

/** Runs `tilewise` in a process of its own, which has what is in the folder `cache`, and may fetch nothing. */
async function offline(cache: string, words: readonly string[]) {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "--cached-only", "--frozen", "-A", MAIN, ...words],
    env: { DENO_DIR: cache, NO_COLOR: "1" },
  });
  const { code, stdout, stderr } = await command.output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)) as [string, string];
  return { code, out, err };
}

/** The cache of all commands. Nothing can be fetched, so that it has only what the first of them compiled. */
const CACHE = Deno.makeTempDirSync();
Deno.test.afterAll(async () => await Deno.remove(CACHE, { recursive: true }));

/** Packages in a cache, by name. */
function packagesIn(cache: string): string[] {
  try {
    return [...Deno.readDirSync(`${cache}/npm`)].flatMap(({ name }) =>
      [...Deno.readDirSync(`${cache}/npm/${name}`)].map((entry) => entry.name)
    );
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

const FILES: Readonly<Record<string, { bytes: () => Promise<Uint8Array>; flags: readonly string[] }>> = {
  "scan.npy": { bytes: () => Promise.resolve(encodeNpy(counting(96), [2, 3, 4, 4], "uint8")), flags: [] },
  "scan.mib": { bytes: () => mibBytes(6, { sig: [4, 4] }), flags: ["--nav", "2x3"] },
  "scan.raw": {
    bytes: () => Promise.resolve(counting(96)),
    flags: ["--dtype", "uint8", "--nav", "2x3", "--sig", "4x4"],
  },
};

for (const [name, { bytes, flags }] of Object.entries(FILES)) {
  Deno.test(`info, stats and run of a ${name.slice(5)} file need no package at all`, async () => {
    await withFolder(async (folder) => {
      const path = `${folder}/${name}`;
      await Deno.writeFile(path, await bytes());
      for (
        const words of [
          ["info", "--json", path, ...flags],
          ["stats", "--json", "--sha256", path, ...flags],
          ["run", "sum", "com", path, ...flags, "-o", `${folder}/out/`, "--workers", "2"],
        ]
      ) {
        const { code, out, err } = await offline(CACHE, words);
        assertEquals([code, err.includes("Download")], [0, false], err);
        if (words.includes("--json")) assertEquals(JSON.parse(out).shape, [2, 3, 4, 4]);
      }
      assert([...Deno.readDirSync(`${folder}/out`)].length >= 2);
      assertEquals(packagesIn(CACHE), []);
    });
  });
}

Deno.test("a file that needs a package names it, and how to fetch it", async () => {
  const path = fromFileUrl(new URL("../data/hdf5/library.h5", import.meta.url));
  const { code, out } = await offline(CACHE, ["info", "--json", path, "--array", "/szip"]);
  const { error } = JSON.parse(out);
  assertEquals([code, error.code], [1, "unsupported"]);
  assert(/Cannot read \/szip of .*npm:h5wasm@.* cannot be loaded/.test(error.message), error.message);
  assert(/"deno cache npm:h5wasm@\d/.test(error.message), error.message);
});

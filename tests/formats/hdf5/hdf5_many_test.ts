/** HDF5 files with many arrays, and with claims of huge ones: only what is wanted is opened, and little is held. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { isTilewiseError } from "../../../src/errors.ts";
import { openAllStored as openAll, openStored as open } from "../../../src/formats/open.ts";
import { cli } from "../../cli/harness.ts";
import { chunksOf } from "../chunks_of.ts";
import { failure } from "../helpers.ts";

const FOLDER = decodeURIComponent(new URL("../../data/hdf5_latest/", import.meta.url).pathname);

Deno.test("info shows the hundred largest arrays of a file and says how many there are besides", async () => {
  const { code, out } = await cli(["info", `${FOLDER}many.h5`]);
  assertMatch(out, /^\S+many\.h5 \[\/array_129\]\n/);
  assertEquals([code, [...out.matchAll(/^ {2}also +\/array_\d{3}: .*$/gm)].length], [0, 99]);
  assertMatch(out, /many\.h5: and 30 more arrays; the flag --array NAME shows any of them\n$/);
  const lines = (await cli(["info", `${FOLDER}many.h5`, "--json"])).json();
  assertEquals([lines.length, lines.at(-1)!.more], [101, 30]);
  assertMatch((await cli(["info", `${FOLDER}many.h5`, "--array", "array_120"])).out, /\[array_120\]/);
  assertEquals((await openAll(`${FOLDER}many.h5`)).length, 130);
});

Deno.test("open takes the largest array and names some others, however many there are", async () => {
  const { array, warnings } = await open(`${FOLDER}many.h5`);
  assertEquals(array, "/array_129");
  assertMatch(warnings.join(), /"\/array_019" and 109 more$/);
});

Deno.test("to open one array nothing is read that belongs to others only", async () => {
  const bytes = Deno.readFileSync(`${FOLDER}fixed.h5`);
  const sound = await openAll(bytes);
  const packed = new TextDecoder("latin1").decode(bytes).indexOf("FADB");
  bytes[packed + 20]! ^= 1;
  const damaged: string[] = [];
  for (const { array } of sound) {
    await open(bytes, { array }).catch((error) => isTilewiseError(error, "malformed") && damaged.push(array));
  }
  assertEquals(damaged.length, 1);
  assertEquals((await open(bytes)).array, "/paged");
  await failure(openAll(bytes), "malformed");
});

Deno.test("a small file that claims 10^14 samples takes little memory, opened or refused", async () => {
  for (const array of ["/chunked", "/plain", "/packed"]) {
    try {
      const { addresses, sizes, masks } = chunksOf(await open(`${FOLDER}claims.h5`, { array }));
      const held = [addresses, sizes, masks].reduce((sum, a) => sum + a.byteLength, 0);
      assert(held <= 2 ** 25, `${array} holds ${held} bytes`);
    } catch (error) {
      assert(isTilewiseError(error, "unsupported"), String(error));
    }
  }
});

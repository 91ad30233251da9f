/** Independent commands that write to one output at the same time: in the end there is one set, whole. */

import { assert, assertEquals } from "@std/assert";
import { sha256 } from "../../../src/io/hash.ts";
import { congruential } from "../../udf/blobfinder/frames.ts";
import { cli, withFolder, writeNpy } from "../harness.ts";

const FILTERS = ["sobel", "box:radius=2", "gaussian:sigma=1"];

/** Bytes of the head of a file of NumPy as it is written here. */
const HEAD = 128;

Deno.test("of commands that write to one output at the same time, one leaves its set there, whole", async () => {
  await withFolder(async (folder) => {
    const chance = congruential(3);
    const samples = Float32Array.from({ length: 60 * 50 }, () => chance.next().value ?? 0);
    await writeNpy(`${folder}/image.npy`, "<f4", [60, 50], new Uint8Array(samples.buffer));
    const words = (
      filter: string,
      out: string,
    ) => ["map", filter, `${folder}/image.npy`, "-o", out, "--workers", "0"];
    const alone = new Map<string, string>();
    for (const [i, filter] of FILTERS.entries()) {
      const out = `${folder}/alone${i}`;
      assertEquals((await cli(words(filter, `${out}.npy`))).code, 0);
      alone.set(filter, await digests(out));
    }
    for (let round = 0; round < 8; round++) {
      const out = `${folder}/together`;
      const ended = await Promise.all(FILTERS.map((filter) => cli(words(filter, `${out}.npy`))));
      assert(ended.some(({ code }) => code === 0), ended.map(({ err }) => err).join(""));
      const { command, results } = JSON.parse(await Deno.readTextFile(`${out}.run.json`));
      const bytes = await Deno.readFile(`${out}.npy`);
      assertEquals(
        await sha256(bytes.slice(HEAD)),
        results[0].sha256,
        `round ${round}: the array of the manifest`,
      );
      const [filter] = command.arguments;
      assertEquals(await digests(out), alone.get(filter), `round ${round}: array and picture of ${filter}`);
      const left = [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) =>
        name.startsWith(".")
      );
      assertEquals(left, [], "no parts are left");
    }
  });
});

/** The digests of an array and its picture. */
async function digests(out: string): Promise<string> {
  const files = [`${out}.npy`, `${out}.png`];
  return (await Promise.all(files.map(async (file) => await sha256(await Deno.readFile(file))))).join(" ");
}

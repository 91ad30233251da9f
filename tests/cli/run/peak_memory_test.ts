/** Files and pictures are made in fixed memory: what commands take at most, in processes of their own. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { gzipSync } from "node:zlib";
import { cli, withFolder, writeNpy } from "../harness.ts";
import { CAN_MEASURE, inProcess, measured } from "../measured.ts";

/** MiB that a process takes beside its data. */
const BASE = 130;
/** The same with pieces that were written and are not collected yet. */
const WRITING = 190;
/** The same with a compressor per thread. */
const PACKING = 165;
const MIB = 2 ** 20;

function test(name: string, body: (folder: string) => Promise<void>): void {
  Deno.test({ name, ignore: !CAN_MEASURE, fn: () => withFolder(body) });
}

test("a picture of 40 million pixels takes the memory of some rows", async (folder) => {
  const script = new URL("../../pictures/large_picture.ts", import.meta.url).href;
  const { peak } = await inProcess<{ peak: number }>(script, [`${folder}/large.png`]);
  assert(peak < 40 + WRITING, `${peak} MiB`); // the samples are 40 MiB
  const head = new DataView((await Deno.readFile(`${folder}/large.png`)).buffer, 16);
  assertEquals([head.getUint32(0), head.getUint32(4)], [8000, 5000]);
});

for (const ending of ["tif", "npy"]) {
  test(`samples that are picked into a .${ending} are in memory once`, async (folder) => {
    const size = 32;
    await writeNpy(`${folder}/stack.npy`, "<u2", [16, size * 32, 1024], new Uint8Array(size * MIB));
    const out = `${folder}/out.${ending}`;
    const { code, err, peak } = await measured(["pick", `${folder}/stack.npy`, "--box", ":,:,:", "-o", out]);
    assertEquals(code, 0, err);
    assert(peak < size + WRITING, `${peak} MiB`);
  });
}

test("frames are converted to TIFF within the budget", async (folder) => {
  const scan = `${folder}/scan.npy`;
  await writeNpy(scan, "<u2", [32, 32, 128, 128], new Uint8Array(32 * MIB));
  const { code, err, peak } = await measured(["convert", scan, `${folder}/scan.tif`, "--memory", "16MiB"]);
  assertEquals(code, 0, err);
  assert(peak < 16 + PACKING, `${peak} MiB`);
});

test("a gzipped MRC file is in memory once", async (folder) => {
  const mrc = new DataView(new ArrayBuffer(1024 + 60 * MIB));
  [1024, 1024, 60, 0].forEach((value, i) => mrc.setInt32(4 * i, value, true));
  [...("MAP ")].forEach((letter, i) => mrc.setUint8(208 + i, letter.charCodeAt(0)));
  await Deno.writeFile(`${folder}/v.mrc.gz`, gzipSync(new Uint8Array(mrc.buffer), { level: 1 }));
  const { code, out, peak } = await measured(["info", `${folder}/v.mrc.gz`]);
  assertEquals(code, 0);
  assertStringIncludes(out, "60 images of 1024 × 1024");
  assert(peak < 60 + BASE, `${peak} MiB`);
});

Deno.test("a picture of more than 16 Mpx beside its samples is reduced, and that is said", async () => {
  await withFolder(async (folder) => {
    const side = 4100;
    await writeNpy(`${folder}/a.npy`, "|u1", [side, side], new Uint8Array(side * side));
    const words = ["pick", `${folder}/a.npy`, "--box", ":,:", "-o", `${folder}/b.npy`];
    const [row] = (await cli([...words, "--json"])).json();
    assertEquals([row!.files, row!.reduced], [[`${folder}/b.npy`, `${folder}/b.png`], 2]);
    const head = new DataView((await Deno.readFile(`${folder}/b.png`)).buffer, 16);
    assertEquals([head.getUint32(0), head.getUint32(4)], [side / 2, side / 2]);
    assert((await Deno.stat(`${folder}/b.npy`)).size > side * side);
    assertStringIncludes((await cli(words)).out, "b.png (reduced: a pixel is the mean of 2 × 2 samples)");
  });
});

Deno.test("a picture of a result that is reduced is said to be in its row and in the manifest", async () => {
  await withFolder(async (folder) => {
    const side = 4100;
    await writeNpy(`${folder}/a.npy`, "|u1", [1, side, side], new Uint8Array(side * side));
    const words = [
      "run",
      "sum",
      "sumsig",
      `${folder}/a.npy`,
      "-o",
      `${folder}/out`,
      "--json",
      "--memory",
      "1GiB",
    ];
    const rows = (await cli(words)).json().filter(({ files }) => files !== undefined);
    assertEquals(rows.map(({ reduced }) => reduced).sort(), [2, undefined]);
    const { results } = JSON.parse(await Deno.readTextFile(`${folder}/out/sum+sumsig.run.json`));
    assertEquals(
      results.map(({ udf, reduced }: { udf: string; reduced?: number }) => [udf, reduced]),
      rows.map(({ udf, reduced }) => [udf, reduced]),
    );
    assertEquals((await cli(["replay", `${folder}/out/sum+sumsig.run.json`])).code, 0);
  });
});

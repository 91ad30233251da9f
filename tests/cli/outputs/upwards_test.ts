/** Pictures of images whose rows grow upwards, as those of FITS: row 0 is at the bottom; the numbers stay where they are. */

import "../../fences/mod.ts";
import { assertEquals } from "@std/assert";
import { endingsFor } from "../../../src/sinks/registry.ts";
import { encodeFits } from "../../formats/fits/encode.ts";
import { open } from "../../../src/formats/open.ts";
import { upsideDown } from "../../../src/pictures/images.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import { readPng } from "../../pictures/read_png.ts";
import { cli, withFolder } from "../harness.ts";

/** Two images of 3 rows and 4 columns: numbers from 0 to 23. */
const FILE = encodeFits(Float32Array.from({ length: 24 }, (_, i) => i), [2, 3, 4], "float32", {});

/** The first samples of the three upper rows of a gray picture with one pixel per sample. */
async function upperRows(path: string): Promise<number[]> {
  const { width, height, samples } = readPng(await Deno.readFile(path));
  const each = samples.length / width / height;
  return [0, 1, 2].map((y) => samples[y * width * each]!);
}

Deno.test("every picture of a FITS image has its first row at the bottom", async () => {
  await withFolder(async (folder) => {
    const file = `${folder}/a.fits`, at = (name: string) => `${folder}/${name}`;
    await Deno.writeFile(file, FILE);
    const commands: [string, string[]][] = [
      ["pick.png", ["pick", file, "--at", "1", "-o", at("pick.png")]],
      ["beside.png", ["pick", file, "--at", "1", "-o", at("beside.npy")]],
      ["sum.png", ["run", "sum", file, "-o", at("sum.npy")]],
      ["map.png", ["map", "maximum:radius=0", file, "-o", at("map.png")]],
    ];
    for (const [name, words] of commands) {
      const { code, err } = await cli([...words, "--colormap", "gray"]);
      assertEquals(code, 0, `${name}: ${err}`);
      const rows = await upperRows(at(name));
      assertEquals(rows, rows.toSorted((a, b) => b - a), name); // the values of the last row are the highest
      assertEquals(new Set(rows).size, 3);
    }
    const { json } = await cli(["pick", file, "--at", "0", "--json"]);
    assertEquals(json()[0]!.values, [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]); // as astropy has it
    assertEquals((await open(file)).axes.map(({ upwards }) => upwards), [undefined, true, undefined]);
  });
});

Deno.test("every kind of file keeps that rows grow upwards, or the command tells that it does not", async () => {
  await withFolder(async (folder) => {
    const file = `${folder}/a.fits`;
    await Deno.writeFile(file, encodeFits(new Float32Array(2 * 128 * 128), [2, 128, 128], "float32", {}));
    for (const [n, ending] of endingsFor("frames", "results").entries()) {
      const out = `${folder}/out${n}${ending}`, to = ending === ".mib" ? ["--out-dtype", "uint16"] : [];
      const { code, err, out: said } = await cli(["convert", file, out, ...to]);
      assertEquals(code, 0, `${ending}: ${err}`);
      const raw = [".raw", ".bin"].includes(ending)
        ? { format: "raw", dtype: "float32", sig: [128, 128] } as const
        : {};
      const isKept = (await open(out, raw)).axes.at(-2)?.upwards === true;
      assertEquals(`${said}${err}`.includes("the direction of"), !isKept, `${ending}: ${said}${err}`);
    }
  });
});

Deno.test("images are turned with their masks, one by one", () => {
  const plain = ndarray(Float64Array.from({ length: 12 }, (_, i) => i), [2, 3, 2], "float64");
  assertEquals([...upsideDown(plain).data], [4, 5, 2, 3, 0, 1, 10, 11, 8, 9, 6, 7]);
  const masked = { ...plain, valid: Uint8Array.of(1, 0, 1, 1, 1, 0) }; // one entry per row
  assertEquals([...upsideDown(masked).valid], [1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 1, 1]);
  const pairs = ndarray(Float64Array.from({ length: 8 }, (_, i) => i), [2, 2], "complex128");
  assertEquals([...upsideDown(pairs).data], [4, 5, 6, 7, 0, 1, 2, 3]);
});

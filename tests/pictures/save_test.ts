import { assert, assertEquals, assertRejects } from "@std/assert";
import { TilewiseError } from "../../src/errors.ts";
import { encodeCsv } from "../../src/pictures/csv.ts";
import { encodeNpy } from "../../src/pictures/npy.ts";
import { save } from "../../src/pictures/save.ts";
import { DTYPES, zeros } from "../../src/space/dtype.ts";
import { ndarray } from "../../src/space/ndarray.ts";
import { readPng } from "./read_png.ts";

/** Header text and samples of a `.npy`. */
function readNpy(bytes: Uint8Array): { text: string; body: Uint8Array<ArrayBuffer> } {
  assertEquals([...bytes.subarray(0, 8)], [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0]);
  const start = 10 + bytes[8]! + 256 * bytes[9]!;
  assertEquals([start % 64, bytes[start - 1]], [0, 10]);
  return { text: new TextDecoder().decode(bytes.subarray(10, start)).trimEnd(), body: bytes.slice(start) };
}

async function withFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("npy headers name dtype and shape as NumPy does", () => {
  const shapes: [number[], string][] = [[[], "()"], [[3], "(3,)"], [[2, 3], "(2, 3)"], [
    [0, 2, 1],
    "(0, 2, 1)",
  ]];
  for (const [shape, tuple] of shapes) {
    const size = shape.reduce((a, b) => a * b, 1);
    const { text } = readNpy(encodeNpy(ndarray(zeros("uint16", size), shape, "uint16")));
    assertEquals(text, `{'descr': '<u2', 'fortran_order': False, 'shape': ${tuple}, }`);
  }
  const descrs = DTYPES.map((dtype) =>
    /'descr': '(.+?)'/.exec(readNpy(encodeNpy(ndarray(zeros(dtype, 1), [1], dtype))).text)![1]
  );
  assertEquals(descrs.join(" "), "|b1 |u1 |i1 <u2 <i2 <u4 <i4 <u8 <i8 <f2 <f4 <f8 <c8 <c16");
});

Deno.test("npy samples are in C order whatever the strides", () => {
  const data = Float64Array.of(0, 1, 2, 3, 4, 5);
  const { body } = readNpy(encodeNpy({ data, shape: [3, 2], stride: [1, 3], dtype: "float64" }));
  assertEquals(new Float64Array(body.buffer), Float64Array.of(0, 3, 1, 4, 2, 5));
  const pair = { data: Float32Array.of(1, 2, 3, 4), shape: [2], stride: [-1], dtype: "complex64" as const };
  assertEquals(new Float32Array(readNpy(encodeNpy({ ...pair, stride: [1] })).body.buffer), pair.data);
});

Deno.test("csv: complex samples, three dimensions, what is not valid", () => {
  assertEquals(encodeCsv(ndarray(Float64Array.of(1, -2), [1, 1], "complex128")), "i0,i1,re,im\n0,0,1,-2\n");
  assertEquals(
    encodeCsv(ndarray(Int8Array.of(5, 6), [1, 1, 2], "int8")),
    "i0,i1,i2,value\n0,0,0,5\n0,0,1,6\n",
  );
  assertEquals(encodeCsv(ndarray(Int8Array.of(5, 6), [1, 2], "int8", Uint8Array.of(0, 1))), ",6\n");
});

Deno.test("save writes what the extension names, and replaces files whole", async () => {
  await withFolder(async (folder) => {
    const image = ndarray(Float64Array.of(1, 2, 3, 4), [2, 2], "float64", Uint8Array.of(1, 1, 1, 0));
    for (const name of ["a.npy", "a.PNG", "a.csv", "a.csv"]) {
      assertEquals(await save(image, `${folder}/${name}`), [`${folder}/${name}`]);
    }
    const { body } = readNpy(await Deno.readFile(`${folder}/a.npy`));
    assertEquals(new Float64Array(body.buffer), Float64Array.of(1, 2, 3, NaN));
    assertEquals(await Deno.readTextFile(`${folder}/a.csv`), "1,2\n3,\n");
    assertEquals(readPng(await Deno.readFile(`${folder}/a.PNG`)).colourType, 6);
    await save(image, `${folder}/b.png`, { bits: 16, text: { Title: "b" } });
    assertEquals(readPng(await Deno.readFile(`${folder}/b.png`)).bits, 16);
    assertEquals([...Deno.readDirSync(folder)].length, 4);
  });
});

Deno.test("integers that are not valid are marked in a file beside", async () => {
  await withFolder(async (folder) => {
    const counts = ndarray(Uint8Array.of(1, 2), [2], "uint8", Uint8Array.of(1, 0));
    assertEquals(await save(counts, `${folder}/n.npy`), [`${folder}/n.npy`, `${folder}/n.valid.npy`]);
    const { text, body } = readNpy(await Deno.readFile(`${folder}/n.valid.npy`));
    assert(text.includes("|b1"));
    assertEquals([...body], [1, 0]);
    const vectors = ndarray(Uint8Array.of(1, 2, 3, 4), [2, 2], "uint8", Uint8Array.of(0, 1));
    await save(vectors, `${folder}/v.npy`);
    assert(readNpy(await Deno.readFile(`${folder}/v.valid.npy`)).text.includes("(2,)"));
    await save(
      ndarray(Float64Array.of(1, 2, 3, 4), [2, 2], "float64", Uint8Array.of(0, 1)),
      `${folder}/f.npy`,
    );
    const floats = readNpy(await Deno.readFile(`${folder}/f.npy`)).body;
    assertEquals(new Float64Array(floats.buffer), Float64Array.of(NaN, NaN, 3, 4));
  });
});

Deno.test("save refuses what it cannot write, and leaves nothing behind", async () => {
  const one = ndarray(Uint8Array.of(1), [1], "uint8");
  await withFolder(async (folder) => {
    Deno.mkdirSync(`${folder}/folder.npy`);
    const cases: [string, string][] = [
      [`${folder}/x.tif`, "known are the extensions .npy, .csv, .png"],
      [`${folder}/none/x.npy`, "its folder does not exist"],
      [`${folder}/folder.npy`, "a folder has this name"],
    ];
    for (const [path, words] of cases) await assertRejects(() => save(one, path), TilewiseError, words);
    await assertRejects(() => save(one, "no-extension"), TilewiseError, ".npy");
    assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), ["folder.npy"]);
  });
});

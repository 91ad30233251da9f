import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { unzipSync } from "fflate";
import { readBox } from "../../src/cli/inputs/frames.ts";
import type { StoredDataset } from "../../src/dataset/dataset.ts";
import { TilewiseError } from "../../src/errors.ts";
import { open } from "../../src/formats/open.ts";
import { csvPieces } from "../../src/sinks/arrays/csv.ts";
import { joined, npyOf } from "../npy_files.ts";
import { COLORMAPS } from "../../src/pictures/colours/colormap.ts";
import { npzPieces } from "../../src/sinks/arrays/npz.ts";
import { save, saveAll, saveVectors } from "../../src/pictures/save.ts";
import { arrayPieces } from "../../src/sinks/arrays/pieces.ts";
import { tiffStack } from "../../src/sinks/rows/tiff.ts";
import { type DType, DTYPES, zeros } from "../../src/space/dtype.ts";
import { wholeBox } from "../../src/space/box.ts";
import { type NDArray, ndarray } from "../../src/space/ndarray.ts";
import { sizeOf } from "../../src/space/shape.ts";
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

Deno.test("an array that reaches beyond its numbers is refused, not filled up", () => {
  const array = ndarray(new Float32Array(6), [2, 3], "float32");
  const odd = [{ shape: [2, 4] }, { stride: [4, 1] }, { stride: [-3, 1] }, { stride: [1] }, {
    dtype: "complex64",
  }] as const;
  for (const part of odd) {
    assertThrows(() => npyOf({ ...array, ...part }), TilewiseError, "beyond its 6 numbers");
  }
  assertEquals(npyOf({ ...array, stride: [1, 2] }).length, 128 + 24);
});

Deno.test("npy headers name dtype and shape as NumPy does", () => {
  const shapes: [number[], string][] = [[[], "()"], [[3], "(3,)"], [[2, 3], "(2, 3)"], [
    [0, 2, 1],
    "(0, 2, 1)",
  ]];
  for (const [shape, tuple] of shapes) {
    const size = shape.reduce((a, b) => a * b, 1);
    const { text } = readNpy(npyOf(ndarray(zeros("uint16", size), shape, "uint16")));
    assertEquals(text, `{'descr': '<u2', 'fortran_order': False, 'shape': ${tuple}, }`);
  }
  const descrs = DTYPES.map((dtype) =>
    /'descr': '(.+?)'/.exec(readNpy(npyOf(ndarray(zeros(dtype, 1), [1], dtype))).text)![1]
  );
  assertEquals(descrs.join(" "), "|b1 |u1 |i1 <u2 <i2 <u4 <i4 <u8 <i8 <f2 <f4 <f8 <c8 <c16");
});

Deno.test("npy samples are in C order whatever the strides", () => {
  const data = Float64Array.of(0, 1, 2, 3, 4, 5);
  const { body } = readNpy(npyOf({ data, shape: [3, 2], stride: [1, 3], dtype: "float64" }));
  assertEquals(new Float64Array(body.buffer), Float64Array.of(0, 3, 1, 4, 2, 5));
  const pair = { data: Float32Array.of(1, 2, 3, 4), shape: [2], stride: [-1], dtype: "complex64" as const };
  assertEquals(new Float32Array(readNpy(npyOf({ ...pair, stride: [1] })).body.buffer), pair.data);
});

Deno.test("csv: complex samples, three dimensions, what is not valid", () => {
  assertEquals(csvOf(ndarray(Float64Array.of(1, -2), [1, 1], "complex128")), "i0,i1,re,im\n0,0,1,-2\n");
  assertEquals(
    csvOf(ndarray(Int8Array.of(5, 6), [1, 1, 2], "int8")),
    "i0,i1,i2,value\n0,0,0,5\n0,0,1,6\n",
  );
  assertEquals(csvOf(ndarray(Int8Array.of(5, 6), [1, 2], "int8", Uint8Array.of(0, 1))), ",6\n");
  assertEquals(csvOf(ndarray(Float32Array.of(-0, 0.1), [1, 2], "float32")), "-0,0.10000000149011612\n");
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
      [`${folder}/x.jpg`, "the name must end with one of .npy, .hspy, .emd, .nxs, .fits, .tif"],
      [`${folder}/none/x.npy`, "its folder does not exist"],
      [`${folder}/folder.npy`, "a folder has this name"],
    ];
    for (const [path, words] of cases) await assertRejects(() => save(one, path), TilewiseError, words);
    await assertRejects(() => save(one, "no-extension"), TilewiseError, ".npy");
    assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), ["folder.npy"]);
  });
});

Deno.test("npz holds every array under its name, and masks of integers beside them", async () => {
  await withFolder(async (folder) => {
    const mean = ndarray(Float64Array.of(1.5, 2), [2], "float64", Uint8Array.of(1, 0));
    const count = ndarray(Int32Array.of(3, 4), [2], "int32", Uint8Array.of(0, 1));
    assertEquals(await saveAll({ mean, count }, `${folder}/r.npz`), [`${folder}/r.npz`]);
    const files = unzipSync(await Deno.readFile(`${folder}/r.npz`));
    assertEquals(Object.keys(files), ["mean.npy", "count.npy", "count_valid.npy"]);
    assertEquals(new Float64Array(readNpy(files["mean.npy"]!).body.buffer), Float64Array.of(1.5, NaN));
    assertEquals(new Int32Array(readNpy(files["count.npy"]!).body.buffer), count.data);
    assertEquals(readNpy(files["count_valid.npy"]!).body, Uint8Array.of(0, 1));
    await save(mean, `${folder}/one.npz`);
    assertEquals(Object.keys(unzipSync(await Deno.readFile(`${folder}/one.npz`))), ["array.npy"]);
  });
});

Deno.test("npz refuses names that are not file names, and having nothing to write", async () => {
  const array = ndarray(Uint8Array.of(1), [1], "uint8");
  for (const name of ["", "..", "a/b", "a\\b"]) {
    await assertRejects(() => npzOf({ [name]: array }), TilewiseError, "name");
  }
  await assertRejects(() => npzOf({}), TilewiseError, "without arrays");
  await assertRejects(() => saveAll({ array }, "x.npy"), TilewiseError, ".npz");
});

/** TIFF has no truth values, and floats of 16 bits are read as wider ones. */
const READ_AS: Partial<Record<DType, DType>> = { bool: "uint8", float16: "float32" };

const npzOf = (arrays: Readonly<Record<string, NDArray>>) => Array.fromAsync(npzPieces(arrays));
const csvOf = (array: NDArray) => new TextDecoder().decode(joined(csvPieces(array)));
const tiffOf = (array: NDArray) => joined(arrayPieces(tiffStack, array));

Deno.test("tiff: samples of every type are what they are, a page an image, with the shape in the description", async () => {
  for (const dtype of DTYPES) {
    for (const shape of [[2, 2, 3], [3, 5], [7]]) {
      const array = ndarray(zeros(dtype, sizeOf(shape)), shape, dtype);
      for (let i = 0; i < array.data.length; i++) {
        const value = dtype === "bool" ? i % 2 : i * 3 + (dtype.startsWith("u") ? 0 : -4);
        array.data[i] = dtype.endsWith("int64") ? BigInt(value) * 2n ** 55n : value;
      }
      const bytes = tiffOf(array);
      const found = await open(bytes) as StoredDataset;
      const { data } = await readBox(found, wholeBox(found.shape));
      const what = `${dtype} ${shape}`;
      assertEquals([found.shape, found.dtype], [shape, READ_AS[dtype] ?? dtype], what);
      assertEquals(
        Array.from(data as ArrayLike<unknown>),
        Array.from(array.data as ArrayLike<unknown>),
        what,
      );
      assert(new TextDecoder().decode(bytes.subarray(8, 40)).startsWith(`{"shape":[${shape}]}`), what);
    }
  }
});

Deno.test("tiff: what is not valid is NaN; nothing is refused", async () => {
  const numbers = await open(
    tiffOf(ndarray(Uint8Array.of(1, 2), [1, 2], "uint8", Uint8Array.of(1, 0))),
  ) as StoredDataset;
  const { data } = await readBox(numbers, wholeBox(numbers.shape));
  assertEquals([numbers.dtype, ...data as Float64Array], ["float64", 1, NaN]);
  const whole = await open(
    tiffOf(ndarray(Uint8Array.of(1, 2), [1, 2], "uint8", Uint8Array.of(1, 1))),
  ) as StoredDataset;
  assertEquals(whole.dtype, "uint8");
  const empty = ndarray(new Uint8Array(0), [0, 3], "uint8");
  assertThrows(() => tiffOf(empty), TilewiseError, "no samples");
});

Deno.test("pictures are saved in every colour map, from either end", async () => {
  await withFolder(async (folder) => {
    const ramp = ndarray(Float64Array.of(0, 1), [1, 2], "float64");
    for (const map of COLORMAPS.flatMap((name) => [name, `${name}_r`] as const)) {
      await save(ramp, `${folder}/${map}.png`, { colormap: map });
      assertEquals(readPng(await Deno.readFile(`${folder}/${map}.png`)).width, 2);
    }
  });
});

Deno.test("saveVectors writes a colour picture of the field, and save one of an array of vectors", async () => {
  await withFolder(async (folder) => {
    const part = (...values: number[]) => ndarray(Float64Array.from(values), [1, 2], "float64");
    await saveVectors(part(0, 1), part(1, 0), `${folder}/field.png`);
    const { width, height, colourType } = readPng(await Deno.readFile(`${folder}/field.png`));
    assertEquals([width, height, colourType], [2, 1, 2]);
    const field = {
      ...ndarray(Float64Array.of(0, 1, 1, 0), [1, 2, 2], "float64"),
      values: { kind: "vector" } as const,
    };
    await save(field, `${folder}/vectors.png`);
    const samples = async (name: string) => readPng(await Deno.readFile(`${folder}/${name}.png`)).samples;
    assertEquals(await samples("vectors"), await samples("field"), "an array of vectors is the same field");
    await save(field, `${folder}/parts.png`, { colormap: "gray" });
    assertEquals(readPng(await Deno.readFile(`${folder}/parts.png`)).height, 2, "with a colour map: numbers");
  });
});

Deno.test("text of many samples is written in pieces, and is the same", () => {
  const array = ndarray(Float64Array.from({ length: 300_000 }, (_, i) => i / 7), [300, 1000], "float64");
  const sizes: number[] = [];
  const decoder = new TextDecoder();
  let text = "";
  for (const piece of csvPieces(array)) {
    sizes.push(piece.length);
    text += decoder.decode(piece);
  }
  assert(Math.max(...sizes) < 70_000 && sizes.length > 50, `${sizes.length} pieces`);
  assertEquals(text, csvOf(array));
  const rows = text.trimEnd().split("\n").map((line) => line.split(",").map(Number));
  assertEquals(rows.flat(), [...array.data as Float64Array]);
});

/** Results of any shape as images: every number comes to its place. */

import { assertEquals } from "@std/assert";
import { type NDArray, open } from "../../../mod.ts";
import { namedResults } from "../../../web/engine/results.ts";
import { maskOf } from "../../../web/engine/region.ts";
import { rangesOf, roiFlag } from "../../../web/export/code/selection.ts";
import type { ShownImage, ShownVectors } from "../../../web/draw/image.ts";
import { congruential } from "../../udf/blobfinder/frames.ts";

function counted(shape: readonly number[], valid?: Uint8Array): NDArray {
  const length = shape.reduce((product, n) => product * n, 1);
  const stride = shape.map((_, d) => shape.slice(d + 1).reduce((product, n) => product * n, 1));
  const data = Float64Array.from({ length }, (_, i) => i);
  return { data, shape, stride, dtype: "float64", ...(valid ? { valid } : {}) };
}

Deno.test("channels, leading dimensions and components are cut as index arithmetic says", async () => {
  const scan = await open({ data: new Uint8Array(2 * 3 * 4 * 5 * 6), shape: [2, 3, 4, 5, 6] }, {
    sig: [5, 6],
  });
  const facts = { dataset: scan, analysis: "radialfourier", kinds: {} };
  const [result] = namedResults({ absolute: counted([2, 3, 4, 2, 7]) }, facts);
  assertEquals([result!.kind, result!.title, result!.images.length], ["scan", "Magnitude", 28]);
  result!.images.forEach((image, n) => {
    const [lead, a, b] = [Math.floor(n / 14), Math.floor(n / 7) % 2, n % 7];
    assertEquals(image.title, `Magnitude, ${lead}, ring ${a}, order ${b}`);
    const { array } = image as ShownImage;
    assertEquals([array.shape, array.dtype], [[3, 4], "float64"]);
    assertEquals([...array.data], Array.from({ length: 12 }, (_, i) => (((lead * 12 + i) * 2) + a) * 7 + b));
  });
});

Deno.test("channels are called by what they count, without dimensions of one entry", async () => {
  const scan = await open({ data: new Uint8Array(2 * 3 * 4 * 5), shape: [2, 3, 4, 5] });
  const titles = (analysis: string, name: string, ...extra: number[]) => {
    const facts = { dataset: scan, analysis, kinds: { [name]: "scan" as const } };
    return namedResults({ [name]: counted([2, 3, ...extra]) }, facts)[0]!.images.map(({ title }) => title);
  };
  assertEquals(titles("radialfourier", "phase", 1, 2), ["Phase, order 0", "Phase, order 1"]);
  assertEquals(titles("radialfourier", "dominant", 2), [
    "Strongest order, ring 0",
    "Strongest order, ring 1",
  ]);
  assertEquals(titles("correlate", "refineds", 1, 2), [
    "Positions between pixels, y",
    "Positions between pixels, x",
  ]);
  assertEquals(titles("correlate", "refineds", 2, 2).at(-1), "Positions between pixels, disk 1, x");
  assertEquals(titles("mask", "intensity", 2), ["Masks, mask 0", "Masks, mask 1"]);
  assertEquals(titles("expr", "mine", 1), ["mine"]);
  assertEquals(titles("expr", "mine", 2, 2).at(-1), "mine, 1, 1");
});

Deno.test("fields are vectors, frames are frames, and what is neither is a table", async () => {
  const scan = await open({ data: new Uint16Array(2 * 3 * 2 * 3), shape: [2, 3, 2, 3] });
  const kinds = { intensity: "frame", field: "scan", regression: "other" } as const;
  const valid = Uint8Array.of(1, 1, 0, 1, 1, 1);
  const [field, intensity, regression] = namedResults(
    {
      intensity: counted([2, 3]),
      field: { ...counted([2, 3, 2], valid), values: { kind: "vector", unit: "px" } },
      regression: counted([3, 2]),
    },
    { dataset: scan, analysis: "com", kinds },
  );
  assertEquals([field!.name, field!.kind, intensity!.kind, regression!.kind], [
    "field",
    "scan",
    "frame",
    "other",
  ]);
  const { y, x, unit } = field!.images[0] as ShownVectors;
  assertEquals([[...y.data], [...x.data], unit], [[0, 2, 4, 6, 8, 10], [1, 3, 5, 7, 9, 11], "px"]);
  assertEquals([...y.valid!], [...valid]);
  assertEquals((regression!.images[0] as ShownImage).array.shape, [3, 2]);
});

Deno.test("scans of one or no dimension are rows and points; complex numbers stay pairs", async () => {
  const line = await open({ data: new Uint8Array(5 * 4), shape: [5, 2, 2] });
  const complex: NDArray = {
    data: Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
    shape: [5],
    stride: [1],
    dtype: "complex64",
  };
  const [result] = namedResults({ value: complex }, { dataset: line, analysis: "expr", kinds: {} });
  const { array } = result!.images[0] as ShownImage;
  assertEquals([array.shape, [...array.data]], [[1, 5], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]]);
  const [single] = namedResults({ n: counted([]) }, {
    dataset: line,
    analysis: "expr",
    kinds: { n: "other" },
  });
  assertEquals((single!.images[0] as ShownImage).array.shape, [1, 1]);
});

Deno.test("regions select the same positions as ranges and as positions of a command", () => {
  const random = congruential(3);
  const number = (most: number) => Math.round(40 * most * random.next().value!) / 40 - 1;
  for (let i = 0; i < 200; i++) {
    const shape = i % 3 === 0 ? [2, 7, 9] : [7, 9];
    const region = {
      kind: "rectangle",
      y: number(8),
      x: number(10),
      height: number(6) + 1,
      width: number(6) + 1,
    } as const;
    const mask = maskOf(region, shape);
    const [rows, columns] = rangesOf(region, shape)!.split(", ").slice(-2).map((range) =>
      range.split(":").map(Number)
    );
    const wanted = Uint8Array.from(mask, (_, at) => {
      const [y, x] = [Math.floor(at / 9) % 7, at % 9];
      return y >= rows![0]! && y < rows![1]! && x >= columns![0]! && x < columns![1]! ? 1 : 0;
    });
    assertEquals(mask, wanted, JSON.stringify(region));
    const disk = { kind: "disk", cy: number(8), cx: number(10), r: number(5) + 1 } as const;
    const inDisk = maskOf(disk, shape);
    const { text, mask: file } = roiFlag(disk, shape, "roi.npy");
    if (file) assertEquals([text, file, inDisk.includes(1)], ["roi.npy", inDisk, false]);
    else {
      const found = new Uint8Array(inDisk.length);
      for (const position of text.split(";")) {
        const at = position.split(",").map(Number);
        found[at.reduce((flat, n, d) => flat * shape[d]! + n, 0)] = 1;
      }
      assertEquals(found, inDisk);
    }
  }
});

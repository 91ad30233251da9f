/** The digest and the picture of a result are made of its samples on their way: they are those of the finished result. */

import { assert, assertEquals } from "@std/assert";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { Seen } from "../../../src/cli/manifests/seen.ts";
import { open } from "../../../src/formats/open.ts";
import { hasKernel } from "../../../src/kernels/exists.ts";
import { reductionOf } from "../../../src/pictures/plane.ts";
import { createContext } from "../../../src/runner/context.ts";
import { type DType, dtypeInfo, DTYPES, zeros } from "../../../src/space/dtype.ts";
import { type NDArray, ndarray } from "../../../src/space/ndarray.ts";
import { type Shape, sizeOf } from "../../../src/space/shape.ts";
import { mapViews } from "../../../src/views/map/map_views.ts";
import { endingsFor } from "../../../src/sinks/registry.ts";
import { cli, withFolder, writeNpy } from "../harness.ts";
import { downSample } from "../../../src/views/operations/down_sample.ts";

/** What stops commands, as the module below says. */
const HOOK = globalThis as { seenTile?: () => void };

/** Adds 1, and says so. */
const MODULE = `export function add(view, out) {
  globalThis.seenTile?.();
  for (const i of out.data.keys()) out.data[i] = 1 + view.data[i];
}`;

/** An image of uint8 in a file. */
async function writeImage(path: string, shape: readonly number[]): Promise<void> {
  const data = Uint8Array.from({ length: sizeOf(shape) }, (_, i) => (i * 7919 + (i >> 9)) % 251);
  await writeNpy(path, "|u1", shape, data);
}

/** Samples of any sign, in which float32 sums depend on their order; some are not finite. */
function samplesOf(dtype: DType, count: number): NDArray["data"] {
  const data = zeros(dtype, count), { kind } = dtypeInfo(dtype);
  for (let i = 0; i < data.length; i++) {
    const value = ((i * 7919 + 13) % 251 - 100) * (kind === "f" || kind === "c" ? Math.exp(i % 23) / 7 : 1);
    const odd = kind === "f" && i % 997 === 500 ? [NaN, Infinity, -0][i % 3]! : value;
    data[i] = (data instanceof BigInt64Array || data instanceof BigUint64Array
      ? BigInt(Math.trunc(value))
      : kind === "b"
      ? Number(value > 0)
      : odd) as never;
  }
  return data;
}

/** What is seen of an array that comes in pieces of `step` samples. */
function seen(array: NDArray, kind: "amount" | "label", most: number, step: number) {
  const { shape, dtype, data } = array, { itemSize } = dtypeInfo(dtype);
  const made = new Seen({ shape, dtype, values: { kind } }, { most, hasDigest: true });
  const bytes = new Uint8Array(new SharedArrayBuffer(data.byteLength + 3), 3); // as in memory of runs, anywhere
  bytes.set(new Uint8Array(data.buffer));
  for (let at = 0; at < bytes.length; at += step * itemSize) {
    assertEquals(made.isWhole, false);
    made.add(bytes.subarray(at, at + step * itemSize));
  }
  assertEquals(made.isWhole, true);
  return made.made();
}

const SHAPES: fc.Arbitrary<Shape> = fc.tuple(
  fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 2 }),
  fc.integer({ min: 1, max: 70 }),
  fc.integer({ min: 1, max: 90 }),
).map(([outer, rows, columns]) => [...outer, rows, columns]);

Deno.test("digest and picture of samples in any pieces are those of the whole array, to the bit", async () => {
  await using context = createContext({ workers: 0 });
  const asked = fc.record({
    shape: SHAPES,
    dtype: fc.constantFrom(...DTYPES.filter((dtype) => hasKernel("sum_frames", dtype))),
    kind: fc.constantFrom("amount" as const, "label" as const),
    most: fc.integer({ min: 1, max: 6000 }),
    step: fc.integer({ min: 1, max: 8000 }),
  });
  await fc.assert(
    fc.asyncProperty(asked, async ({ shape, dtype, kind, most, step }) => {
      const array = ndarray(samplesOf(dtype, sizeOf(shape)), shape, dtype);
      const { small, sha256 } = seen(array, kind, most, step);
      const bytes = new Uint8Array(array.data.buffer);
      assertEquals(sha256, createHash("sha256").update(bytes).digest("hex"));
      const n = reductionOf(shape, most);
      assertEquals(small!.n, n);
      const factor = shape.map((_, d) => d < shape.length - 2 ? 1 : n);
      const how = kind === "label" ? "nearest" : "mean";
      const expected = n === 1
        ? array
        : await mapViews(await open(array), downSample({ factor, reduce: how }), { context });
      const { data, ...facts } = small!.array;
      assertEquals([facts.shape, facts.dtype], [expected.shape, expected.dtype]);
      assertEquals(data, expected.data);
    }),
    { seed: 29, numRuns: 300 },
  );
});

Deno.test("pictures of complex numbers are means of magnitudes, those of long integers means of numbers", () => {
  const complex = ndarray(Float32Array.of(3, 4, 0, -1, 6, 8, 0, 0), [2, 2], "complex64");
  assertEquals(seen(complex, "amount", 1, 1).small!.array.data, Float32Array.of(4));
  const long = ndarray(BigInt64Array.of(2n ** 40n, -2n, 0n, 2n), [1, 4], "int64");
  assertEquals(seen(long, "amount", 2, 3).small!.array.data, Float64Array.of(2 ** 39 - 1, 1));
  const labels = ndarray(BigUint64Array.of(2n ** 60n, 1n, 5n, 7n), [1, 4], "uint64");
  assertEquals(seen(labels, "label", 2, 3).small!.array.data, BigUint64Array.of(2n ** 60n, 5n));
});

Deno.test("the digest in a manifest is that of the finished file, of filters and labels in every kind of file", async () => {
  await withFolder(async (folder) => {
    await writeImage(`${folder}/in.npy`, [90, 130]);
    for (const [n, ending] of endingsFor("results").entries()) {
      for (const word of ["gaussian:sigma=1", "label:threshold=125"]) {
        const out = `${folder}/${word.slice(0, 5)}${n}${ending}`;
        const chunk = /zarr|zspy/.test(ending)
          ? ["--chunk", "32x40"]
          : /tiff?$/.test(ending)
          ? ["--tile", "32"]
          : [];
        const told = await cli(["map", word, `${folder}/in.npy`, "-o", out, ...chunk, "--json", "-q"]);
        assertEquals([told.code, told.err], [0, ""]);
        const whole = await cli(["stats", out, "--sha256", "--json"]);
        assertEquals(told.json()[0]!.sha256, whole.json()[0]!.sha256, out);
      }
    }
  });
});

Deno.test("a map that goes on has the digest and the picture of one that was not stopped", async () => {
  await withFolder(async (folder) => {
    const image = `${folder}/in.npy`;
    await Deno.writeTextFile(`${folder}/mine.ts`, MODULE);
    const cases = [["a.tif", [1100, 1000], 3], ["b.zarr", [1100, 1000], 3], [
      "c.ome.zarr",
      [60, 600],
      2,
    ]] as const;
    for (const [name, shape, tiles] of cases) {
      await writeImage(image, shape);
      const word = `${folder}/mine.ts#add:radius=0,input=uint8,dtype=uint8`;
      const words = [
        "map",
        word,
        image,
        "-o",
        `${folder}/${name}`,
        "--workers",
        "0",
        "--resume",
        "--json",
      ];
      let all = 0, calls = 0;
      HOOK.seenTile = () => void all++;
      const whole = await cli(words);
      assertEquals(whole.code, 0, whole.err);
      const picture = await Deno.readFile(`${folder}/${name}.png`);
      for (const { name: left } of [...Deno.readDirSync(folder)]) {
        if (left.startsWith(name)) await Deno.remove(`${folder}/${left}`, { recursive: true });
      }
      const stop = new AbortController();
      HOOK.seenTile = () => ++calls === tiles && stop.abort();
      const stopped = await cli(words, { signal: stop.signal });
      const left = [...Deno.readDirSync(folder)].filter((file) =>
        file.name.startsWith(`.${name}`) || file.name.startsWith(name)
      );
      assertEquals([stopped.code > 0, left.length], [true, 1]);
      const again = await cli(words);
      delete HOOK.seenTile;
      assertEquals([again.code, again.json()], [0, whole.json()]);
      assert(calls < all + tiles, `${calls} tiles, of ${all}`); // it went on
      assertEquals(await Deno.readFile(`${folder}/${name}.png`), picture);
    }
  });
});

/** Views against recorded ones and against their definition, `pad(array)[box]`. */

import "../fences/mod.ts";
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import fc from "fast-check";
import { TilewiseError } from "../../src/errors.ts";
import { open } from "../../src/formats/open.ts";
import { BlobSource } from "../../src/io/source/blob.ts";
import { admissionOf, RunContext } from "../../src/runner/context.ts";
import { type Border, BORDERS } from "../../src/space/border.ts";
import { type DType, dtypeInfo } from "../../src/space/dtype.ts";
import { type Shape, sizeOf, unravel } from "../../src/space/shape.ts";
import { TRAVERSALS } from "../../src/space/traversal.ts";
import { arrayOf, type ArraySpec } from "../../src/views/array.ts";
import { planViews, type ViewOptions } from "../../src/views/plan.ts";
import { ViewReader } from "../../src/views/view.ts";
import { memoryArray, slowView } from "./data.ts";
import { golden, type GoldenBorder, type GoldenCase } from "./golden.ts";

const context = new RunContext({ memory: 1 << 20, workers: 0 });
const ALL = Object.keys(BORDERS) as Border[];

/** The samples of some views, or of all; the leases of all of them are home afterwards. */
async function samples(
  array: ArraySpec,
  options: ViewOptions,
  indices?: readonly Shape[],
): Promise<number[][]> {
  await using views = await ViewReader.open(planViews(array, { ...options, context }));
  const { counts } = views.plan.grid;
  const found: number[][] = [];
  for (const index of indices ?? Array.from({ length: sizeOf(counts) }, (_, flat) => unravel(flat, counts))) {
    using view = await views.read(index);
    found.push(Array.from(view.data as ArrayLike<number | bigint>, Number));
  }
  assertEquals(context.arena.used, views.plan.readerBytes);
  return found;
}

for (const file of ["views-1d", "views-2d", "views-3d", "views-border"]) {
  const cases = golden<GoldenCase>(file);
  Deno.test({
    name: `samples: ${file}`,
    ignore: !cases, // the recordings are not part of the repository
    async fn() {
      for (const { fullDims, tileDims, radii, border, views } of cases!) {
        const options = { tile: tileDims[0]!, radius: radii, fill: border.value ?? 0 };
        const found = await samples(
          memoryArray(fullDims[0]!, "int32"),
          options,
          views.map(({ index }) => index),
        );
        // null: a recording with an undefined border says nothing of these samples
        const known = found.map((data, v) => data.map((s, i) => views[v]!.data![i] === null ? null : s));
        assertEquals(known, views.map(({ data }) => [...data!]));
      }
    },
  });
}

const replicated = golden<Omit<GoldenCase, "fullDims" | "tileDims"> & { fullDims: Shape; tileDims: Shape }>(
  "legacy-replicate",
);
Deno.test({
  name: "samples: legacy-replicate",
  ignore: !replicated, // as above
  async fn() {
    for (const { fullDims, tileDims, radii, views } of replicated!) {
      const options = { tile: tileDims, radius: radii, border: "replicate" };
      const found = await samples(memoryArray(fullDims, "int32"), options, views.map(({ index }) => index));
      assertEquals(found, views.map(({ data }) => [...data!]));
    }
    assertEquals(replicated!.length, 4);
  },
});

const orders = golden<GoldenCase & { traversal: string; tileLoads: number }>("orders");
Deno.test({
  name: "orders: views come as they were recorded, in every geometry, and touch as many tiles",
  ignore: !orders, // as above
  async fn() {
    for (const { name, fullDims: [full], tileDims: [tile], radii, traversal, tileLoads, views } of orders!) {
      const asked = name.includes("duplicates")
        ? views.map(({ index }) => index)
        : traversal === "reverse"
        ? (counts: Shape) => [...TRAVERSALS["row-major"](counts)].reverse()
        : traversal;
      const plan = planViews(memoryArray(full!, "int32"), {
        tile: tile!,
        radius: radii,
        traversal: asked,
        fill: -1,
        context,
      });
      await using reader = await ViewReader.open(plan);
      const tiles = new Set<string>();
      let n = 0;
      for await (const { geometry: { index, front, back, inside, tiles: touched }, data } of reader) {
        const expected = views[n++]!;
        assertEquals(
          [index, front, back, inside.origin],
          [expected.index, expected.frontFill, expected.backFill, expected.minPos],
        );
        if (expected.data) assertEquals([...data].map(Number), [...expected.data]);
        for (const at of TRAVERSALS["row-major"](touched.shape)) {
          tiles.add(at.map((i, d) => i + touched.origin[d]!).join());
        }
      }
      assertEquals([n, tiles.size], [views.length, tileLoads], name);
    }
  },
});

const borders = golden<GoldenBorder>("border-modes");
Deno.test({
  name: "samples: border-modes",
  ignore: !borders, // as above
  async fn() {
    for (const { mode, fullDims, tileDims, radii, index, value, data } of borders!) {
      const border = mode === "reflect" ? "symmetric" : mode; // the recordings use OpenCV's names
      const options = { tile: tileDims, radius: radii, border, fill: value ?? 0 };
      assertEquals(
        await samples(memoryArray(fullDims, "int32"), options, [index]),
        [[...data]],
        `${mode} ${fullDims}`,
      );
    }
  },
});

Deno.test("a view is its definition: every n ≤ 6, tile ≤ 4, halo ≤ 3, every border", async () => {
  for (let n = 1; n <= 6; n++) {
    for (let tile = 1; tile <= 4; tile++) {
      for (let radius = 0; radius <= 3; radius++) {
        for (const border of ALL) await check([n], { tile: [tile], radius: [radius], border, fill: 99 });
      }
    }
  }
});

Deno.test("a view is its definition: pairs of dimensions, one short and one long", async () => {
  for (const shape of [[1, 6], [5, 2], [3, 4]]) {
    for (const tile of [[1, 4], [3, 2], [4, 4]]) {
      for (const radius of [[0, 3], [3, 0], [1, 2], [3, 3]]) {
        for (const border of ALL) await check(shape, { tile, radius, border, fill: -7 });
      }
    }
  }
});

async function check(
  shape: Shape,
  options: { tile: Shape; radius: Shape; border: Border; fill: number },
  dtype: DType = "int16",
  order: "little" | "big" = "little",
): Promise<void> {
  const array = memoryArray(shape, dtype, undefined, order);
  const { grid } = planViews(array, options);
  const found = await samples(array, options);
  for (const [flat, data] of found.entries()) {
    const what = JSON.stringify({ shape, ...options, dtype, order, flat });
    const expected = slowView(shape, unravel(flat, grid.counts), options);
    if (data.some((sample, i) => sample !== expected[i])) assertEquals(data, expected, what);
  }
}

Deno.test("a view is its definition: up to four dimensions, all dtypes, both byte orders", async () => {
  const dtypes: DType[] = ["uint8", "int16", "uint32", "int64", "float16", "float32", "float64"];
  const dimension = fc.record({
    n: fc.integer({ min: 1, max: 5 }),
    tile: fc.integer({ min: 1, max: 3 }),
    radius: fc.nat(3),
  });
  const input = fc.record({
    dimensions: fc.array(dimension, { minLength: 1, maxLength: 4 }),
    border: fc.constantFrom(...ALL),
    dtype: fc.constantFrom(...dtypes),
    order: fc.constantFrom("little" as const, "big" as const),
  });
  await fc.assert(
    fc.asyncProperty(input, async ({ dimensions, border, dtype, order }) => {
      const [shape, tile, radius] = (["n", "tile", "radius"] as const).map((key) =>
        dimensions.map((d) => d[key])
      );
      await check(shape!, { tile: tile!, radius: radius!, border, fill: 3 }, dtype, order);
    }),
    { numRuns: 60, seed: 11 },
  );
});

Deno.test("complex samples stay together, also backwards and with swapped bytes", async () => {
  for (const dtype of ["complex64", "complex128"] as const) {
    for (const order of ["little", "big"] as const) {
      const array = memoryArray([5], dtype, (i) => i, order); // sample s is (2 s, 2 s + 1)
      assertEquals(dtypeInfo(dtype).kind, "c");
      const found = await samples(array, { tile: [4], radius: 1, border: "symmetric" }, [[1]]);
      assertEquals(found, [[6, 7, 8, 9, 8, 9, 6, 7, 4, 5, 2, 3]]);
    }
  }
});

Deno.test("rows of a file that are near are right, also backwards, and none is kept", async () => {
  const shape = [60, 70, 3];
  const sample = (flat: number) => flat * 7 % 60_000;
  const blob = new Blob([Uint16Array.from({ length: sizeOf(shape) }, (_, flat) => sample(flat))]);
  const source = new BlobSource(blob).describe();
  const array = { source, offset: 0, shape, dtype: "uint16", byteOrder: "little" } as const;
  for (const border of ["symmetric", "constant"] as const) {
    const options = { tile: [40, 40, 1], radius: [2, 2, 0], border, fill: 3 };
    const indices = [[0, 0, 1], [1, 1, 2], [0, 1, 0]];
    const expected = indices.map((index) => slowView(shape, index, options, sample));
    const native = Uint8Array;
    let views = 0;
    globalThis.Uint8Array = new Proxy(native, {
      construct: (target, given, made) => (views++, Reflect.construct(target, given, made)),
    });
    try {
      assertEquals(await samples(array, options, indices), expected);
    } finally {
      globalThis.Uint8Array = native;
    }
    assert(views < 500, `${views} views of bytes`);
  }
});

Deno.test("the bytes into which near rows are read are planned, no more than a view needs and 256 KiB", () => {
  const bytes = (shape: Shape, tile: Shape, options: Partial<ViewOptions> = {}) => {
    const source = new BlobSource(new Blob([new Uint8Array(2 * sizeOf(shape))])).describe();
    const array = { source, offset: 0, shape, dtype: "uint16", byteOrder: "little" } as const;
    return planViews(array, { tile, context, ...options }).readerBytes;
  };
  assertEquals(bytes([60, 70, 3], [40, 40, 1]), 16_640); // 39 rows of 420 bytes, 39 samples of 6, and one of 2
  assertEquals(bytes([300, 2000], [300, 100]), 262_144);
  assertEquals(bytes([300, 6000], [300, 100]), 0); // 11 800 bytes apart
  assertEquals(bytes([30, 20], [10, 20]), 0); // one row
  assertEquals(bytes([30, 20], [10, 20], { radius: 1 }), 512); // twelve rows of 40 bytes
  assertEquals(bytes([5, 9000], [1, 100]), 0);
  assertEquals(bytes([100, 1000, 1000], [50, 4, 100]), 6208); // four rows of 2000 bytes: planes are too far apart
  assertEquals(planViews(memoryArray([60, 70, 3], "uint8"), { tile: [40, 40, 1], context }).readerBytes, 0);
});

Deno.test("a returned view cannot be used, and leases come home after errors", async () => {
  const array = memoryArray([4, 4], "uint8");
  const plan = planViews(array, { tile: [2, 2], radius: 1, context });
  await using views = await ViewReader.open(plan);
  const view = await views.read([0, 0]);
  view.release();
  assertThrows(() => view.data, Error, "returned already");
  await assertRejects(() => views.read([2, 0]), Error, "There is no tile");
  assertEquals(context.arena.used, 0);
  const short = { ...array, shape: [4, 40] };
  await using broken = await ViewReader.open(planViews(short, { tile: [2, 40], context }));
  await assertRejects(() => broken.read([0, 0]), Error, "has 21 bytes");
  assertEquals(context.arena.used, 0);
});

Deno.test("a view that cannot fit is refused before anything is read", async () => {
  const plan = planViews(memoryArray([4, 4], "uint8"), { tile: [4, 4], radius: 600, context });
  await assertRejects(() => ViewReader.open(plan), Error, "use smaller tiles");
  assertThrows(
    () => planViews(memoryArray([4, 4], "uint8"), { tile: [4, 4], radius: [1] }),
    Error,
    "takes 2",
  );
  assertThrows(
    () => planViews(memoryArray([4], "uint8"), { tile: [4], border: "mirrored" }),
    Error,
    "known are",
  );
});

/** A scan of 12 frames that have to be decoded first, in a file whose reads take their time. */
async function framed(): Promise<ArraySpec> {
  const bytes = Uint8Array.from({ length: 12 * (32 * 32 + 3) }, (_, i) => (i * 7919) % 251);
  const layout = { format: "raw", dtype: "uint8", nav: [12], sig: [32, 32], frameHeaderBytes: 3 } as const;
  const array = arrayOf(await open(new File([bytes], "frames.raw"), layout));
  assert("layout" in array);
  return array;
}

Deno.test("views that are asked for at once are those that are asked for one after the other", async () => {
  await using views = await ViewReader.open(
    planViews(await framed(), { tile: [1, 16, 16], radius: 1, context }),
  );
  const indices = Array.from({ length: 12 }, (_, f) => [f, 0, 1]);
  const expected: string[] = [];
  for (const index of indices) {
    using view = await views.read(index);
    expected.push(String(view.data));
  }
  const read = await Promise.all(indices.map((index) => views.read(index)));
  assertEquals(read.map(({ data }) => String(data)), expected);
  for (const view of read) view.release();
});

Deno.test("a reader that is closed while it reads gives its memory back when nobody writes to it any more", async () => {
  const plan = planViews(await framed(), { tile: [1, 16, 16], radius: 1, context });
  const views = await ViewReader.open(plan);
  const reading = [views.read([3, 0, 0]), views.read([4, 0, 0])];
  const ends = Promise.allSettled(reading);
  await views[Symbol.asyncDispose]();
  await context.settled();
  for (const end of await ends) if (end.status === "fulfilled") end.value.release();
  assertEquals(context.arena.used, 0);
  using lease = context.arena.lease(plan.readerBytes, "the next owner");
  const bytes = lease.bytes().fill(0);
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert(bytes.every((byte) => byte === 0));
  await assertRejects(() => views.read([0, 0, 0]), TilewiseError);
});

Deno.test("a reader waits for its turn, and a context that is disposed of ends it", async () => {
  await using own = new RunContext({ memory: 1 << 16, workers: 0 });
  const plan = planViews(await framed(), { tile: [1, 16, 16], radius: 1, context: own });
  const patience = { wait: true, limit: 30_000, signal: new AbortController().signal };
  const [lease, tenant] = await admissionOf(own).enter(() => own.arena.lease(1 << 16, "a run"), patience);
  const opening = ViewReader.open(plan);
  while (admissionOf(own).waiting === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  lease.release();
  admissionOf(own).leave(tenant);
  await using views = await opening;
  (await views.read([0, 0, 0])).release();
  await own[Symbol.asyncDispose]();
  await assertRejects(() => views.read([0, 0, 0]), TilewiseError, "ancelled");
});

Deno.test("a run that waits goes on as soon as a view has been returned, while its reader stays open", async () => {
  await using own = new RunContext({ memory: 1 << 16, workers: 0 });
  const plan = planViews(await framed(), { tile: [1, 16, 16], radius: 1, context: own });
  await using views = await ViewReader.open(plan);
  const view = await views.read([0, 0, 0]);
  const patience = { wait: true, limit: 30_000, signal: new AbortController().signal };
  const rest = (1 << 16) - own.arena.used + 64; // a little more than there is beside the view
  const entering = admissionOf(own).enter(() => own.arena.lease(rest, "a run"), patience);
  assertEquals(admissionOf(own).waiting, 1);
  view.release();
  const [lease, tenant] = await entering;
  lease.release();
  admissionOf(own).leave(tenant);
});

/**
 * Random arrays, written by a small writer, are read equal from a folder, an archive, a list of files and a server.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import { createContext, open, plan, run, sumFrames } from "../../../mod.ts";
import { type OpenInput, openStored as openOwn } from "../../../src/formats/open.ts";
import { wholeBox } from "../../../src/space/box.ts";
import { type DType, dtypeInfo } from "../../../src/space/dtype.ts";
import { sizeOf } from "../../../src/space/shape.ts";
import { withFolder } from "../../cli/harness.ts";
import { rightAnswer, serve } from "../../io/range_server.ts";
import { mulberry32 } from "../../kernels/call.ts";
import { type ArraySpec, type Entries, flatOf, listed, writeArray, written, zipped } from "./writer.ts";
import "../../fences/mod.ts";

const DTYPES: readonly DType[] = ["uint8", "int16", "uint16", "float32", "int64", "float64"];

/** A random array, and its samples as little-endian bytes. */
function randomArray(seed: number): { spec: ArraySpec; entries: Entries; expected: Uint8Array } {
  const random = mulberry32(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const rank = pick([1, 2, 3, 4]), version = pick([2, 3, 3] as const);
  const shape = Array.from({ length: rank }, () => 1 + Math.floor(random() * 9));
  const dtype = pick(DTYPES), { itemSize } = dtypeInfo(dtype);
  const levels = version === 3 ? pick([0, 0, 1, 1, 2]) : 0;
  const inner = shape.map((n) => 1 + Math.floor(random() * Math.min(4, n)));
  const times = () => 1 + Math.floor(random() * 3);
  const sizes = [inner];
  for (let level = 0; level < levels; level++) sizes.push(sizes.at(-1)!.map((n) => n * times()));
  const [chunk, ...chunks] = sizes.reverse() as [number[], ...number[][]];
  const turned = shape.map((_, d) => d).sort(() => random() - 0.5);
  const order = random() < 0.5 ? undefined : version === 2 ? shape.map((_, d) => rank - 1 - d) : turned;
  const gone = random() < 0.5 ? 0 : 0.4;
  const spec: ArraySpec = {
    version,
    path: pick(["", "a", "a/b"]),
    shape,
    chunk,
    dtype,
    isBig: itemSize > 1 && random() < 0.4,
    ...(order ? { order } : {}),
    codecs: pick([[], ["gzip"], ["zlib"], ["zstd"], ["shuffle", "gzip"], ["crc32c"], ["zstd", "crc32c"]]),
    shards: chunks.map((chunk) => ({
      chunk,
      index: pick(["start", "end"] as const),
      bigIndex: random() < 0.3,
      checked: random() < 0.7,
    })),
    separator: pick([".", "/"] as const),
    fill: pick([0, 7]),
    missing: (first) => (flatOf(first, shape.map((n) => n + 40)) * 0.6180339 + seed * 0.1) % 1 < gone,
  };
  const values = Uint8Array.from({ length: sizeOf(shape) * itemSize }, () => Math.floor(random() * 256));
  const fill = fillOf(spec);
  const swapped = (bytes: Uint8Array) => spec.isBig ? bytes.toReversed() : bytes;
  const sample = (at: readonly number[]) => {
    const inside = at.every((x, d) => x < shape[d]!);
    const flat = inside ? flatOf(at, shape) : 0;
    return inside ? values.subarray(flat * itemSize, (flat + 1) * itemSize) : fill;
  };
  const entries: Entries = new Map();
  writeArray(entries, spec, (at) => swapped(sample(at)));
  if (spec.path !== "") entries.set(version === 3 ? "zarr.json" : ".zgroup", groupOf(version));
  const expected = values.slice();
  for (let flat = 0; flat < sizeOf(shape); flat++) {
    let rest = flat;
    const at = shape.map(() => 0);
    for (let d = rank - 1; d >= 0; d--) {
      at[d] = rest % shape[d]!;
      rest = Math.floor(rest / shape[d]!);
    }
    if (spec.missing(at.map((x, d) => x - x % inner[d]!))) expected.set(fill, flat * itemSize);
  }
  return { spec, entries, expected };
}

function groupOf(version: 2 | 3): Uint8Array<ArrayBuffer> {
  const document = version === 2
    ? { zarr_format: 2 }
    : { zarr_format: 3, node_type: "group", attributes: {} };
  return new TextEncoder().encode(JSON.stringify(document));
}

function fillOf({ dtype, fill }: ArraySpec): Uint8Array {
  const view = new DataView(new ArrayBuffer(dtypeInfo(dtype).itemSize));
  if (dtype === "float32") view.setFloat32(0, fill, true);
  else if (dtype === "float64") view.setFloat64(0, fill, true);
  else view.setUint8(0, fill);
  return new Uint8Array(view.buffer);
}

async function samplesOf(source: OpenInput, array: string): Promise<Uint8Array> {
  const dataset = await openOwn(source, { array });
  const { data } = await readBox(dataset, wholeBox(dataset.shape));
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

/** The entries of a store below `/store.zarr/`. */
function serving(entries: Entries) {
  return serve((question) => {
    const bytes = entries.get(decodeURIComponent(question.path).replace(/^\/store\.zarr\//, ""));
    return bytes ? rightAnswer(bytes, question) : { status: 404, body: new Uint8Array() };
  });
}

const ROUNDS = 60;

Deno.test("random arrays are read equal from folders, archives, lists of files and servers", async () => {
  await withFolder(async (folder) => {
    for (let seed = 1; seed <= ROUNDS; seed++) {
      const { spec, entries, expected } = randomArray(seed);
      const name = spec.path || "/";
      const what = `seed ${seed}: ${JSON.stringify(spec)}`;
      const path = await written(entries, `${folder}/${seed}.zarr`);
      assertEquals(await samplesOf(path, name), expected, `folder, ${what}`);
      const archive = zipped(entries, seed % 2 === 0 ? 0 : 6);
      assertEquals(await samplesOf(archive, name), expected, `archive, ${what}`);
      assertEquals(await samplesOf(new File([archive], "a.zip"), name), expected, `archive as File, ${what}`);
      assertEquals(await samplesOf(listed(entries), name), expected, `list, ${what}`);
      if (seed % 3 !== 0) continue;
      await using server = serving(entries);
      const url = new URL("/store.zarr", server.url);
      assertEquals(await samplesOf(url, name), expected, `server, ${what}`);
    }
  });
});

Deno.test("runs give the same sums from all stores, inline and on two workers", async () => {
  const shape = [6, 5, 8, 12], chunk = [2, 2, 8, 12];
  const spec: ArraySpec = {
    version: 3,
    path: "",
    shape,
    chunk,
    dtype: "uint16",
    isBig: false,
    codecs: ["gzip"],
    shards: [{ chunk: [1, 1, 4, 6], index: "end", bigIndex: false, checked: true }],
    separator: "/",
    fill: 3,
    missing: ([a, b]) => (a! + b!) % 3 === 0,
  };
  const entries: Entries = new Map(), plain: Entries = new Map();
  const sample = (at: readonly number[]) => {
    const flat = at.every((x, d) => x < shape[d]!) ? flatOf(at, shape) : 0;
    return Uint8Array.of(flat & 255, flat >> 8 & 15);
  };
  writeArray(entries, spec, sample);
  writeArray(plain, { ...spec, shards: [], chunk: [1, 2, 4, 6], missing: ([a]) => a === 2 }, sample);
  await using inline = createContext({ workers: 0 });
  await using workers = createContext({ workers: 2 });
  await withFolder(async (folder) => {
    for (const [i, store] of [entries, plain].entries()) {
      await using server = serving(store);
      const stores: OpenInput[] = [
        await written(store, `${folder}/${i}.zarr`),
        zipped(store, 0),
        new File([zipped(store, 6)], "a.zip"),
        listed(store),
        new URL("/store.zarr/", server.url),
      ];
      const sums: string[] = [];
      for (const source of stores) {
        for (const context of [inline, workers]) {
          const planned = await plan(await open(source), { sum: sumFrames() }, { context });
          const { sum } = await run(planned);
          sums.push(String(sum.intensity.data));
        }
      }
      assert(sums[0]!.length > 100);
      assertEquals(new Set(sums).size, 1);
    }
  });
});

/**
 * HDF5 files of `tests/data/hdf5`, made with h5py, with what h5py reads from them: virtual data sets, samples in other
 * files, series of files, filters.
 *
 * @module
 */

import "../../fences/mod.ts";
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { TilewiseError } from "../../../src/errors.ts";
import { positionsOf } from "../../../src/formats/hdf5/arrays/virtual_extent.ts";
import { openAllStored as openAll, openStored as open } from "../../../src/formats/open.ts";
import { box, wholeBox } from "../../../src/space/box.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { sumFrames } from "../../../src/udf/builtin/sum_frames.ts";
import { failure } from "../helpers.ts";
import { sha256 } from "../read_all.ts";

const FOLDER = new URL("../../data/hdf5/", import.meta.url);
const EXPECTED: Record<string, Record<string, [number[], string]>> = JSON.parse(
  Deno.readTextFileSync(new URL("expected.json", FOLDER)),
);

async function bytesOf(dataset: StoredDataset, part = wholeBox(dataset.shape)): Promise<Uint8Array> {
  const { data } = await readBox(dataset, part);
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

for (const [file, arrays] of Object.entries(EXPECTED)) {
  Deno.test(`${file} has the samples that h5py reads`, async () => {
    const datasets = new Map(
      (await openAll(new URL(file, FOLDER), { allowMissing: true })).map((one) => [one.array, one]),
    );
    for (const [name, [shape, digest]] of Object.entries(arrays)) {
      const found = datasets.get(name);
      assert(found, `${name} is there`);
      const dataset = found.stored ?? found; // h5py reads in the order of storage
      assertEquals([dataset.shape, sha256(await bytesOf(dataset))], [shape, digest], name);
    }
  });
}

Deno.test("parts of virtual frames are those of whole ones", async () => {
  for (const name of ["/modules", "/deep", "/part", "/plain"]) {
    const dataset = await open(new URL("virtual.h5", FOLDER), { array: name, allowMissing: true });
    const whole = new Uint16Array((await bytesOf(dataset)).slice().buffer);
    const [frames, height, width] = dataset.shape as [number, number, number];
    const part = box([1, 1, 1], [frames - 2, height - 1, width - 1]);
    const found = new Uint16Array((await bytesOf(dataset, part)).slice().buffer);
    const expected = Array.from(found, (_, i) => {
      const x = i % (width - 1), y = Math.floor(i / (width - 1)) % (height - 1);
      return whole[
        (1 + Math.floor(i / (width - 1) / (height - 1))) * height * width + (1 + y) * width + 1 + x
      ]!;
    });
    assertEquals([...found], expected, name);
  }
});

Deno.test("a run over a virtual data set sums what its samples are; a warning names what is missing", async () => {
  const dataset = await open(new URL("virtual.h5", FOLDER), { array: "/modules" });
  const samples = new Uint16Array((await bytesOf(dataset)).slice().buffer);
  const expected = new Float64Array(dataset.pixels);
  samples.forEach((sample, i) => expected[i % dataset.pixels]! += sample);
  const results = await run(await plan(dataset, { total: sumFrames() }));
  assertEquals(Array.from(results.total!.intensity!.data as ArrayLike<number>), [...expected]);
  const options = { array: "/single", allowMissing: true };
  const { warnings } = await open(new URL("virtual.h5", FOLDER), options);
  assert(warnings.some((text) => /single of source_3.h5, which cannot be found/.test(text)), warnings.join());
});

Deno.test("files of a series are one stack; a part can be had by its name, a missing one is told", async () => {
  const files = ["series_master.h5", "series_data_000001.h5", "series_data_000003.h5"].map((name) =>
    new File([Deno.readFileSync(new URL(name, FOLDER))], name)
  );
  const { message } = await failure(open(files, { array: "/entry/data/data" }), "not-found");
  assert(/data_000002.*not there; with the option allowMissing the others are shown/.test(message), message);
  const stack = await open(files, { array: "/entry/data/data", allowMissing: true });
  assertEquals(stack.shape, [6, 5, 6]);
  assert(stack.warnings.some((text) => /data_000002/.test(text)), stack.warnings.join());
  const part = await open(new URL("series_master.h5", FOLDER), { array: "entry/data/data_000003" });
  assertEquals(part.shape, [2, 5, 6]);
  const { instrument } = await open(new URL("series_master.h5", FOLDER), { array: "/entry/data/data" });
  assertEquals(instrument, { detector: "Dectris ARINA", pixelSize: [1e-4, 1e-4], exposure: 1e-3 });
});

Deno.test("samples in a file that is too short or missing are refused", async () => {
  const bytes = Deno.readFileSync(new URL("external.h5", FOLDER));
  const short = new File([new Uint8Array(230)], "external_0.bin");
  const error = await assertRejects(
    () => open([new File([bytes], "external.h5"), short], { array: "/one" }),
    TilewiseError,
  );
  assertEquals((error as TilewiseError).code, "truncated");
  await assertRejects(() => open(new File([bytes], "external.h5"), { array: "/one" }), TilewiseError);
});

Deno.test("what the library reads is told; damage that it finds is an error", async () => {
  const url = new URL("library.h5", FOLDER);
  const { warnings } = await open(url, { array: "/szip" });
  assert(warnings.some((text) => /read into memory by the library h5wasm.*szip/.test(text)), warnings.join());
  const bytes = Deno.readFileSync(url);
  const dataset = await open(new URL("filters.h5", FOLDER), { array: "/complex" });
  assertEquals(dataset.warnings, []);
  const places = Array.from({ length: bytes.length }, (_, i) => i).filter((i) => bytes[i] === 0x40);
  const codes = new Set<string>();
  for (const at of places) { // samples are 0, 1, 2 …: some of these bytes are among them
    const damaged = bytes.slice();
    damaged[at]! ^= 0xff;
    const error = await open(damaged, { array: "/nbit" }).catch((cause) => cause);
    if (error instanceof TilewiseError) codes.add(error.code);
    else assert(!(error instanceof Error), String(error));
  }
  assert(codes.has("malformed"), [...codes].join());
});

Deno.test("virtual data sets beyond all measure are refused before anything is listed", () => {
  const free = [{ start: 0, stride: 1, count: Infinity, block: 1 }];
  const blocks = [{ start: 5, stride: 2 ** 40, count: Infinity, block: Infinity }];
  for (const selection of [undefined, free, blocks]) {
    const error = assertThrows(() => positionsOf(selection, [2 ** 50]), TilewiseError, "positions");
    assertEquals(error.code, "unsupported");
  }
  assertEquals(positionsOf([{ start: 5, stride: 2 ** 40, count: 3, block: 2 }], [2 ** 50])[0]!.length, 6);
  assertEquals(positionsOf(free, [4]), [[0, 1, 2, 3]]);
});

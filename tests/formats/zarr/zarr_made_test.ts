/**
 * Stores that zarr-python and ome-zarr have written: every codec, order, fill value and kind of shard; `tests/data/zarr` has
 * the script that made them, and digests of what zarr-python reads.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { unzipSync } from "fflate";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { openAllStored as openAll, openStored as open } from "../../../src/formats/open.ts";
import { wholeBox } from "../../../src/space/box.ts";
import { sha256 } from "../read_all.ts";
import { serving } from "./stores.ts";

const FOLDER = new URL("../../data/zarr/", import.meta.url);
const EXPECTED: Record<string, Record<string, [dtype: string, shape: number[], digest: string]>> = JSON
  .parse(Deno.readTextFileSync(new URL("expected.json", FOLDER)));
const pathOf = (name: string) => fromFileUrl(new URL(name, FOLDER));

async function digest(dataset: StoredDataset): Promise<string> {
  const { data } = await readBox(dataset, wholeBox(dataset.shape));
  return sha256(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
}

for (const [name, arrays] of Object.entries(EXPECTED)) {
  Deno.test(`${name} has the samples that zarr-python reads`, async () => {
    const found = new Map((await openAll(pathOf(name))).map((dataset) => [dataset.array, dataset]));
    assertEquals([...found.keys()].toSorted(), Object.keys(arrays).toSorted());
    for (const [array, [dtype, shape, expected]] of Object.entries(arrays)) {
      const dataset = found.get(array)!;
      assertEquals([dataset.dtype, dataset.shape], [dtype as typeof dataset.dtype, shape], array);
      assertEquals(dataset.warnings, []);
      if (dataset.byteLength > 0) assertEquals(await digest(dataset), expected, array);
    }
  });
}

for (const [name, version] of [["ome04.zip", "0.4"], ["ome05.zip", "0.5"]] as const) {
  Deno.test(`OME-Zarr ${version} has levels, axes and labels`, async () => {
    const image = await open(pathOf(name));
    assertEquals([image.array.split("/").at(-1), image.level, image.shape], [image.levels[0]!.array, 0, [
      2,
      32,
      48,
    ]]);
    assertEquals(image.levels.map(({ shape, scale }) => [shape, scale]), [
      [[2, 32, 48], [1, 1, 1]],
      [[2, 16, 24], [1, 2, 2]],
      [[2, 8, 12], [1, 4, 4]],
    ]);
    const third = await open(pathOf(name), { level: 2 });
    assertEquals([third.level, third.shape], [2, [2, 8, 12]]);
    assertEquals(
      third.axes,
      [
        { name: "c", kind: "channel", size: 2 },
        { name: "y", kind: "space", size: 8, scale: 2, offset: 0.5, unit: "µm" },
        { name: "x", kind: "space", size: 12, scale: 80, offset: 5, unit: "nm" },
      ],
    );
    assertEquals([image.metadata["image"], image.metadata["omeZarr"]], ["beads", version]);
    const labels = (await openAll(pathOf(name))).find(({ array }) => array.startsWith("labels/cells"))!;
    assertEquals(
      (labels.metadata["label"] as { colors: unknown }).colors,
      [{ "label-value": 3, rgba: [255, 0, 0, 255] }],
    );
    const { warnings } = image;
    assert(warnings.length === 1 && warnings[0]!.includes("labels/cells"), String(warnings));
  });
}

Deno.test("images and labels are found on a server that lists nothing", async () => {
  for (const name of ["ome04.zip", "ome05.zip"]) {
    const files = unzipSync(Deno.readFileSync(new URL(name, FOLDER))) as Record<
      string,
      Uint8Array<ArrayBuffer>
    >;
    const entries = new Map(Object.entries(files));
    await using server = serving(entries);
    const url = new URL("/store.zarr/", server.url);
    const found = (await openAll(url)).map(({ array }) => array);
    assertEquals(found.toSorted(), Object.keys(EXPECTED[name]!).toSorted());
    const [last] = found.slice(-1);
    assertEquals(await digest(await open(url, { array: last! })), EXPECTED[name]![last!]![2]);
    assertEquals((await open(url, { level: 1 })).shape, [2, 16, 24]);
  }
});

Deno.test("dimension names of version 3 are names of axes", async () => {
  const { axes } = await open(pathOf("v3.zip"), { array: "zstd" });
  assertEquals(axes.map(({ name }) => name), ["t", "ky", "x"]);
});

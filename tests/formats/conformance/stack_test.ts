/**
 * Several data sets as one series: its samples are those of its parts, one after another, for files of all formats; what cannot
 * be put together is refused by its name.
 *
 * @module
 */

import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import { StoredDataset } from "../../../src/dataset/dataset.ts";
import { stacked } from "../../../src/dataset/stack.ts";
import { loadKinds } from "../../../src/dataset/storage/kinds.ts";
import { TilewiseError } from "../../../src/errors.ts";
import { openStored as open } from "../../../src/formats/open.ts";
import { wholeBox } from "../../../src/space/box.ts";
import { needSamples, optionsOf, pathOf, READABLE, TIFFS } from "./samples.ts";
import { makeTiff } from "../tiff/make.ts";

const bytesOf = async (dataset: StoredDataset): Promise<Uint8Array> => {
  const { data } = await readBox(dataset, wholeBox(dataset.shape));
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
};

async function seriesOf(...parts: StoredDataset[]): Promise<StoredDataset> {
  const series = stacked(parts);
  await loadKinds([series.layout]);
  return series;
}

/** Bytes of a sample file that is stacked here: what is larger has the same kinds of storage. */
const MOST = 300_000;
/** Files of a format with one kind of storage that are stacked. */
const MOST_FILES = 3;

needSamples("series of files");

Deno.test("series of sample files of all formats have the samples of their parts", async () => {
  const formats = new Set<string>();
  const counts = new Map<string, number>();
  const refused = new Set<string>();
  for (const entry of [...READABLE, ...TIFFS]) {
    if (entry.expect !== "read" && entry.expect !== "ok" && entry.arrays === undefined) continue;
    const part = await open(pathOf(entry), optionsOf(entry)).catch(() => undefined); // damaged ones have tests of their own
    if (!part || part.byteLength > MOST || part.frames === 0) continue;
    const kind = `${part.detection.format} ${part.layout.storage.kind} ${entry.file.replace(/^.*\./, "")}`;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    if (counts.get(kind)! > MOST_FILES) continue;
    const one = await bytesOf(part).catch(() => undefined);
    if (!one) continue;
    let series: StoredDataset;
    try {
      series = await seriesOf(part, part);
    } catch (error) {
      assert(error instanceof TilewiseError, String(error));
      assert(error.code === "unsupported" || error.code === "invalid", error.code);
      assertStringIncludes(error.message, part.source);
      refused.add(`${part.detection.format} ${part.layout.storage.kind}`);
      continue;
    }
    assertEquals(series.shape, [2, ...part.shape], part.source);
    const both = await bytesOf(series);
    assertEquals(both.subarray(0, one.length), one, part.source);
    assertEquals(both.subarray(one.length), one, part.source);
    formats.add(part.detection.format);
  }
  if (READABLE.length === 0) return;
  for (const format of ["npy", "mib", "hdf5", "dm", "ser", "blo", "mrc", "tiff", "seq"]) {
    assert(formats.has(format), `${format} was not stacked: ${[...formats]}; refused: ${[...refused]}`);
  }
});

const memory = (data: number[], shape: number[]) => open({ data: Uint16Array.from(data), shape });

Deno.test("the first axis of a series counts its parts, and the others are those of the parts", async () => {
  const tiff = (value: number) =>
    open(makeTiff([{
      height: 4,
      width: 6,
      compression: 8,
      entries: [[282, 5, [value, 1]], [283, 5, [20000, 1]], [296, 3, [3]]],
    }]));
  const series = await seriesOf(await tiff(20000), await tiff(20000), await tiff(20000));
  assertEquals(series.axes.map(({ name, kind, size, scale }) => [name, kind, size, scale]), [
    ["series", "series", 3, undefined],
    ["y", "space", 4, 0.5],
    ["x", "space", 6, 0.5],
  ]);
  assertEquals(series.navShape, [3]);
  const wrong = assertThrows(
    () => stacked([wide, narrow]),
    TilewiseError,
    "their steps along x are 0.5 and 1; --each",
  );
  assertEquals(wrong.code, "invalid");
});
const [wide, narrow] = await Promise.all([20000, 10000].map((value) =>
  open(makeTiff([{
    height: 4,
    width: 6,
    entries: [[282, 5, [value, 1]], [283, 5, [20000, 1]], [296, 3, [3]]],
  }]))
)) as [StoredDataset, StoredDataset];

Deno.test("what differs from part to part is refused with both, or left out of the series", async () => {
  const one = await memory([1, 2, 3, 4, 5, 6], [1, 2, 3]);
  const other = await memory([1, 2, 3, 4, 5, 6], [1, 3, 2]);
  assertThrows(() => stacked([one, other]), TilewiseError, "their shapes are 1 | 2 × 3 and 1 | 3 × 2");
  const bytes = await open({ data: new Uint8Array(6), shape: [1, 2, 3] });
  assertThrows(() => stacked([one, bytes]), TilewiseError, "uint16 and little-endian uint8");
  const named = new StoredDataset({ ...one, axes: [{ name: "z" }, { name: "y" }, { name: "x" }] });
  assertThrows(() => stacked([one, named]), TilewiseError, "their axes are");
  const at = (offset: number) =>
    new StoredDataset({
      ...one,
      axes: [{}, {}, { name: "x", scale: 2, offset, unit: "nm" }],
      instrument: { voltage: 200000, exposure: offset + 1 },
    });
  const moved = stacked([at(0), at(5)]);
  assertEquals(moved.axes[3], { name: "x", size: 3, scale: 2, unit: "nm" });
  assertEquals(moved.instrument, { voltage: 200000 });
  assertEquals(stacked([at(5), at(5)]).axes[3]!.offset, 5);
  const blank = new StoredDataset({ ...one, syncOffset: -1 });
  assertThrows(() => stacked([blank, blank]), TilewiseError, "some are blank");
  assertThrows(() => stacked([]), TilewiseError, "needs a data set");
});

Deno.test("parts may begin at any image, and their valid images stay valid", async () => {
  const part = (syncOffset: number) =>
    open({ data: Uint16Array.from({ length: 12 }, (_, i) => i), shape: [6, 2] }, { sigDims: 1 }).then((all) =>
      new StoredDataset({
        ...all,
        navShape: [3],
        syncOffset,
        axes: all.axes,
        valid: Uint8Array.of(1, 1, 0, 1, 0, 1),
      })
    );
  const series = await seriesOf(await part(1), await part(3));
  assertEquals(series.shape, [2, 3, 2]);
  assertEquals([...series.valid!], [1, 0, 1, 1, 0, 1]);
  const { data } = await readBox(series, wholeBox(series.shape));
  assertEquals(Array.from(data, Number), [2, 3, 0, 0, 6, 7, 6, 7, 0, 0, 10, 11]);
});

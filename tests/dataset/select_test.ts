/** One place of an axis: whatever the storage, it is what all samples there are. */

import "../fences/mod.ts";
import { fileSink } from "../../src/views/sinks/registry.ts";
import { assertEquals, assertRejects } from "@std/assert";
import { open } from "../../src/formats/open.ts";
import type { StoredDataset } from "../../src/dataset/dataset.ts";
import { stacked } from "../../src/dataset/stack.ts";
import type { AxisFacts, ValueFacts } from "../../src/space/axes.ts";
import { box, wholeBox } from "../../src/space/box.ts";
import { createContext } from "../../src/runner/context.ts";
import { readBox } from "../../src/cli/inputs/frames.ts";
import { sizeOf } from "../../src/space/shape.ts";
import { mapViews } from "../../src/views/map/map_views.ts";
import { copySamples } from "../../src/views/operations/copy_samples.ts";

const SHAPE = [2, 3, 20, 24];
const AXES: readonly AxisFacts[] = [
  { name: "t", kind: "time", scale: 2.5, unit: "s" },
  { name: "channel", kind: "channel", names: ["DAPI", "GFP", "RFP"] },
  { name: "y", kind: "space", scale: 0.5, unit: "µm" },
  { name: "x", kind: "space", scale: 0.25, unit: "µm" },
];
const DATA = Uint16Array.from({ length: sizeOf(SHAPE) }, (_, i) => i);

const inMemory = (select = {}) => open({ data: DATA, shape: SHAPE, axes: AXES }, { select });

/** The same array in files of all kinds that keep its axes. */
async function* stored(): AsyncGenerator<[name: string, path: string]> {
  const folder = await Deno.makeTempDir();
  await using context = createContext({ workers: 0 });
  const sinks = {
    "plain.zarr": fileSink(`${folder}/plain.zarr`, { chunk: [1, 1, 8, 24] }),
    "wide.zarr": fileSink(`${folder}/wide.zarr`, { chunk: [2, 2, 8, 9] }),
    "sharded.zarr": fileSink(`${folder}/sharded.zarr`, { chunk: [1, 1, 8, 8], shard: [1, 3, 16, 16] }),
    "p.ome.zarr": fileSink(`${folder}/p.ome.zarr`, { chunk: [1, 2, 8, 8], levels: 2 }),
    "p.ome.tif": fileSink(`${folder}/p.ome.tif`, { tile: 16, levels: 2 }),
  };
  try {
    for (const [name, sink] of Object.entries(sinks)) {
      await mapViews(await inMemory() as StoredDataset, copySamples(), { sink, context });
      yield [name, `${folder}/${name}`];
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function samplesOf(dataset: StoredDataset): Promise<number[]> {
  const { data } = await readBox(dataset, wholeBox(dataset.shape));
  return Array.from(data as Uint16Array);
}

function expected(keep: (at: readonly number[]) => boolean): number[] {
  const [, channels = 1, rows = 1, columns = 1] = SHAPE;
  return Array.from(DATA).filter((flat) => {
    const x = flat % columns, y = Math.floor(flat / columns) % rows;
    const c = Math.floor(flat / columns / rows) % channels;
    return keep([Math.floor(flat / columns / rows / channels), c, y, x]);
  });
}

Deno.test("a channel by name, a time by number", async () => {
  const gfp = await inMemory({ channel: "GFP" }) as StoredDataset;
  assertEquals([gfp.shape, gfp.axes.map(({ name }) => name)], [[2, 20, 24], ["t", "y", "x"]]);
  assertEquals(await samplesOf(gfp), expected(([, c]) => c === 1));
  const last = await inMemory({ channel: 2, time: 1 }) as StoredDataset;
  assertEquals([last.shape, last.axes[1]!.scale], [[20, 24], 0.25]);
  assertEquals(await samplesOf(last), expected(([t, c]) => c === 2 && t === 1));
  assertEquals(await samplesOf(await inMemory({ c: 2, t: 1 }) as StoredDataset), await samplesOf(last));
  const row = await inMemory({ y: 7 }) as StoredDataset;
  assertEquals(await samplesOf(row), expected(([, , y]) => y === 7));
});

Deno.test("selections are the same in every storage, also of levels", async () => {
  await using context = createContext({ workers: 0 });
  for await (const [name, path] of stored()) {
    for (
      const [select, keep] of [
        [{ channel: "RFP" }, ([, c]: readonly number[]) => c === 2],
        [{ time: 1 }, ([t]: readonly number[]) => t === 1],
        [{ time: 0, channel: 1 }, ([t, c]: readonly number[]) => t === 0 && c === 1],
        [{ x: 5 }, ([, , , x]: readonly number[]) => x === 5],
      ] as const
    ) {
      const picked = await open(path, { select }) as StoredDataset;
      assertEquals(await samplesOf(picked), expected(keep), `${name} at ${JSON.stringify(select)}`);
      const { data } = await mapViews(picked, copySamples(), {
        context,
        tile: picked.shape.map((n) => Math.ceil(n / 2)),
      });
      assertEquals(
        Array.from(data as Uint16Array),
        expected(keep),
        `views of ${name} at ${JSON.stringify(select)}`,
      );
    }
    if (!name.startsWith("p.")) continue;
    const small = await open(path, { level: 1, select: { channel: "GFP" } }) as StoredDataset;
    const whole = await open(path, { level: 1 }) as StoredDataset;
    assertEquals(small.shape, [2, 10, 12]);
    const { data } = await readBox(whole, box([0, 1, 0, 0], [2, 1, 10, 12]));
    assertEquals(await samplesOf(small), Array.from(data as Uint16Array), name);
  }
});

Deno.test("what was selected is known afterwards, can be selected again, and is told by files", async () => {
  const gfp = await inMemory({ channel: "GFP", time: 1 }) as StoredDataset;
  assertEquals(gfp.values.of, [
    { name: "channel", kind: "channel", names: ["GFP"] },
    { name: "t", kind: "time", offset: 2.5, unit: "s" },
  ]);
  const folder = await Deno.makeTempDir();
  await using context = createContext({ workers: 0 });
  try {
    const files = [
      fileSink(`${folder}/a.zarr`),
      fileSink(`${folder}/a.ome.zarr`),
      fileSink(`${folder}/a.ome.tif`),
    ];
    for (const sink of files) await mapViews(gfp, copySamples(), { sink, context });
    for (const name of ["a.zarr", "a.ome.zarr", "a.ome.tif"]) {
      const again = (channel: string | number) => open(`${folder}/${name}`, { select: { channel } });
      for (const channel of ["GFP", 0]) {
        const { shape, values } = await again(channel);
        assertEquals(shape, [20, 24]);
        assertEquals(values.of?.find(({ kind }) => kind === "channel")?.names, ["GFP"], name);
      }
      await assertRejects(() => again("DAPI"), Error, 'channel has no "DAPI"; there are 0 "GFP"');
      await assertRejects(() => again(1), Error, "channel has no 1");
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a series has an axis of what its sources differ in", async () => {
  const series = async (...all: readonly Partial<ValueFacts>[]) => {
    const parts = all.map((values) =>
      open({ data: Uint8Array.of(1, 2), shape: [1, 2], values: { kind: "amount", ...values } })
    );
    const { axes, values } = stacked(await Promise.all(parts) as StoredDataset[]);
    const { size, ...axis } = axes[0]!;
    assertEquals(size, all.length);
    return [axis, values.of];
  };
  const channel = (name: string): AxisFacts => ({ name: "channel", kind: "channel", names: [name] });
  const time = (offset: number): AxisFacts => ({ name: "t", kind: "time", offset, unit: "s" });
  const unknown: AxisFacts = { name: "t", kind: "time" }, plain = { name: "series", kind: "series" } as const;
  const [dapi, gfp] = [channel("DAPI"), channel("GFP")];
  assertEquals(await series({ of: [dapi, time(3)] }, { of: [gfp, time(3)] }), [
    { name: "channel", kind: "channel", names: ["DAPI", "GFP"] },
    [time(3)],
  ]);
  assertEquals(await series({ of: [dapi, { ...unknown, unit: "s" }] }, { of: [dapi, time(7)] }), [
    { name: "t", kind: "time", unit: "s", positions: [0, 7] },
    [dapi],
  ]);
  assertEquals(await series({ of: [unknown] }, { of: [time(7)] }), [
    { ...plain, names: ["", "7 s"] },
    undefined,
  ]);
  assertEquals(await series({ of: [dapi, time(1)] }, { of: [gfp, time(2)] }), [
    { ...plain, names: ["DAPI, 1 s", "GFP, 2 s"] },
    undefined,
  ]);
  assertEquals(await series({ of: [dapi] }, { of: [dapi] }), [plain, [dapi]]);
  assertEquals(await series({}, {}), [plain, undefined]);
  await assertRejects(
    () => series({ unit: "e-" }, { unit: "K" }),
    Error,
    "their values are amount in e- and amount in K",
  );
});

Deno.test("places and axes that are not there are refused with those that are", async () => {
  const refused = (select: Record<string, string | number>, text: string) =>
    assertRejects(() => inMemory(select), Error, text);
  await refused({ channel: "Cy5" }, 'channel has no "Cy5"; there are 0 "DAPI", 1 "GFP", 2 "RFP"');
  await refused({ channel: 3 }, "channel has no 3; there are");
  await refused({ z: 0 }, "there is no axis z; there are t (time), channel, y (space), x (space)");
  await refused({ space: 1 }, "several axes are of the kind space");
  const twice = [AXES[0]!, { ...AXES[1]!, names: ["A", "A", "B"] }, AXES[2]!, AXES[3]!];
  await assertRejects(
    () => open({ data: DATA, shape: SHAPE, axes: twice }, { select: { channel: "A" } }),
    Error,
    'several samples of channel are called "A"',
  );
  await assertRejects(
    () => open({ data: new Uint8Array(4), shape: [4] }, { sigDims: 1, select: { k: 1 } }),
    Error,
    "no axis would be left",
  );
});

Deno.test("axes of files that say nothing are of no kind, also when a data set is made of another", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await using context = createContext({ workers: 0 });
    const plain = await open({ data: new Uint8Array(60), shape: [3, 4, 5] }) as StoredDataset;
    await mapViews(plain, copySamples(), { sink: fileSink(`${folder}/a.npy`), context });
    for (const dataset of [plain, await open(`${folder}/a.npy`) as StoredDataset]) {
      assertEquals(dataset.axes.map(({ name, kind }) => [name, kind]), [["x", undefined], ["ky", undefined], [
        "kx",
        undefined,
      ]]);
      assertEquals((await mapViews(dataset, copySamples(), { context })).axes, [
        { name: "x" },
        { name: "ky" },
        { name: "kx" },
      ]);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

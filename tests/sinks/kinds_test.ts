/** What axes count: every target × every kind is read again as it was, or its loss is named; and nothing else is named as lost. */

import "../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import { isTilewiseError } from "../../src/errors.ts";
import { StoredDataset } from "../../src/dataset/dataset.ts";
import { open, type OpenOptions } from "../../src/formats/open.ts";
import { lossesIn, save } from "../../src/pictures/save.ts";
import { createContext } from "../../src/runner/context.ts";
import { lossesOf } from "../../src/sinks/losses.ts";
import { TARGETS } from "../../src/sinks/registry.ts";
import type { AxisFacts } from "../../src/space/axes.ts";
import { AXIS_KINDS } from "../../src/space/meaning/kinds.ts";
import { type NDArray, ndarray } from "../../src/space/ndarray.ts";
import { exportDataset } from "../../src/udf/run/export_dataset.ts";
import { mapViews } from "../../src/views/map/map_views.ts";
import { copySamples } from "../../src/views/operations/copy_samples.ts";
import { endingsFor } from "../../src/sinks/registry.ts";
import { keptBy } from "../../src/sinks/stored/registry.ts";
import { fileSink } from "../../src/views/sinks/registry.ts";
import { withFolder } from "../cli/harness.ts";
import { cases, share } from "../suite/cases.ts";
import { counted, DESCRIBED, type Described, describedArray } from "./described.ts";

const Y: AxisFacts = { name: "y", kind: "space" }, X: AxisFacts = { name: "x", kind: "space" };
const SCAN: readonly AxisFacts[] = [{ name: "y", kind: "scan" }, { name: "x", kind: "scan" }];

const CASES: readonly Described[] = [
  ...Object.values(DESCRIBED),
  ...AXIS_KINDS.map((kind) => ({ shape: [3, 4, 5], nav: 1, axes: [{ name: "q", kind }, Y, X] })),
  ...AXIS_KINDS.map((kind) => ({ shape: [4, 5], nav: 0, axes: [{ name: "y", kind }, { name: "x", kind }] })),
  ...AXIS_KINDS.map((kind) => ({ shape: [2, 3, 4], nav: 2, axes: [...SCAN, { name: "e", kind }] })),
  { shape: [2, 3, 4, 5], nav: 2, axes: [{ name: "t", kind: "time" }, { name: "c", kind: "channel" }, Y, X] },
  { shape: [3, 4, 3], nav: 0, axes: [Y, X, { name: "s", kind: "colour" }] },
  { shape: [2, 4, 5], nav: 1, axes: [{ name: "t", kind: "time", scale: 2, unit: "s" }, Y, X] },
  { shape: [4, 5], nav: 0, axes: [{ ...Y, scale: 2, unit: "nm" }, { ...X, scale: 2, unit: "nm" }] },
];

/** Kinds of the axes by name; those that are moved, such as colours in front of rows, are found by it too. */
function named(lost: string): string[] {
  return lost.split("; ").find((one) => one.startsWith("kind of "))?.slice(8).split(", ") ?? [];
}

/** Compares what is read at `path` with what was written; `false` where axes are in another order, as the file says which are the scan. */
async function isCompared(
  { shape, axes }: Described,
  path: string,
  lost: string,
  options: OpenOptions = {},
): Promise<boolean> {
  const read = await open(path, options);
  if (`${read.shape}` !== `${shape}`) return false;
  const other = axes.flatMap(({ name, kind }, d) => read.axes[d]?.kind === kind ? [] : [name!]);
  assertEquals(named(lost), other, `${path}: ${JSON.stringify(axes)} is ${JSON.stringify(read.axes)}`);
  return true;
}

/** Writes them to files of that ending, in the gate half of them, which take turns; those that a target refuses do not count. */
async function checkAll(
  all: readonly Described[],
  ending: string,
  least: number,
  write: (described: Described, path: string) => Promise<boolean>,
): Promise<void> {
  await withFolder(async (folder) => {
    let count = 0;
    for (const [n, described] of share(all, 2, ending.length).entries()) {
      try {
        if (await write(described, `${folder}/${n}${ending}`)) count++;
      } catch (error) {
        assert(isTilewiseError(error, "unsupported"), String(error));
      }
    }
    assert(count >= least / cases(2, 1), `${ending} takes ${count} of them`);
  });
}

for (const ending of endingsFor("results")) {
  Deno.test(`${ending} keeps what axes count, or names it`, async () => {
    await using context = createContext({ workers: 0 });
    await checkAll(CASES, ending, 20, async (described, path) => {
      const array = await describedArray(described, "uint16");
      await mapViews(array, copySamples(), { sink: fileSink(path), context });
      return await isCompared(
        described,
        path,
        lossesOf(await keptBy(path), { ...described, dtype: "uint16" }),
      );
    });
  });
}

for (const { id, endings: [ending] } of TARGETS.filter(({ frames }) => frames)) {
  Deno.test(`frames in ${ending} keep what axes count, or it is named`, async () => {
    const dtype = id === "empad" ? "float32" : "uint16";
    await checkAll(framesFor(id), ending, 10, async (described, path) => {
      const { shape, nav, axes } = described, [scan, frame] = [shape.slice(0, nav), shape.slice(nav)];
      const source = { data: counted(dtype, shape), shape, dtype, sigDims: shape.length - nav };
      const dataset = new StoredDataset({ ...await open(source as never) as StoredDataset, axes });
      const { losses = "" } = await exportDataset(dataset, path);
      const asRaw = { format: "raw", dtype, nav: scan, sig: frame } as const;
      return await isCompared(described, path, losses, id === "raw" ? asRaw : {});
    });
  });
}

for (const { endings: [ending] } of TARGETS.filter(({ arrays, format }) => arrays && format)) {
  Deno.test(`arrays in ${ending} keep what axes count, or it is named`, async () => {
    await checkAll(CASES, ending, 20, async (described, path) => {
      const { shape, axes } = described,
        array = { ...ndarray(counted("uint16", shape), shape, "uint16"), axes };
      await save(array as NDArray, path);
      return await isCompared(described, path, await lossesIn(array as NDArray, path));
    });
  });
}

/** EMPAD has frames of one shape. */
function framesFor(id: string): readonly Described[] {
  if (id !== "empad") return CASES;
  return CASES.filter(({ shape, nav }) => shape.length - nav === 2).map((one) => ({
    ...one,
    shape: [...one.shape.slice(0, one.nav), 128, 128],
  }));
}

Deno.test("text and archives, which no reader takes axes from, lose every kind", async () => {
  for (const { id, endings: [ending] } of TARGETS.filter(({ format }) => !format)) {
    const [y, x] = SCAN;
    const lost = await lossesIn({ shape: [2, 3], dtype: "uint16", axes: [y!, x!] }, `a${ending}`);
    assertEquals(named(lost), id === "png" ? [] : ["y", "x"], ending);
  }
});

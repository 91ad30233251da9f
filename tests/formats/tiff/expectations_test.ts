/**
 * Every TIFF sample has the arrays, levels and samples that other programs found in it: exactly, or within the tolerance of
 * its compression. Those whose compression is not supported are refused by its name.
 *
 * @module
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import { statsOf } from "../../../src/cli/stats.ts";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { isTilewiseError } from "../../../src/errors.ts";
import { openAll } from "../../../src/formats/open.ts";
import { box } from "../../../src/space/box.ts";
import { showShape } from "../../../src/space/shape.ts";
import {
  dtypeName,
  type Entry,
  type ExpectedArray,
  needSamples,
  pathOf,
  TIFFS,
} from "../conformance/samples.ts";
import { sha256 } from "../read_all.ts";

/** What an array of a TIFF holds besides. */
interface TiffArray extends ExpectedArray {
  readonly kind?: string;
  readonly axes?: string;
  readonly lossy?: boolean;
  readonly mean?: number;
  readonly tolerance?: { readonly mean: number; readonly pixel: number };
  readonly pixels?: readonly { readonly index: number[]; readonly value: number | string }[];
  readonly windows?: readonly {
    readonly x: number;
    readonly y: number;
    readonly w: number;
    readonly h: number;
    readonly sha256_all: string;
  }[];
}

/** Compressions that may be refused. */
const REFUSED = /which is not supported|are not supported/;

needSamples("every TIFF sample, one by one");
for (const entry of TIFFS) {
  Deno.test(`${entry.file} has the expected arrays`, async () => {
    const found = await openAll(pathOf(entry)).catch((error: unknown) => error);
    if (!(found instanceof Array)) return refused(entry, found);
    assertEquals(found.filter(({ detection }) => detection.format !== "tiff"), []);
    const expected = (entry.arrays ?? []) as readonly TiffArray[];
    for (const array of expected.filter(({ name }) => /^(ifd|series)\d/.test(name))) {
      const dataset = found.find((one) => one.array === array.name);
      if (!dataset && entry.expect !== "read") continue;
      assert(dataset, `${array.name} is not among ${found.map((one) => one.array)}`);
      await compare(dataset, array);
    }
    const extra = found.filter(({ array }) => !expected.some(({ name }) => name === array));
    assertEquals(extra.map(({ array }) => array), []);
  });
}

function refused({ file, expect }: Entry, error: unknown): void {
  if (!isTilewiseError(error, "unsupported")) throw error;
  assert(expect !== "read", `${file}: ${error.message}`);
  assert(REFUSED.test(error.message), error.message);
  assertStringIncludes(error.message, file.replace(/^.*\//, ""));
}

async function compare(dataset: StoredDataset, expected: TiffArray): Promise<void> {
  const { shape, navShape, sigShape, dtype, warnings } = dataset;
  assertEquals(warnings.filter((one) => !one.includes("GeoTIFF")), []);
  for (const { x, y, w, h, sha256_all } of expected.windows ?? []) {
    assertEquals(await digest(dataset, box([y, x], [h, w])), sha256_all);
  }
  if (!expected.shape) return;
  assertEquals([shape, navShape, sigShape], [expected.shape, expected.nav_shape, expected.sig_shape]);
  assertEquals(dtype, dtypeName(expected.dtype) as typeof dtype);
  if (expected.axes) {
    assertEquals(dataset.axes.map(({ name }) => name[0]!.toUpperCase()).join(""), expected.axes);
  }
  if (expected.lossy) return await compareRoughly(dataset, expected);
  const { sha256: found, sum } = await statsOf(dataset, true);
  assertEquals(found, expected.sha256_all, `${showShape(shape)}, sum ${sum}, expected ${expected.sum}`);
}

async function compareRoughly(
  dataset: StoredDataset,
  { mean, tolerance, pixels = [] }: TiffArray,
): Promise<void> {
  const { mean: found } = await statsOf(dataset, false);
  assert(Math.abs(Number(found) - mean!) <= tolerance!.mean, `mean ${found}, expected ${mean}`);
  for (const { index, value } of pixels) {
    const { data } = await readBox(dataset, box(index, index.map(() => 1)));
    const off = Math.abs(Number(data[0]) - Number(value));
    assert(off <= tolerance!.pixel, `sample ${index} is off by ${off}`);
  }
}

async function digest(dataset: StoredDataset, part: ReturnType<typeof box>): Promise<string> {
  const { data } = await readBox(dataset, part);
  return sha256(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
}

/** Filters of numbers in Zarr: byte orders that array and filter say differently, and dimensions that are turned behind one. */

import { assertEquals, assertRejects } from "@std/assert";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import { TilewiseError } from "../../../src/errors.ts";
import { openStored as open } from "../../../src/formats/open.ts";
import { wholeBox } from "../../../src/space/box.ts";
import { type Entries, json, listed } from "./writer.ts";

async function samples(entries: Entries): Promise<number[]> {
  const dataset = await open(listed(entries));
  const { data } = await readBox(dataset, wholeBox(dataset.shape));
  return Array.from(data, Number);
}

/** `stored` as 16-bit numbers of a byte order. */
function words(stored: readonly number[], littleEndian: boolean): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(2 * stored.length));
  stored.forEach((value, i) => view.setInt16(2 * i, value, littleEndian));
  return new Uint8Array(view.buffer);
}

/** An array of version 2 with samples of `dtype`, and differences that a filter took of numbers of `filter`. */
function differences(dtype: string, filter: string, stored: Uint8Array<ArrayBuffer>): Entries {
  const document = {
    zarr_format: 2,
    shape: [4],
    chunks: [4],
    dtype,
    order: "C",
    fill_value: 0,
    compressor: null,
    filters: [{ id: "delta", dtype: filter }],
  };
  return new Map([[".zarray", json(document)], ["0", stored]]);
}

Deno.test("differences of numbers whose bytes the filter took the other way round give what was written", async () => {
  const values = [300, -2, 7, 1000];
  const bytes = words(values, false); // as the array has them
  const taken = [0, 2, 4, 6].map((at) => new DataView(bytes.buffer).getInt16(at, true)); // as the filter took them
  const stored = taken.map((value, i) => i === 0 ? value : value - taken[i - 1]!);
  assertEquals(await samples(differences(">i2", "<i2", words(stored, true))), values);
  const steps = values.map((value, i) => i === 0 ? value : value - values[i - 1]!);
  for (const [order, isLittle] of [["<i2", true], [">i2", false]] as const) {
    assertEquals(await samples(differences(order, order, words(steps, isLittle))), values, order);
  }
  const swapped = values.map((value) => (value << 8 | value >> 8 & 0xff) << 16 >> 16);
  const own = swapped.map((value, i) => i === 0 ? value : value - swapped[i - 1]!);
  assertEquals(await samples(differences("<i2", ">i2", words(own, false))), values);
});

/** An array of version 3, 2 × 3, of uint16. */
function turned(codecs: readonly unknown[], stored: Uint8Array<ArrayBuffer>, dtype = "uint16"): Entries {
  const document = {
    zarr_format: 3,
    node_type: "array",
    shape: [2, 3],
    data_type: dtype,
    chunk_grid: { name: "regular", configuration: { chunk_shape: [2, 3] } },
    chunk_key_encoding: { name: "default" },
    fill_value: dtype === "bool" ? false : 0,
    codecs,
  };
  return new Map([["zarr.json", json(document)], ["c/0/0", stored]]);
}

const BYTES = { name: "bytes", configuration: { endian: "little" } };
const TURN = { name: "transpose", configuration: { order: [1, 0] } };

Deno.test("dimensions that are turned behind a filter of numbers come out as they were", async () => {
  const delta = { name: "numcodecs.delta", configuration: { dtype: "<u2" } };
  // 5 6 8, 9 7 9 as differences 5 1 2, 1 -2 2, column by column
  assertEquals(
    await samples(turned([delta, TURN, BYTES], words([5, 1, 1, -2, 2, 2], true))),
    [5, 6, 8, 9, 7, 9],
  );
  const scale = { name: "numcodecs.fixedscaleoffset", configuration: { offset: 1, scale: 2, dtype: "<u2" } };
  assertEquals(
    await samples(turned([scale, TURN, BYTES], words([2, 8, 4, 10, 6, 12], true))),
    [2, 3, 4, 5, 6, 7],
  );
});

Deno.test("bits have no dimensions to be turned", async () => {
  const bits = { name: "numcodecs.packbits", configuration: {} };
  const entries = turned([bits, TURN, { name: "bytes" }], Uint8Array.of(2, 0xa8), "bool");
  const error = await assertRejects(() => samples(entries), TilewiseError, "transposed");
  assertEquals(error.code, "unsupported");
});

/** Broken tables of casacore: each ends in a typed error, or in the samples of the undamaged table. */

import "../../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import { isTilewiseError, type TilewiseError } from "../../../src/errors.ts";
import { openAllStored as openAll, openStored as open } from "../../../src/formats/open.ts";
import { wholeBox } from "../../../src/space/box.ts";
import { failure } from "../helpers.ts";
import { filesOf } from "./tables.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Opens a table and reads its small columns; the typed error it ends in, if it does. */
async function attempt(files: readonly (readonly [string, Bytes])[]): Promise<TilewiseError | Bytes[]> {
  try {
    const found: Bytes[] = [];
    for (const dataset of await openAll(files.map(([name, bytes]) => new File([bytes], name)))) {
      assert(dataset.byteLength < 2 ** 24, `${dataset.array} has ${dataset.byteLength} bytes`);
      const { data } = await readBox(dataset, wholeBox(dataset.shape));
      found.push(new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength));
    }
    return found;
  } catch (error) {
    if (isTilewiseError(error) && error.code !== "corrupt") return error;
    throw error;
  }
}

async function bytesOf(table: string): Promise<[string, Bytes][]> {
  return await Promise.all(
    filesOf(table).map(async (file) => [file.name, await file.bytes()] as [string, Bytes]),
  );
}

/** The files with one of them changed. */
function changed(files: readonly [string, Bytes][], name: string, change: (bytes: Bytes) => Bytes | void) {
  return files.map(([own, bytes]) => {
    const copy = bytes.slice();
    return [own, own === name ? change(copy) ?? copy : bytes] as const;
  });
}

/** Puts a number of 32 bits where the file has `from` first. */
function put(bytes: Bytes, at: number, value: number, little = true): void {
  new DataView(bytes.buffer).setUint32(at, value, little);
}

const TABLES = ["family", "tiled_cell", "incremental_big", "standard_removed", "aips_parts", "dysco_af"];

for (const table of TABLES) {
  Deno.test(`${table}: cut at 300 places of table.dat, and at 16 of other files, it is refused`, async () => {
    const files = await bytesOf(table);
    const whole = await attempt(files);
    assert(!isTilewiseError(whole));
    for (const [name, bytes] of files.filter(([name]) => name !== "table.info")) {
      const step = name === "table.dat" ? 1 + Math.floor(bytes.length / 300) : Math.ceil(bytes.length / 16);
      for (let end = 0; end < bytes.length; end += step) {
        const found = await attempt(changed(files, name, (own) => own.slice(0, end)));
        if (!isTilewiseError(found)) {
          assert(name !== "table.dat", `cut at ${end}`);
          const known = new Set(whole.map((one) => one.toBase64())); // columns that are not damaged
          assert(found.every((one) => known.has(one.toBase64())), `${name} cut at ${end}`);
        } else if (name === "table.dat" && end > 16) {
          const { details: { file, offset, expected, found: size } } = found;
          assertEquals([file, found.code], ["table.dat", "truncated"]);
          assert(typeof offset === "number" && Number(expected) > Number(size), found.message);
        }
      }
    }
  });
}

Deno.test("a table.dat that begins with other bytes is malformed, with the place", async () => {
  const files = await bytesOf("family");
  const found = await attempt(changed(files, "table.dat", (bytes) => void (bytes[0] = 0)));
  assert(isTilewiseError(found, "malformed"));
  assertEquals(found.details.offset, 0);
});

Deno.test("row counts that lie are refused with both numbers, and without memory for the rows", async () => {
  for (
    const [table, rows] of [["family", 3], ["incremental_big", 60], ["tiled_shape_little", 12], [
      "aips_whole",
      13,
    ]] as const
  ) {
    const files = await bytesOf(table);
    for (const lie of [rows - 1, rows + 1, 2 ** 31, 2 ** 32 - 1]) {
      const found = await attempt(changed(files, "table.dat", (bytes) => put(bytes, 21, lie, false)));
      assert(isTilewiseError(found, "malformed"), String(found));
      assertEquals([found.details.expected, found.details.found], [lie, rows], found.message);
    }
  }
});

Deno.test("bucket numbers past the end are refused with the number of buckets", async () => {
  const files = await bytesOf("family");
  const at = 512 + 128 + 8 + 2; // the end of the index, in its second bucket
  const found = await attempt(changed(files, "table.f0", (bytes) => put(bytes, at, 77)));
  assert(isTilewiseError(found, "malformed") && /no bucket 77/.test(found.message), String(found));
  assertEquals(found.details.found, 77);
});

Deno.test("absurd sizes of buckets, indices, tiles and arrays are refused without memory for them", async () => {
  const cases: [string, string, number, boolean][] = [
    ["family", "table.f0", 30, true], // bytes of a bucket
    ["family", "table.f0", 31, true],
    ["family", "table.f0", 35, true], // number of buckets
    ["family", "table.f0", 67, true], // bytes of the index
    ["incremental_big", "table.f0", 32, false],
    ["tiled_cell", "table.f0", 40, false],
    ["tiled_shape_little", "table.f0", 60, false],
  ];
  for (const [table, name, at, little] of cases) {
    const files = await bytesOf(table);
    for (const value of [0, 4, 2 ** 31 - 1, 2 ** 32 - 1]) {
      const found = await attempt(changed(files, name, (bytes) => put(bytes, at, value, little)));
      assert(isTilewiseError(found) || Array.isArray(found), `${table} ${name} ${at}`);
    }
  }
});

Deno.test("Dysco of unknown versions, sizes, distributions and normalizations is refused by name", async () => {
  const files = await bytesOf("dysco_af"), name = 16 + "dysco_af".length;
  const cases: [number, number, string, RegExp][] = [
    [name + 12, 2, "unsupported", /Dysco has the unknown version 2.0; 1.0 can be read/],
    [name + 14, 7, "unsupported", /unknown version 1.7/],
    [name + 16, 5, "unsupported", /symbols have 5 bits; 2, 3, 4, 6, 8, 10, 12, 16 can be read/],
    [
      name + 18,
      9,
      "unsupported",
      /the distribution 9 is unknown; Gaussian, Uniform, StudentsT, TruncatedGaussian/,
    ],
    [name + 19, 3, "unsupported", /the normalization 3 is unknown; AF, RF, Row can be read/],
    [name, 11, "malformed", /its blocks have \d+ bytes, their columns need \d+/],
    [8, 1, "malformed", /it has 1 columns, the table 3/],
  ];
  for (const [at, value, code, words] of cases) {
    const broken = changed(files, "table.f0", (bytes) => void (bytes[at] = value));
    const own = broken.map(([name, bytes]) => new File([bytes], name));
    const error = await failure(open(own, { array: "DATA" }), code as "malformed");
    assert(words.test(error.message), error.message);
  }
});

Deno.test("an array whose shape differs from that of the first row is refused where it is read", async () => {
  const files = await bytesOf("standard_little");
  const whole = await attempt(files);
  assert(!isTilewiseError(whole));
  const found = await attempt(changed(files, "table.f0i", (bytes) => {
    for (let at = 16; at + 12 < bytes.length; at++) {
      const view = new DataView(bytes.buffer, at);
      if (view.getUint32(0, true) === 2 && view.getUint32(4, true) === 4 && view.getUint32(8, true) === 2) {
        return put(bytes, at + 4, 5); // an array of v_double
      }
    }
  }));
  if (!isTilewiseError(found)) assertEquals(found.length, whole.length - 1);
});

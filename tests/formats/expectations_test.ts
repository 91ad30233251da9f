/**
 * The sample files with independently computed values that lie in `../shared/data` beside the checkout: shapes,
 * types and every sample must agree; malformed files must be refused.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import type { Dataset } from "../../src/dataset/dataset.ts";
import { isTilewiseError } from "../../src/errors.ts";
import { open, type OpenOptions } from "../../src/formats/open.ts";
import { numbers, readAll, sha256 } from "./read_all.ts";

interface ExpectedArray {
  readonly shape: number[];
  readonly nav_shape?: number[];
  readonly sig_shape?: number[];
  readonly dtype: string;
  readonly file_byte_order?: "little" | "big";
  readonly empty?: boolean;
  readonly sum?: number | string;
  readonly min?: number | string;
  readonly max?: number | string;
  readonly sha256_first_frame?: string;
  readonly sha256_last_frame?: string;
  readonly sha256_all?: string;
}

interface Entry {
  readonly file: string;
  readonly format: string;
  readonly expect: string;
  readonly arrays?: ExpectedArray[];
  readonly open_with?: {
    readonly dtype: string;
    readonly nav_shape: number[];
    readonly sig_shape: number[];
    readonly byte_order: "little" | "big";
    readonly header_bytes: number;
  };
}

const FOLDER = new URL("../../../shared/data/", import.meta.url);
const MALFORMED: Readonly<Record<string, OpenOptions>> = {
  "malformed/npy_truncated.npy": {},
  "malformed/raw_too_short.raw": { dtype: "float32", nav: [3, 5], sig: [96, 112] },
  "malformed/truncated_last_frame.mib": {},
};
const entries = loadEntries();

function loadEntries(): Entry[] {
  try {
    const text = Deno.readTextFileSync(new URL("expectations.json", FOLDER));
    return (JSON.parse(text) as { entries: Entry[] }).entries;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

function optionsOf({ open_with: given }: Entry): OpenOptions {
  if (!given) return {};
  const { dtype, nav_shape: nav, sig_shape: sig, byte_order: byteOrder, header_bytes: headerBytes } = given;
  return { dtype, nav, sig, byteOrder, headerBytes };
}

const LETTERS: Readonly<Record<string, string>> = {
  b: "bool",
  u: "uint",
  i: "int",
  f: "float",
  c: "complex",
};

function dtypeName(numpy: string): string {
  const [, kind, size] = /^[<|]([buifc])(\d+)$/.exec(numpy)!;
  return kind === "b" ? "bool" : `${LETTERS[kind!]}${8 * Number(size)}`;
}

async function compare(dataset: Dataset, expected: ExpectedArray): Promise<void> {
  assertEquals(dataset.navShape, expected.nav_shape);
  assertEquals(dataset.sigShape, expected.sig_shape);
  assertEquals(dataset.shape, expected.shape);
  assertEquals(dataset.dtype, dtypeName(expected.dtype) as typeof dataset.dtype);
  if (expected.file_byte_order) assertEquals(dataset.byteOrder, expected.file_byte_order);
  const bytes = await readAll(dataset);
  if (expected.empty) return assertEquals(bytes.length, 0);
  const frame = bytes.length / dataset.frames;
  assertEquals(sha256(bytes), expected.sha256_all);
  assertEquals(sha256(bytes.subarray(0, frame)), expected.sha256_first_frame);
  assertEquals(sha256(bytes.subarray(bytes.length - frame)), expected.sha256_last_frame);
  const values = numbers(bytes, dataset.dtype);
  let [least, most] = [values[0]!, values[0]!];
  for (const value of values) [least, most] = [value < least ? value : least, value > most ? value : most];
  assertEquals([String(least), String(most)], [String(expected.min), String(expected.max)]);
  compareSum(values, expected.sum!);
}

function compareSum(values: readonly (number | bigint)[], expected: number | string): void {
  if (typeof expected === "string" || typeof values[0] === "bigint") {
    assertEquals(String(values.reduce((sum: bigint, value) => sum + BigInt(value), 0n)), String(expected));
  } else {
    const sum = values.reduce((total: number, value) => total + Number(value), 0);
    assert(Math.abs(sum - expected) <= 1e-9 * Math.abs(expected), `sum ${sum}, expected ${expected}`);
  }
}

for (const entry of entries.filter(({ format }) => ["raw", "npy", "mib"].includes(format))) {
  Deno.test(`${entry.file} has the expected samples`, async () => {
    const path = new URL(entry.file, FOLDER);
    try {
      const dataset = await open(path, optionsOf(entry));
      assertEquals(dataset.warnings, []);
      assertEquals(dataset.detection.format, entry.file.endsWith(".rpl") ? "ripple" : entry.format);
      await compare(dataset, entry.arrays![0]!);
    } catch (error) {
      if (!(entry.expect === "read_or_error" && isTilewiseError(error, "unsupported"))) throw error;
    }
  });
}

for (const [file, options] of Object.entries(MALFORMED)) {
  const entry = entries.find((one) => one.file === file);
  Deno.test({
    name: `${file} is refused`,
    ignore: !entry, // ../shared is not beside this checkout
    fn: async () => {
      const error = await open(new URL(file, FOLDER), options).then(() => undefined, (cause) => cause);
      assert(isTilewiseError(error, "truncated"), String(error));
      assert(error.message.includes(file.split("/").at(-1)!) && typeof error.details.found === "number");
    },
  });
}

Deno.test({
  name: "a MIB file that ends inside a frame gives its complete frames when asked to",
  ignore: entries.length === 0, // ../shared is not beside this checkout
  fn: async () => {
    const entry = entries.find(({ file }) => file === "malformed/truncated_last_frame.mib")!;
    const dataset = await open(new URL(entry.file, FOLDER), { allowTruncated: true });
    assertEquals(dataset.warnings.length, 1);
    await compare(dataset, entry.arrays![0]!);
  },
});

Deno.test({
  name: "files of other formats are not mistaken for ours",
  ignore: entries.length === 0, // ../shared is not beside this checkout
  fn: async () => {
    const others = entries.filter(({ format }) =>
      ["tiff", "mrc", "blo", "dm", "ser", "seq"].includes(format)
    );
    assert(others.length > 100);
    for (const { file } of others) {
      const error = await open(new URL(file, FOLDER)).then(
        (found) => found.detection.format,
        (cause) => cause,
      );
      const ours = ["raw", "npy", "mib", "ripple"].includes(error as string);
      assert(!ours && (typeof error === "string" || isTilewiseError(error)), `${file}: ${error}`);
    }
  },
});

Deno.test({
  name: "real files that are cut at 200 places are refused",
  ignore: entries.length === 0, // ../shared is not beside this checkout
  fn: async () => {
    const ours = entries.filter(({ format, file }) =>
      ["raw", "npy", "mib"].includes(format) && !file.endsWith("rpl")
    );
    for (const entry of ours) {
      const bytes = await Deno.readFile(new URL(entry.file, FOLDER));
      for (let i = 0; i < 200; i++) {
        const end = Math.floor(i * bytes.length / 200);
        const found = await open(bytes.subarray(0, end), optionsOf(entry)).catch((error) => error);
        if (isTilewiseError(found)) continue;
        const whole = entry.arrays![0]!.nav_shape!.reduce((a, b) => a * b, 1);
        assert(found.images < whole, `${entry.file} cut at ${end}: ${found}`);
      }
    }
  },
});

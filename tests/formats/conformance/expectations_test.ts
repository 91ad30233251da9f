/**
 * Every sample file has the shapes, types and samples that other programs found in it, and every damaged one is
 * refused: a new file with an entry in the expectations is a new test.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import { isTilewiseError, type TilewiseError } from "../../../src/errors.ts";
import { openAllStored as openAll, openStored as open } from "../../../src/formats/open.ts";
import { box, wholeBox } from "../../../src/space/box.ts";
import { cli } from "../../cli/harness.ts";
import { sha256 } from "../read_all.ts";
import {
  arrayFor,
  dtypeName,
  ENTRIES,
  type Entry,
  type ExpectedArray,
  type Figure,
  flagsOf,
  formatIdOf,
  MALFORMED,
  needSamples,
  numericArrays,
  optionsOf,
  pathOf,
  READABLE,
} from "./samples.ts";
import { measured } from "../../fuzz/clock.ts";

const ignore = ENTRIES.length === 0; // ../shared is not beside this checkout

/** Warnings that files deserve; the others have none. */
const WARNED: Readonly<Record<string, RegExp>> = {};

async function digest(dataset: StoredDataset, part = wholeBox(dataset.shape)): Promise<string> {
  const { data } = await readBox(dataset, part);
  return sha256(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
}

/** The part of a data set that is one frame: the first one, or the last. */
function frameBox({ navShape, sigShape }: StoredDataset, isLast: boolean) {
  const at = navShape.map((n) => isLast ? n - 1 : 0);
  return box([...at, ...sigShape.map(() => 0)], [...navShape.map(() => 1), ...sigShape]);
}

async function compare(shown: StoredDataset, expected: ExpectedArray): Promise<void> {
  const dataset = shown.stored ?? shown; // the expectations are in the order of storage
  const { shape, navShape, sigShape, dtype, byteOrder, warnings, source } = dataset;
  assertEquals(shape, expected.shape);
  const isSplitAlike = sigShape.length === expected.sig_shape?.length;
  if (isSplitAlike) assertEquals([navShape, sigShape], [expected.nav_shape, expected.sig_shape]);
  assertEquals(dtype, dtypeName(expected.dtype) as typeof dtype);
  const order = expected.zarr_format === 3 ? undefined : expected.file_byte_order; // a codec says it there
  if (order === "little" || order === "big") assertEquals(byteOrder, order);
  const known = Object.entries(WARNED).find(([file]) => source.endsWith(file))?.[1];
  const said = warnings.filter((warning) =>
    !known?.test(warning) &&
    !/^(The scan is stored fastest|Samples x are as stored; the file says|The file says more of|Steps of the patterns)/
      .test(warning) &&
    !/^The extended header/.test(warning)
  );
  assertEquals(said, []);
  if (expected.empty) return assertEquals(dataset.byteLength, 0);
  if (!isSplitAlike) return assertEquals(await digest(dataset), expected.sha256_all);
  assertEquals(await digest(dataset, frameBox(dataset, false)), expected.sha256_first_frame);
  assertEquals(await digest(dataset, frameBox(dataset, true)), expected.sha256_last_frame);
}

needSamples("every sample file, one by one");
for (const entry of READABLE) {
  Deno.test(`${entry.file} has the expected arrays`, async () => {
    const found = await openAll(pathOf(entry), optionsOf(entry)).catch((error) => error as TilewiseError);
    if (!(found instanceof Array)) return refused(entry, found);
    assert(entry.format === "hdf5" || found.length > 0);
    for (const [i, expected] of numericArrays(entry).entries()) {
      const dataset = arrayFor(found, expected, i);
      if (!dataset) continue;
      assertEquals(dataset.detection.format, formatIdOf(entry));
      await compare(dataset, expected);
    }
    // of HDF5 files, and of files with arrays that other programs could not read, the arrays of interest are listed
    if (formatIdOf(entry) !== "hdf5" && !entry.arrays?.some(({ reader_error }) => reader_error)) {
      assert(numericArrays(entry).length >= found.length);
    }
  });
}

/** Those that may be refused must say that they are not supported. */
function refused(
  { file, expect, arrays = [] }: Entry,
  { code, message }: { code: string; message: string },
): void {
  const fits = code === "unsupported" || code === "unknown-format";
  const mayBe = expect === "read_or_error" || expect === "error" || hasNone({ expect, arrays });
  if (!mayBe || !fits) throw new Error(`${file}: ${code} ${message}`);
}

/** Whether a file is read, but has texts and no numbers. */
function hasNone(entry: Pick<Entry, "expect" | "arrays">): boolean {
  return entry.expect === "read" && numericArrays(entry as Entry).length === 0;
}

interface Line {
  readonly source: string;
  readonly array: string;
  readonly shape: number[];
  readonly dtype: string;
  readonly sum: Figure;
  readonly min: number | string | null;
  readonly max: number | string | null;
  readonly sha256: string;
  readonly error?: { readonly code: string; readonly message: string };
}

/** One run of `tilewise stats` for all files that need no flags, and one for each of the others. */
async function statsOf(entries: readonly Entry[]): Promise<Map<Entry, Line[]>> {
  const plain = entries.filter((entry) => flagsOf(entry).length === 0);
  const runs = [plain, ...entries.filter((entry) => flagsOf(entry).length > 0).map((entry) => [entry])];
  const found = new Map<Entry, Line[]>();
  for (const run of runs) {
    const words = ["stats", "--json", "--sha256", ...flagsOf(run[0]!), ...run.map(pathOf)];
    const lines = (await cli(words)).json() as unknown as Line[];
    for (const entry of run) found.set(entry, lines.filter(({ source }) => source === pathOf(entry)));
  }
  return found;
}

/** The line says what is expected: integers exactly, sums of floats to 1e-9. */
function assertFigures(line: Line, { min, max, sum, sha256_all }: ExpectedArray, name: string): void {
  assertEquals(line.sha256, sha256_all, name);
  if (min !== undefined) assertEquals([String(line.min), String(line.max)], [String(min), String(max)], name);
  if (/int|bool/.test(line.dtype)) assertEquals(String(line.sum), String(sum), name);
  else assertSum(line.sum, sum!, name);
}

function assertSum(found: Figure, expected: Figure, name: string): void {
  if (typeof expected === "object") {
    const { re, im } = found as { re: number; im: number };
    assert(isNear(re, expected.re) && isNear(im, expected.im), `${name}: ${re}, ${im}`);
  } else if (typeof expected === "string" || typeof found === "string") assertEquals(found, expected, name);
  else assert(isNear(found as number, expected), `${name}: sum ${found}, expected ${expected}`);
}

/** Floats are summed in another order than ours; integers are exact. */
function isNear(found: number, expected: number): boolean {
  return found === expected || Math.abs(found - expected) <= 1e-9 * Math.abs(expected);
}

Deno.test({
  name: "tilewise stats --json --sha256 says the expected sums, extremes and digests of all files",
  ignore,
  fn: async () => {
    for (const [entry, lines] of await statsOf(READABLE)) {
      if (lines[0]?.error) {
        if (hasNone(entry)) assertEquals(lines[0].error.code, "unsupported", entry.file); // texts are not numbers
        else refused(entry, lines[0].error);
        continue;
      }
      assert(lines.length > 0, entry.file);
      for (const [i, expected] of numericArrays(entry).entries()) {
        const line = arrayFor(lines, expected, i);
        if (line && !expected.empty) assertFigures(line, expected, `${entry.file} ${expected.name}`);
      }
    }
  },
});

/** What is wrong with damaged files; for others any typed error will do. */
const CODES: Readonly<Record<string, TilewiseError["code"]>> = {
  "malformed/dm4_truncated.dm4": "truncated",
  "malformed/empad_short_raw/map4x4.xml": "truncated",
  "malformed/npy_truncated.npy": "truncated",
  "malformed/raw_too_short.raw": "truncated",
  "malformed/truncated.blo": "truncated",
  "malformed/truncated.h5": "truncated",
  "malformed/truncated.mrc": "truncated",
  "malformed/truncated.ser": "truncated",
  "malformed/truncated_last_frame.mib": "truncated",
  "malformed/unknown_mode.mrc": "unsupported",
};

/** Opens and reads everything; the typed error it ends in, if it does. */
async function attempt(entry: Entry): Promise<TilewiseError | undefined> {
  try {
    for (const dataset of await openAll(pathOf(entry), optionsOf(entry))) await digest(dataset);
    return undefined;
  } catch (error) {
    if (isTilewiseError(error) && error.code !== "corrupt") return error;
    throw error;
  }
}

/** The best of three: others use this machine too. */
async function bestTime(work: () => Promise<unknown>): Promise<number> {
  let best = Infinity;
  for (let n = 0; n < 3 && best > 250; n++) {
    const spent = measured();
    await work();
    best = Math.min(best, spent().milliseconds);
    assert(best < 5000, `it took ${best} ms`);
  }
  return best;
}

for (const entry of MALFORMED) {
  Deno.test(`${entry.file} is refused soon`, async () => {
    const error = await attempt(entry);
    if (!error) return assert(entry.expect !== "error", `${entry.file} was read`);
    const code = CODES[entry.file] ?? error.code;
    assertEquals(error.code, code, error.message);
    assert(/\w\.\w{2,4}\b/.test(error.message), `no file is named: ${error.message}`);
    if (code === "truncated") assert(Number(error.details.found) < Number(error.details.expected));
    const spent = await bestTime(() => attempt(entry));
    assert(spent <= 250, `it took ${spent} ms`);
  });
}

/** Files cut off inside a frame, with the whole file, or with what other programs found in the complete frames. */
const CUT: Readonly<Record<string, string>> = {
  "malformed/truncated.ser": "ser/64x64x5_TEM_preview_1.ser",
  "malformed/truncated_last_frame.mib": "",
};

for (const [file, whole] of Object.entries(CUT)) {
  Deno.test({
    name: `${file} gives its complete frames when asked to`,
    ignore,
    fn: async () => {
      const dataset = await open(pathOf({ file }), { allowTruncated: true });
      assert(dataset.images > 0 && dataset.warnings.some((text) => /complete|not shown|ends/.test(text)));
      if (whole === "") {
        const expected = ENTRIES.find((entry) => entry.file === file)!.arrays![0]!;
        assertEquals([dataset.shape, await digest(dataset)], [expected.shape, expected.sha256_all]);
        return;
      }
      const other = await open(pathOf({ file: whole }));
      assert(dataset.images < other.images);
      const [a, b] = [await firstImages(dataset), await firstImages(other, dataset.images)];
      assertEquals(a, b);
    },
  });
}

/** Digest of the first images in the order of the file. */
async function firstImages({ source }: StoredDataset, count = Infinity): Promise<string> {
  const { images } = await open(source, { allowTruncated: true });
  const line = await open(source, { allowTruncated: true, nav: [Math.min(count, images)] });
  return await digest(line);
}

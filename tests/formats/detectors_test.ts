/**
 * Detector formats whose frames lie behind headers: real files with independently computed values, and damaged ones.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import type { Dataset } from "../../src/dataset/dataset.ts";
import { isTilewiseError, type TilewiseError } from "../../src/errors.ts";
import { open, openAll, type OpenInput, type OpenOptions } from "../../src/formats/open.ts";
import { readBox } from "../../src/cli/frames.ts";
import { wholeBox } from "../../src/space/box.ts";
import { sha256 } from "./read_all.ts";

interface Entry {
  readonly file: string;
  readonly format: string;
  readonly arrays: {
    name: string;
    shape: number[];
    nav_shape: number[];
    sig_shape: number[];
    sha256_all?: string;
  }[];
}

const FOLDER = new URL("../../../shared/data/", import.meta.url);
const FORMATS = ["dm", "ser", "blo", "mrc", "tvips", "seq", "empad", "k2is"];
const entries = loadEntries().filter(({ format }) => FORMATS.includes(format));
const ignore = entries.length === 0; // ../shared is not beside this checkout

function loadEntries(): Entry[] {
  try {
    return JSON.parse(Deno.readTextFileSync(new URL("expectations.json", FOLDER))).entries;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

async function digest(dataset: Dataset): Promise<string> {
  const { data } = await readBox(dataset, wholeBox(dataset.shape));
  return sha256(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
}

for (const { file, format, arrays } of entries) {
  Deno.test(`${file} has the expected samples`, async () => {
    const found = await openAll(new URL(file, FOLDER));
    assertEquals(found.length, arrays.length);
    for (const [i, { name, shape, nav_shape, sig_shape, sha256_all }] of arrays.entries()) {
      const dataset = found.find(({ array }) => name !== "" && array === name) ?? found[i]!;
      assertEquals(dataset.detection.format, format);
      assertEquals([dataset.shape, dataset.navShape, dataset.sigShape], [shape, nav_shape, sig_shape]);
      assertEquals(await digest(dataset), sha256_all);
    }
  });
}

const MALFORMED: Readonly<Record<string, TilewiseError["code"]>> = {
  "malformed/dm4_truncated.dm4": "truncated",
  "malformed/empad_short_raw/map4x4.xml": "truncated",
  "malformed/truncated.blo": "truncated",
  "malformed/truncated.mrc": "truncated",
  "malformed/truncated.ser": "truncated",
  "malformed/unknown_mode.mrc": "unsupported",
};

for (const [file, code] of Object.entries(MALFORMED)) {
  Deno.test({
    name: `${file} is refused`,
    ignore,
    fn: async () => {
      const error = await open(new URL(file, FOLDER)).then(String, (cause) => cause);
      assert(isTilewiseError(error, code), String(error));
    },
  });
}

Deno.test({
  name: "complete images of a series that is cut off are read when asked for",
  ignore,
  fn: async () => {
    const { warnings, images } = await open(new URL("malformed/truncated.ser", FOLDER), {
      allowTruncated: true,
    });
    assert(images > 0 && warnings.some((warning) => warning.includes("are complete")), `${warnings}`);
  },
});

/** Opens and reads everything that is small; anything but a typed error comes through. */
async function attempt(input: OpenInput, options: OpenOptions = {}): Promise<TilewiseError | Dataset[]> {
  try {
    const found = await openAll(input, options);
    for (const dataset of found) {
      if (dataset.byteLength > 0 && dataset.byteLength <= 2 ** 21) await digest(dataset);
    }
    return found;
  } catch (error) {
    if (isTilewiseError(error) && error.code !== "corrupt") return error;
    throw error;
  }
}

const SMALL = [
  "dm/2D_test-2.dm4",
  "dm/ref_T_0_2.dm3",
  "ser/16x16_STEM_BF_DF_acquire_1.ser",
  "ser/16x16-2_point-spectra-2x1024_1.ser",
  "mrc/20241021_00405_final.mrc",
  "mrc/mode4_complex64.mrc",
  "tvips/test_tvips_2233_000.tvips",
  "blo/test1.blo",
];

function named(file: string, bytes: Uint8Array<ArrayBuffer>): File {
  return new File([bytes], file.replace(/^.*\//, ""));
}

for (const file of SMALL) {
  Deno.test({
    name: `${file}: cut at 200 places it is refused, or says that frames are missing`,
    ignore,
    fn: async () => {
      const bytes = await Deno.readFile(new URL(file, FOLDER));
      const whole = await attempt(named(file, bytes)) as Dataset[];
      for (let i = 0; i < 200; i++) {
        const found = await attempt(named(file, bytes.slice(0, Math.floor(i * bytes.length / 200))));
        if (isTilewiseError(found)) continue;
        // data that end before the last tags are whole; a series of files may end after any frame
        const isSame = found.every((one, n) => one.images === whole[n]!.images);
        assert(isSame || file.startsWith("tvips"), `${file} cut at place ${i}: ${found}`);
      }
    },
  });

  Deno.test({
    name: `${file}: with single bytes of its head changed it is refused or read`,
    ignore,
    fn: async () => {
      const bytes = await Deno.readFile(new URL(file, FOLDER));
      const head = Math.min(bytes.length, 1200);
      for (let at = 0; at < head; at += Math.ceil(head / 400)) {
        for (const value of [0, 0xff, bytes[at]! ^ 1]) {
          const damaged = bytes.slice();
          damaged[at] = value;
          await attempt(named(file, damaged));
        }
      }
    },
  });
}

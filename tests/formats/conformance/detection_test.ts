/**
 * Contents decide what a file is, before its name: sample files are recognised under any name, and files of another
 * kind are refused whatever they are called, with the reasons of those that they were near to.
 *
 * @module
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { extensionOf, stemOf } from "../../../src/io/file/names.ts";
import { open } from "../../../src/formats/open.ts";
import { FORMATS } from "../../../src/formats/registry.ts";
import { encodeNpy } from "../../npy_files.ts";
import { cli, withFolder } from "../../cli/harness.ts";
import { counting, failure } from "../helpers.ts";
import {
  type Entry,
  filesOf,
  FOLDER,
  formatIdOf,
  isFolder,
  needSamples,
  numericArrays,
  optionsOf,
  READABLE,
} from "./samples.ts";

/** Files of which the contents alone do not tell what they are, with the reason. */
const NEED_THEIR_NAME: Readonly<Record<string, string>> = {
  "empad/raw_only/scan_x3_y5.raw": "float32 samples without a header: the scan is in the name",
  "frms6/frms6_bin1/frms6_bin1.hdr": "its files belong together by their names, this one's ending in .hdr",
  "k2is/stem_1x2_/stem_1x2_.gtg": "the same tags as in DM files: the ending tells them apart",
};

/** The files of an entry, the first one called `name` and those named after it likewise. */
async function renamed(entry: Entry, name: string): Promise<File[]> {
  const stem = stemOf(baseName(entry.file));
  return await Promise.all(
    filesOf(entry).map(async (file, i) => {
      const own = baseName(file);
      const other = own.startsWith(stem) ? stemOf(name) + own.slice(stem.length) : own;
      return new File([await Deno.readFile(new URL(file, FOLDER))], i === 0 ? name : other);
    }),
  );
}

const baseName = (path: string) => path.replace(/^.*\//, "");

needSamples("sample files by other names");
for (const entry of READABLE.filter(({ expect }) => expect === "read")) {
  if (entry.file in NEED_THEIR_NAME || numericArrays(entry).length === 0 || isFolder(entry)) continue;
  Deno.test(`${entry.file} is recognised without its ending, and with a wrong one`, async () => {
    const format = formatIdOf(entry);
    const wrong = extensionOf(entry.file) === "dm4" ? "scan.mib" : "scan.dm4";
    for (const name of ["scan", wrong]) {
      const { detection } = await open(await renamed(entry, name), optionsOf(entry));
      assertEquals(detection.format, format, `${name}: ${detection.why}`);
    }
  });
}

const ENDINGS = FORMATS.flatMap(({ id, extensions }) =>
  extensions.map((extension) => [id, extension] as const)
);
const NPY = encodeNpy(counting(24), [2, 3, 4], "uint8");
/** Bytes that are of no format. */
const NOISE = counting(4096).map((_, i) => (i * i * 31 + (i >> 3)) & 255);

for (const [id, extension] of ENDINGS) {
  Deno.test(`a file of another kind is not ${id} because it ends in .${extension}`, async () => {
    const { detection } = await open(new File([NPY], `scan.${extension}`));
    assertEquals(detection.format, "npy");
    if (id !== "npy" && id !== "raw") {
      const why = detection.why.find((reason) => reason.startsWith(`not ${id}: `));
      assert(why !== undefined && why.length > 20, String(detection.why));
    }
    const error = await failure(open(new File([NOISE], `scan.${extension}`)), "unknown-format");
    assertStringIncludes(error.message, `${id}: `);
    assert(error.details.reasons![id]!.length > 10);
  });
}

Deno.test("tilewise info says what a file is not, though it is called like that", async () => {
  await withFolder(async (folder) => {
    await Deno.writeFile(`${folder}/scan.dm4`, NPY);
    const { out } = await cli(["info", `${folder}/scan.dm4`]);
    for (const text of ["npy", "not dm: does not begin with version 3 or 4"]) assertStringIncludes(out, text);
    await Deno.writeFile(`${folder}/noise.blo`, NOISE);
    const { code, err } = await cli(["info", `${folder}/noise.blo`]);
    assertEquals(code, 1);
    assertStringIncludes(err, "blo: has no magic number of blockfiles");
  });
});

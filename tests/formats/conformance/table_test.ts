/**
 * Which arrays of the TIFF and Zarr samples are read, name by name: all, but for those that are listed here with the reason.
 * That their samples are right, other tests say; for some files also a process of its own.
 *
 * @module
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import { isTilewiseError } from "../../../src/errors.ts";
import { openAllStored as openAll, openStored as open } from "../../../src/formats/open.ts";
import { wholeBox } from "../../../src/space/box.ts";
import { sha256 } from "../read_all.ts";
import { ENTRIES, type Entry, needSamples, pathOf } from "./samples.ts";

const LISTED: readonly Entry[] = ENTRIES.filter(({ file }) => /^(tiff|zarr)\//.test(file));
const ignore = LISTED.length === 0;

/** Arrays that are not read, with what the error says, or how else they are read. */
const UNREAD: Readonly<Record<string, string>> = {
  "tiff/byte_JXL.tif ifd0": "JPEG XL (50002), which is not supported",
  "tiff/next_literalrow.tif ifd0": "NeXT (32766), which is not supported",
  "tiff/planar-yuv422-jpeg-lzw.tif ifd0": "YCbCr of 3 samples with 8 bits, planar configuration 2",
  "tiff/uint16_sgilog.tif ifd0": "SGILOG (34676), which is not supported",
  "tiff/ome_master/multifile-Z1.ome.tiff planes Z1..Z5 read one by one": "the array ifd0 of each file",
  "zarr/gdal/compound_well_aligned.zarr /": "records of several fields",
  "zarr/zarrita_v2/1d.contiguous.U13.be /": 'texts of up to 13 letters of UCS-4 (">U13")',
  "zarr/zarrs/v3_zarr_python_array_pcodec.zarr /": "pcodec",
};

needSamples("the table of TIFF and Zarr samples");
Deno.test({
  name: "every array of the TIFF and Zarr samples is found by its name, or listed with the reason",
  ignore,
  fn: async () => {
    const unread = new Set<string>();
    for (const entry of LISTED) {
      const found = await openAll(pathOf(entry)).catch((error: unknown) => error);
      for (const { name, shape, dtype } of entry.arrays ?? []) {
        const place = `${entry.file} ${name}`;
        const all = found instanceof Array ? found : [];
        const dataset = all.find(({ array }) => array === name) ??
          (all.length === 1 && entry.arrays!.length === 1 ? all[0] : undefined);
        if (dataset) {
          if (shape && dtype) assertEquals(dataset.shape, shape, place);
          continue;
        }
        unread.add(place);
        const reason = UNREAD[place];
        assert(reason !== undefined, `${place} is not read: ${found}`);
        if (found instanceof Array) continue;
        assert(isTilewiseError(found, "unsupported"), `${place}: ${found}`);
        assertStringIncludes(found.message, reason);
      }
    }
    assertEquals([...unread].toSorted(), Object.keys(UNREAD).toSorted());
  },
});

const SET = "tiff/ome_master/multifile-Z1.ome.tiff";

Deno.test({
  name: "the planes of a set of files are read one by one, from the set and from each file",
  ignore,
  fn: async () => {
    const [whole, planes] = LISTED.find(({ file }) => file === SET)!.arrays!;
    assert(whole!.sha256_all === planes!.sha256_all && /one by one/.test(planes!.name));
    const bytes: Uint8Array[] = [];
    for (let z = 1; z <= 5; z++) {
      const plane = await open(pathOf({ file: SET.replace("Z1", `Z${z}`) }), { array: "ifd0" });
      const { data } = await readBox(plane, wholeBox(plane.shape));
      bytes.push(data as Uint8Array);
      const series = await open(pathOf({ file: SET }));
      const of = { origin: [z - 1, 0, 0], shape: [1, ...plane.shape] };
      assertEquals((await readBox(series, of)).data, data);
    }
    assertEquals(
      sha256(new Uint8Array(await new Blob(bytes as BlobPart[]).arrayBuffer())),
      planes!.sha256_all,
    );
  },
});

/** Files that processes of their own read: a pyramid, a set of files, shards, a zip archive. */
const ALONE = [SET, "tiff/BigTIFFSubIFD8.tif", "zarr/gdal/v3_simple_sharding.zarr"];

Deno.test({
  name: "a process of its own says the digests of all arrays of a file",
  ignore,
  fn: async () => {
    const run = ["run", "--quiet", "--allow-read", "--allow-env", "src/cli/main.ts"];
    for (const file of ALONE) {
      const args = [...run, "stats", "--json", "--sha256", pathOf({ file })];
      const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), { args }).output();
      assertEquals(code, 0, new TextDecoder().decode(stderr));
      const lines = new TextDecoder().decode(stdout).trim().split("\n").map((line) => JSON.parse(line));
      const found = lines.map(({ array, shape, sha256 }) => [array, shape, sha256]);
      const expected = LISTED.find((entry) => entry.file === file)!.arrays!.filter(({ name }) =>
        !UNREAD[`${file} ${name}`]
      );
      assertEquals(found, expected.map(({ name, shape, sha256_all }) => [name, shape, sha256_all]));
    }
  },
});

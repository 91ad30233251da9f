/**
 * Files beside a source: one that may not be read is an error, and never another shape or other samples; one that lies
 * in another folder, also by a symbolic link, is refused until the option `root` names a folder that holds both.
 *
 * @module
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { openStored as open } from "../../../src/formats/open.ts";
import type { OpenOptions } from "../../../src/formats/common/options.ts";
import { cli, withFolder } from "../../cli/harness.ts";
import { frms6Files } from "../frms6/frms6_data.ts";
import { ascii, counting, failure } from "../helpers.ts";
import { k2Files } from "../k2is/k2is_data.ts";
import { SEQ_FILES } from "../seq/seq_data.ts";
import { TVIPS_FILES } from "../tvips/tvips_data.ts";

const MAIN = decodeURIComponent(new URL("../../../src/cli/main.ts", import.meta.url).pathname);
const HDF5 = decodeURIComponent(new URL("../../data/hdf5_beside/scans/", import.meta.url).pathname);

const RPL = "key\tvalue\nwidth\t4\nheight\t3\ndepth\t2\noffset\t0\ndata-length\t2\ndata-type\tsigned\n" +
  "byte-order\tbig-endian\nrecord-by\timage\n";

const CSR = `[params]
filetype = "raw_csr"
nav_shape = [2]
sig_shape = [2, 2]
[raw_csr]
indptr_file = "sparse/rows.bin"
indptr_dtype = "<i8"
indices_file = "sparse/columns.bin"
indices_dtype = "<i4"
data_file = "sparse/values.bin"
data_dtype = "<u2"
`;

/** The raw file and the description of a scan by an EMPAD. */
const RAW = "scan_x3_y2.raw";
const EMPAD = `<?xml version="1.0"?><root name="a"><software_version>1.2.2</software_version>` +
  `<raw_file filename="/home/empad/${RAW}"/></root>`;

/** A source in a folder of its own, `main`, and the file beside it that it needs. */
interface Case {
  readonly main: string;
  readonly side: string;
  readonly make: (folder: string) => Promise<void>;
  readonly options?: OpenOptions;
}

async function mib(folder: string): Promise<void> {
  await cli(["demo", "--scan", "4x5", "--side", "64", "--quiet", "--workers", "0", "-o", `${folder}/demo`]);
  for (const { name } of Deno.readDirSync(`${folder}/demo`)) {
    if (/^scan/.test(name)) await Deno.rename(`${folder}/demo/${name}`, `${folder}/${name}`);
  }
}

const CASES: readonly Case[] = [
  { main: "scan_000.mib", side: "scan.hdr", make: mib },
  { main: "scan_000.mib", side: "scan_001.mib", make: mib },
  {
    main: "map.rpl",
    side: "map.raw",
    make: async (folder) => {
      await Deno.writeFile(`${folder}/map.rpl`, ascii(RPL));
      await Deno.writeFile(`${folder}/map.raw`, counting(48));
    },
  },
  {
    main: "scan.toml",
    side: "sparse/values.bin",
    make: async (folder) => {
      await Deno.mkdir(`${folder}/sparse`);
      await Deno.writeTextFile(`${folder}/scan.toml`, CSR);
      await Deno.writeFile(`${folder}/sparse/rows.bin`, new Uint8Array(24));
      for (const name of ["columns", "values"]) {
        await Deno.writeFile(`${folder}/sparse/${name}.bin`, counting(16));
      }
    },
  },
  {
    main: "virtual.h5",
    side: "below/source.h5",
    make: async (folder) => {
      await Deno.mkdir(`${folder}/below`);
      for (const name of ["virtual.h5", "source.h5", "below/source.h5"]) {
        await Deno.copyFile(HDF5 + name, `${folder}/${name}`);
      }
    },
  },
  {
    main: "external.h5",
    side: "below/frames.bin",
    make: async (folder) => {
      await Deno.mkdir(`${folder}/below`);
      for (const name of ["external.h5", "frames.bin", "below/frames.bin"]) {
        await Deno.copyFile(HDF5 + name, `${folder}/${name}`);
      }
    },
  },
];

for (const { main, side, make, options = {} } of CASES) {
  Deno.test(`${main}: ${side} that may not be read is an error`, async () => {
    await withFolder(async (folder) => {
      await make(folder);
      await open(`${folder}/${main}`, options);
      const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
        args: ["run", "--no-prompt", "--no-check", "--allow-read", `--deny-read=${folder}/${side}`, MAIN]
          .concat(
            ["info", `${folder}/${main}`],
          ),
        env: { NO_COLOR: "1" },
      }).output();
      const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
      assertEquals([code, out], [1, ""]);
      assertMatch(err!, /^tilewise: \[permission\] Cannot read /);
      assert(err!.includes(side), err);
    });
  });

  Deno.test(`${main}: ${side} that a symbolic link leads out of the folder is refused; root permits it`, async () => {
    await withFolder(async (folder) => {
      const place = `${folder}/scan`;
      await Deno.mkdir(place);
      await make(place);
      const { shape } = await open(`${place}/${main}`, options);
      await Deno.rename(`${place}/${side}`, `${folder}/elsewhere`);
      await Deno.symlink(`${folder}/elsewhere`, `${place}/${side}`);
      const error = await failure(open(`${place}/${main}`, options), "invalid");
      assertMatch(error.message, /must be a path inside its folder, or below .* the option root names/);
      assertEquals((await open(`${place}/${main}`, { ...options, root: folder })).shape, shape);
    });
  });
}

/** Data sets of several files: the one that is opened, and all of them by name. */
const SETS: Readonly<Record<string, () => Promise<ReadonlyMap<string, Uint8Array>>>> = {
  "scan.xml": () =>
    Promise.resolve(new Map([["scan.xml", ascii(EMPAD)], [RAW, new Uint8Array(6 * 130 * 128 * 4)]])),
  "scan_1.bin": () => Promise.resolve(k2Files({ images: 1 })),
  "scan_.gtg": () => Promise.resolve(k2Files({ images: 1 })),
  "run.hdr": () => Promise.resolve(frms6Files({ files: [2, 3, 1] })),
  "run_001.frms6": () => Promise.resolve(frms6Files({ files: [2, 3, 1] })),
  "a_000.tvips": () => contents(TVIPS_FILES),
  "a_001.tvips": () => contents(TVIPS_FILES),
  "x.seq": () => contents(SEQ_FILES),
};

async function contents(files: readonly File[]): Promise<Map<string, Uint8Array>> {
  return new Map(await Promise.all(files.map(async (file) => [file.name, await file.bytes()] as const)));
}

for (const [main, make] of Object.entries(SETS)) {
  Deno.test(`${main}: none of its side files is read out of the folder, unless it lies below root`, async () => {
    await withFolder(async (folder) => {
      const place = `${folder}/scan`;
      await Deno.mkdir(place);
      const files = await make();
      for (const [name, bytes] of files) await Deno.writeFile(`${place}/${name}`, bytes);
      const facts = (
        { shape, corrections }: StoredDataset,
      ) => [shape, corrections?.why.length, corrections?.excluded];
      const sound = facts(await open(`${place}/${main}`));
      for (const side of [...files.keys()].filter((name) => name !== main)) {
        await Deno.rename(`${place}/${side}`, `${folder}/elsewhere`);
        await Deno.symlink(`${folder}/elsewhere`, `${place}/${side}`);
        const error = await failure(open(`${place}/${main}`), "invalid");
        assertMatch(
          error.message,
          /must be a path inside its folder, or below .* the option root names/,
          side,
        );
        assert(error.message.includes(side), error.message);
        assertEquals(facts(await open(`${place}/${main}`, { root: folder })), sound, side);
        await Deno.remove(`${place}/${side}`);
        await Deno.rename(`${folder}/elsewhere`, `${place}/${side}`);
      }
    });
  });
}

Deno.test("a description that names a file in a folder above is refused; root permits it", async () => {
  await withFolder(async (folder) => {
    await Deno.mkdir(`${folder}/scan`);
    await CASES[3]!.make(folder);
    const text = CSR.replaceAll('"sparse/', '"../sparse/');
    await Deno.writeTextFile(`${folder}/scan/scan.toml`, text);
    const error = await failure(open(`${folder}/scan/scan.toml`), "invalid");
    assertMatch(error.message, /\.\.\/sparse\/rows\.bin/);
    assertEquals((await open(`${folder}/scan/scan.toml`, { root: folder })).shape, [2, 2, 2]);
  });
});

/** Files and folders that a user picks or drops in a page open as they do from disk. */

import { makeTiff } from "./tiff/make.ts";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { fromFileUrl } from "@std/path";
import type { StoredDataset } from "../../src/dataset/dataset.ts";
import { type MibFrame, writeMib } from "./mib/mib_files.ts";
import {
  openAllStored as openAll,
  type OpenInput,
  type OpenOptions,
  openStored as open,
} from "../../src/formats/open.ts";
import type { FolderHandle } from "../../src/io/picked.ts";
import { droppedFiles } from "../../src/io/picked_files.ts";
import { dropped, fileAt, fileHandle, folderHandle, pickedFiles } from "./handles.ts";
import { ascii, counting, failure } from "./helpers.ts";
import { read } from "../../src/udf/run/read.ts";

const DATA = fromFileUrl(new URL("../data/", import.meta.url));

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await work(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A folder, by every way that leads to it. */
async function waysTo(folder: string): Promise<Readonly<Record<string, OpenInput>>> {
  return {
    handle: folderHandle(folder),
    "list with a handle": [folderHandle(folder)],
    picked: pickedFiles(folder),
    dropped: await droppedFiles(dropped([folder], 2)),
  };
}

async function samples(scan: StoredDataset): Promise<unknown> {
  return [scan.shape, [...(await read(scan)).data]];
}

/** Opens `folder` by all ways: shape and samples are those of `expected`. */
async function sameAs(expected: StoredDataset, folder: string, options: OpenOptions = {}): Promise<void> {
  const found = await samples(expected);
  for (const [way, input] of Object.entries(await waysTo(folder))) {
    assertEquals(await samples(await open(input, options)), found, way);
  }
}

for (const name of ["keyed.zarr", "sharded.zarr"]) {
  Deno.test(`a folder that is a Zarr store, picked and dropped (${name})`, async () => {
    await sameAs(await open(`${DATA}zarr/${name}`), `${DATA}zarr/${name}`);
  });
}

Deno.test("a picked folder of more files than a call takes arguments", async () => {
  const file = new File([new Uint8Array(1)], "x");
  const many: FolderHandle = {
    kind: "directory",
    name: "many",
    async *values() {
      for (let i = 0; i < 150_000; i++) {
        yield { kind: "file", name: `${i}.unknown`, getFile: () => Promise.resolve(file) } as const;
      }
    },
  };
  await failure(open(many), "not-a-file");
});

Deno.test("a folder that is a Zarr store without any chunk", async () => {
  await inFolder(async (folder) => {
    const store = `${folder}/empty.zarr`;
    await Deno.mkdir(store);
    await Deno.copyFile(`${DATA}zarr/sharded.zarr/zarr.json`, `${store}/zarr.json`);
    await sameAs(await open(store), store);
  });
});

Deno.test("a folder with a Zarr store, and a description of it that is not of TIFF files", async () => {
  await inFolder(async (folder) => {
    const xml = '<?xml version="1.0"?><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06"></OME>';
    await copyFolder(`${DATA}zarr/keyed.zarr`, `${folder}/data.zarr`);
    await Deno.writeTextFile(`${folder}/METADATA.ome.xml`, xml);
    await sameAs(await open(`${DATA}zarr/keyed.zarr`), folder);
  });
});

Deno.test("a folder with the Zarr store in it", async () => {
  await inFolder(async (folder) => {
    await copyFolder(`${DATA}zarr/keyed.zarr`, `${folder}/keyed.zarr`);
    await Deno.writeTextFile(`${folder}/notes.txt`, "of no interest");
    await sameAs(await open(`${DATA}zarr/keyed.zarr`), folder);
  });
});

Deno.test("a folder with a Zarr store deep inside, called like one or not", async () => {
  for (const name of ["keyed.zarr", "pyramid"]) {
    await inFolder(async (folder) => {
      await Deno.mkdir(`${folder}/some/place`, { recursive: true });
      await copyFolder(`${DATA}zarr/keyed.zarr`, `${folder}/some/place/${name}`);
      await sameAs(await open(`${DATA}zarr/keyed.zarr`), folder);
    });
  }
});

Deno.test("a folder with several stores is refused with their names, also as a list", async () => {
  await inFolder(async (folder) => {
    for (const name of ["b.zarr", "deep/a.zarr"]) {
      await copyFolder(`${DATA}zarr/keyed.zarr`, `${folder}/${name}`);
    }
    const base = folder.replace(/^.*\//, "");
    const stores = [`${base}/b.zarr`, `${base}/deep/a.zarr`];
    for (const [way, input] of Object.entries(await waysTo(folder))) {
      const { code, message, details } = await failure(open(input), "not-a-file");
      assertEquals([code, details.stores, details.found], ["not-a-file", stores, 2], way);
      assertStringIncludes(message, stores.join(", "));
    }
    const two = [...pickedFiles(`${folder}/b.zarr`), ...pickedFiles(`${folder}/deep/a.zarr`)];
    const { details } = await failure(open(two), "not-a-file");
    assertEquals(details.stores, ["a.zarr", "b.zarr"]);
  });
});

Deno.test("folders that are not stores by name, but hold several, are refused as well", async () => {
  await inFolder(async (folder) => {
    for (const name of ["one", "two"]) await copyFolder(`${DATA}zarr/keyed.zarr`, `${folder}/${name}`);
    for (const input of Object.values(await waysTo(folder))) await failure(open(input), "not-a-file");
  });
});

Deno.test("arrays in a folder that is called like a store are one store, without a document of the folder", async () => {
  await inFolder(async (folder) => {
    const store = `${folder}/both.zarr`;
    for (const name of ["one", "two"]) await copyFolder(`${DATA}zarr/keyed.zarr`, `${store}/${name}`);
    const names = (await openAll(store)).map(({ array }) => array).toSorted();
    assert(names.length > 1 && names.some((name) => /two/.test(name)), names.join(" "));
    for (const where of [store, folder]) {
      for (const [way, input] of Object.entries(await waysTo(where))) {
        assertEquals((await openAll(input)).map(({ array }) => array).toSorted(), names, way);
      }
    }
  });
});

Deno.test("files beside the store that is opened are named in a warning", async () => {
  await inFolder(async (folder) => {
    await copyFolder(`${DATA}zarr/keyed.zarr`, `${folder}/keyed.zarr`);
    await Deno.copyFile(`${DATA}tiff/little.tif`, `${folder}/little.tif`);
    for (const input of Object.values(await waysTo(folder))) {
      const { warnings } = await open(input);
      assert(
        warnings.some((one) => /keyed\.zarr was opened; there are also .*little\.tif/.test(one)),
        warnings.join(),
      );
    }
  });
});

Deno.test("a folder with the files of a MIB series and its .hdr, and others", async () => {
  await inFolder(async (folder) => {
    const frames = Array.from({ length: 12 }, (_, f): MibFrame => new Uint16Array(6).fill(f));
    const { files } = await writeMib(`${folder}/scan.mib`, frames, {
      sig: [2, 3],
      nav: [3, 4],
      framesPerFile: 5,
    });
    await Deno.writeTextFile(`${folder}/a note.txt`, "of no interest");
    await Deno.writeTextFile(`${folder}/.DS_Store`, "of less");
    await sameAs(await open(files[0]!), folder);
    const scan = await open(folderHandle(folder));
    assertEquals([scan.navShape, scan.images, scan.warnings], [[3, 4], 12, []]);
  });
});

Deno.test("a folder with one HDF5 or TIFF file, and a table of casacore", async () => {
  await inFolder(async (folder) => {
    await Deno.copyFile(`${DATA}hdf5/filters.h5`, `${folder}/filters.h5`);
    await sameAs(await open(`${folder}/filters.h5`, { array: "/lzf" }), folder, { array: "/lzf" });
  });
  await inFolder(async (folder) => {
    await Deno.copyFile(`${DATA}tiff/little.tif`, `${folder}/little.tif`);
    await sameAs(await open(`${folder}/little.tif`), folder);
  });
  const table = `${DATA}casacore/tiled_column_little`;
  await sameAs(await open(table), table);
});

Deno.test("a description and its raw file, in the order in which a browser lists them", async () => {
  const names = ["columns.bin", "rows.bin", "scan.toml", "values.bin"];
  const found = await samples(await open(`${DATA}raw_csr/scan.toml`));
  const files = names.map((name) => fileAt(`${DATA}raw_csr/${name}`));
  assertEquals(await samples(await open(files)), found);
  assertEquals(await samples(await open(names.map((name) => fileHandle(`${DATA}raw_csr/${name}`)))), found);
});

Deno.test("the order of a caller stands if the first file can be opened", async () => {
  const [a, b] = [counting(8), counting(8, 100)].map((bytes, i) => new File([bytes], `${i}.raw`));
  const options = { dtype: "uint8", nav: [2], sig: [2, 4] } as const;
  assertEquals((await read(await open([b!, a!], options))).data[0], 100);
});

Deno.test("a damaged first file is an error, not a reason to open another one of its kind", async () => {
  const whole = new File([await Deno.readFile(`${DATA}hdf5/filters.h5`)], "whole.h5");
  const damaged = new File([new Uint8Array(600)], "damaged.h5");
  const { message } = await failure(open([damaged, whole]), "unknown-format");
  assertStringIncludes(message, "Cannot tell what damaged.h5 is");
  const note = new File(["of no interest"], "note.txt");
  assertEquals((await openAll([note, whole])).length, (await openAll(whole)).length);
});

Deno.test("a folder with several data sets: the first is taken, the others are named", async () => {
  await inFolder(async (folder) => {
    for (const name of ["b.tif", "a.tif"]) await Deno.copyFile(`${DATA}tiff/little.tif`, `${folder}/${name}`);
    const { warnings } = await open(folderHandle(folder));
    assertStringIncludes(warnings.join(), "a.tif was opened; there are also ");
    assertStringIncludes(warnings.join(), "/b.tif");
  });
});

Deno.test("one file by its handle", async () => {
  const scan = await open(fileHandle(`${DATA}tiff/little.tif`));
  assertEquals(await samples(scan), await samples(await open(`${DATA}tiff/little.tif`)));
});

Deno.test("folders with nothing to open, and files that the browser does not hand out, are typed errors", async () => {
  await inFolder(async (folder) => {
    const nothing = await failure(open(folderHandle(folder)), "not-a-file");
    assertStringIncludes(nothing.message, "an empty folder");
    await Deno.writeTextFile(`${folder}/notes.txt`, "of no interest");
    for (const input of Object.values(await waysTo(folder))) {
      const error = await failure(open(input), "not-a-file");
      assertStringIncludes(error.message, "nothing in it is called like a file that is read");
    }
  });
  for (const [name, code] of [["NotFoundError", "not-found"], ["NotAllowedError", "permission"]] as const) {
    const getFile = () => Promise.reject(new DOMException("no", name));
    const file = { kind: "file", name: "scan.mib", getFile } as const;
    assertEquals((await failure(open(file), code)).details.file, "scan.mib");
    const values = () => [file].values() as unknown as AsyncIterable<typeof file>;
    const inside = await failure(open({ kind: "directory", name: "day", values }), code);
    assertEquals(inside.details.file, "day/scan.mib");
  }
  await failure(droppedFiles({ items: [], files: [] }), "invalid");
  await failure(droppedFiles(null), "invalid");
});

Deno.test("a file beside a picked one leads nowhere else", async () => {
  await inFolder(async (folder) => {
    await Deno.writeFile(
      `${folder}/scan.toml`,
      ascii(Deno.readTextFileSync(`${DATA}raw_csr/scan.toml`).replace("rows.bin", "../rows.bin")),
    );
    for (const name of ["columns.bin", "values.bin"]) {
      await Deno.copyFile(`${DATA}raw_csr/${name}`, `${folder}/${name}`);
    }
    const error = await failure(open(folderHandle(folder)), "invalid");
    assert(/rows\.bin/.test(error.message), error.message);
  });
});

Deno.test("a long listing is cancelled", async () => {
  const stop = new AbortController();
  const endless = {
    kind: "directory",
    name: "day",
    async *values() {
      for (let i = 0;; i++) {
        if (i === 10) stop.abort();
        yield fileHandle(`${DATA}raw_csr/scan.toml`);
        await Promise.resolve();
      }
    },
  } as const;
  await failure(open(endless, { signal: stop.signal }), "aborted");
});

async function copyFolder(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (isDirectory) await copyFolder(`${from}/${name}`, `${to}/${name}`);
    else await Deno.copyFile(`${from}/${name}`, `${to}/${name}`);
  }
}

Deno.test("of files that do not belong together those that were left are named", async () => {
  const one = new File([makeTiff([{ height: 4, width: 6 }])], "a.tif");
  const other = new File([makeTiff([{ height: 5, width: 7 }])], "b.tif");
  const text = new File(["notes"], "notes.txt");
  const left = async (files: File[]) => {
    const { source, warnings } = await open(files);
    return [source, ...warnings.filter((warning) => warning.startsWith("Of these files"))];
  };
  assertEquals(await left([one, other, text]), [
    "a.tif",
    "Of these files, a.tif was opened; there are also b.tif",
  ]);
  assertEquals(await left([other, one]), ["b.tif", "Of these files, b.tif was opened; there are also a.tif"]);
  assertEquals(await left([one, text]), ["a.tif"]);
});

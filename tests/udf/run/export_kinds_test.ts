/** Every kind of file that data sets are written to opens again with the same samples. */

import { assert, assertEquals } from "@std/assert";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import type { RoiInput } from "../../../src/dataset/roi/roi.ts";
import { processExecutor } from "../../../src/executor/process/executor.ts";
import { type OpenOptions, openStored as open } from "../../../src/formats/open.ts";
import { TARGETS } from "../../../src/sinks/registry.ts";
import { rowTarget } from "../../../src/sinks/rows/registry.ts";
import { filesOfRows } from "../../../src/sinks/rows/stream.ts";
import { sizesOf } from "../../../src/sinks/rows/layout.ts";
import { wholeBox } from "../../../src/space/box.ts";
import type { DType } from "../../../src/space/dtype.ts";
import { type Context, createContext } from "../../../src/runner/context.ts";
import { exportDataset, type ExportOptions } from "../../../src/udf/run/export_dataset.ts";
import { cli, withFolder } from "../../cli/harness.ts";
import { failure } from "../../formats/helpers.ts";
import { contents, failWrite } from "../../io/failing_writes.ts";
import { tiffPages } from "../../formats/tiff_pages.ts";
import { both } from "../both.ts";
import { counts, memoryScan, type ScanOptions } from "../data.ts";

const NAV = [3, 4];

/** What each kind holds, by ending. */
const HELD: Readonly<Record<string, readonly DType[]>> = {
  raw: ["bool", "uint8", "int16", "uint32", "int64", "float32", "float64", "complex64", "float16"],
  mib: ["uint8", "uint16", "uint32"],
  xml: ["float32"],
  tif: ["uint8", "int16", "uint16", "int64", "float32", "float64", "bool", "complex64"],
  npy: ["uint8", "complex128"],
  hspy: ["bool", "uint8", "int16", "uint64", "float16", "float32", "complex64"],
  emd: ["int8", "uint32", "float64", "complex128"],
  nxs: ["uint8", "int64", "float32"],
  fits: ["uint8", "int8", "uint16", "int32", "uint64", "float32", "float64"],
};

function scanOf(dtype: DType, ending: string, options: ScanOptions = {}): StoredDataset {
  const sig = ending === "xml" ? [128, 128] : [6, 10];
  const units = dtype.startsWith("complex") ? 2 : 1;
  const values = counts(12 * sig[0]! * sig[1]! * units, 5, 120);
  return memoryScan(dtype === "bool" ? values.map((v) => v > 0 ? 1 : 0) : values, NAV, sig, dtype, options);
}

/** Flags of the command line as options. */
function optionsIn(flags = ""): OpenOptions {
  const words = flags.split(" ");
  const of = (name: string) => words.indexOf(name) < 0 ? undefined : words[words.indexOf(name) + 1];
  const shape = (text: string | undefined) => text?.split("x").map(Number);
  const [dtype, nav, sig] = [of("--dtype"), shape(of("--nav")), shape(of("--sig"))];
  return { ...(dtype ? { dtype } : {}), ...(nav ? { nav } : {}), ...(sig ? { sig } : {}) };
}

async function numbersIn(dataset: StoredDataset): Promise<number[]> {
  return Array.from((await readBox(dataset, wholeBox(dataset.shape))).data as ArrayLike<number>, Number);
}

/** The samples of the file that was written, after a look at its shape. */
async function readBack(
  path: string,
  openWith: string | undefined,
  shape: readonly number[],
): Promise<number[]> {
  if (path.endsWith(".tif")) {
    const pages = tiffPages(await Deno.readFile(path));
    assertEquals(pages.length, shape.slice(0, -2).reduce((a, b) => a * b, 1));
    assertEquals([pages[0]!.height, pages[0]!.width], shape.slice(-2));
    assertEquals(JSON.parse(pages[0]!.description), { shape });
    return pages.flatMap(({ samples }) => Array.from(samples as ArrayLike<number>, Number));
  }
  const dataset = await open(path, optionsIn(openWith));
  assertEquals([dataset.shape, dataset.warnings], [shape, []]);
  return await numbersIn(dataset);
}

async function roundTrip(
  scan: StoredDataset,
  path: string,
  options: ExportOptions,
  expected: readonly number[],
) {
  const done = await exportDataset(scan, path, options);
  assertEquals(done.files.length, new Set(done.files).size);
  for (const file of done.files) assert((await Deno.stat(file)).isFile);
  assertEquals(await readBack(path, done.openWith, done.shape), expected);
  return done;
}

both("every kind of file gives back the samples that went into it", async (context) => {
  await withFolder(async (folder) => {
    assertEquals(Object.keys(HELD).length, TARGETS.filter(({ frames }) => frames).length);
    for (const [ending, dtypes] of Object.entries(HELD)) {
      for (const dtype of dtypes) {
        for (const order of ["little", "big"] as const) {
          const scan = scanOf(dtype, ending, { order });
          const path = `${folder}/${dtype} ${order}.${ending}`;
          const done = await roundTrip(scan, path, { context }, await numbersIn(scan));
          assertEquals(done.shape, scan.shape);
          assertEquals([done.dtype, done.warnings], [dtype, []]);
        }
      }
    }
  });
});

both("regions, and positions without an image", async (context) => {
  await withFolder(async (folder) => {
    for (const ending of Object.keys(HELD)) {
      const dtype = HELD[ending]!.includes("uint16")
        ? "uint16"
        : HELD[ending]!.at(-1)! === "float16"
        ? "int16"
        : HELD[ending]![0]!;
      const shifted = scanOf(dtype, ending, { syncOffset: -2 });
      const all = await numbersIn(shifted);
      const done = await roundTrip(shifted, `${folder}/blank.${ending}`, { context }, all);
      assertEquals(done.blank, 2);
      const roi: RoiInput = [[0, 0], [0, 3], [2, 1]];
      const pixels = shifted.pixels;
      const chosen = [0, 3, 9].flatMap((n) => all.slice(n * pixels, (n + 1) * pixels));
      const part = await roundTrip(shifted, `${folder}/part.${ending}`, { context, roi }, chosen);
      assertEquals([part.shape, part.blank], [[3, ...shifted.sigShape], 1]);
    }
  });
});

Deno.test("processes may write the file of their export, unasked", async () => {
  await withFolder(async (folder) => {
    await using executor = processExecutor({ workers: 1 });
    await using context = createContext({ executor });
    const scan = scanOf("uint16", "mib");
    await roundTrip(scan, `${folder}/a.mib`, { context }, await numbersIn(scan));
  });
});

Deno.test("frames that are larger than a tile, in little memory", async () => {
  await withFolder(async (folder) => {
    for (const workers of [0, 2]) {
      await using context: Context = createContext({ memory: 3 * 2 ** 20, workers });
      const values = counts(3 * 700 * 900, 8, 60000);
      const scan = memoryScan(values, [3], [700, 900], "uint16");
      for (const ending of ["mib", "raw", "tif"]) {
        const path = `${folder}/large${workers}.${ending}`;
        const { shape, openWith } = await exportDataset(scan, path, { context });
        const found = await readBack(path, openWith, shape);
        assert(found.length === values.length && found.every((value, i) => value === values[i]), ending);
      }
    }
  });
});

Deno.test("frames that a kind of file cannot hold are refused before anything is written", async () => {
  await withFolder(async (folder) => {
    const refused: readonly [string, DType][] = [["mib", "int16"], ["mib", "float32"], ["xml", "uint16"]];
    for (const [ending, dtype] of refused) {
      const error = await failure(
        exportDataset(scanOf(dtype, ending), `${folder}/a.${ending}`),
        "unsupported",
      );
      assert(error.message.includes(".npy"), error.message);
    }
    await failure(exportDataset(scanOf("float32", "raw"), `${folder}/a.xml`), "unsupported"); // 6 × 10
    assertEquals([...Deno.readDirSync(folder)], []);
  });
});

Deno.test("files beside the frames do not replace what is being read", async () => {
  await withFolder(async (folder) => {
    const scan = scanOf("uint16", "mib");
    const { path, files } = await exportDataset(scan, `${folder}/scan.mib`);
    assertEquals(files, [path, `${folder}/scan.hdr`]);
    const again = await open(`${folder}/scan.hdr`);
    assertEquals((await failure(exportDataset(again, path), "invalid")).details.file, path);
    await exportDataset(scanOf("float32", "xml"), `${folder}/e.xml`);
    const empad = await open(`${folder}/e.xml`);
    assertEquals(empad.shape, [3, 4, 128, 128]);
    await failure(exportDataset(empad, `${folder}/e.raw`), "invalid");
    await failure(exportDataset(empad, `${folder}/e.xml`), "invalid");
  });
});

Deno.test("an export does not replace the .hdr of the series that it reads", async () => {
  await withFolder(async (folder) => {
    const { files: [scan, hdr] } = await exportDataset(scanOf("uint16", "mib"), `${folder}/a.mib`);
    await Deno.rename(scan!, `${folder}/a_0.mib`);
    const before = await Deno.readFile(hdr!);
    const series = await open(`${folder}/a_0.mib`);
    assert(series.filesRead.includes(hdr!), series.filesRead.join());
    const { message } = await failure(exportDataset(series, `${folder}/a.mib`), "invalid");
    assert(/a\.hdr: that file is being read/.test(message), message);
    assertEquals(await Deno.readFile(hdr!), before);
    assertEquals([...Deno.readDirSync(folder)].length, 2);
  });
});

Deno.test("every kind of file names all files that it may write", async () => {
  for (const { id, sides = [] } of TARGETS.filter(({ frames }) => frames)) {
    const writer = await rowTarget(id);
    const sig = id === "empad" ? [128, 128] : [6, 10];
    const dtype = id === "empad" ? "float32" : "uint16";
    const { beside } = writer.layout({ nav: NAV, sig, dtype, stem: "a" });
    assertEquals(beside.map(({ ending }) => ending), [...sides], id);
    const all = filesOfRows(writer, `x/a${writer.endings[0]}`);
    assertEquals(all.length, 1 + sides.length);
  }
});

Deno.test("an export whose n-th write fails, for every n, leaves frames and description as they were", async () => {
  await withFolder(async (folder) => {
    const path = `${folder}/a.mib`;
    await using context = createContext({ workers: 0 });
    await Deno.writeTextFile(path, "old frames");
    await Deno.writeTextFile(`${folder}/a.hdr`, "old hdr");
    const before = contents(folder);
    const scan = scanOf("uint16", "mib");
    let failed = 0;
    for (let n = 1;; n++) {
      using fault = await failWrite(n, "ENOSPC");
      const error = await exportDataset(scan, path, { context }).catch((error) => error);
      if (fault.calls < n) break;
      failed++;
      assertEquals([error.code, error.details.found], ["io", "ENOSPC"], String(error));
      assert(/^Cannot write \S+a\.(mib|hdr): the disk is full/.test(error.message), error.message);
      assertEquals(contents(folder), before);
    }
    assertEquals(failed, 13);
  });
});

Deno.test("tilewise convert says the files and the flags to open them", async () => {
  await withFolder(async (folder) => {
    const { path } = await exportDataset(scanOf("uint16", "npy"), `${folder}/scan.npy`);
    const { code, out, err } = await cli(["convert", path, `${folder}/out.raw`, "--quiet"]);
    assertEquals([code, err], [0, ""]);
    const flags = "--format raw --dtype uint16 --nav 3x4 --sig 6x10";
    assert(out.includes(`${folder}/out.rpl\n`) && out.includes(`open it with ${flags}\n`), out);
    const digest = async (words: string[]) =>
      (await cli(["stats", "--sha256", "--json", ...words])).json()[0]!.sha256;
    const expected = await digest([path]);
    assertEquals(await digest([`${folder}/out.raw`, ...flags.split(" ")]), expected);
    assertEquals(await digest([`${folder}/out.rpl`]), expected);
    const [said] = (await cli(["convert", "--json", path, `${folder}/out.mib`])).json();
    assertEquals(said!.files, [`${folder}/out.mib`, `${folder}/out.hdr`]);
    assertEquals(await digest([`${folder}/out.mib`]), expected);
  });
});

Deno.test("TIFF files beyond 4 GiB have addresses of 64 bits", async () => {
  const frames = { nav: [300, 300], sig: [128, 128], dtype: "uint32", stem: "a" } as const;
  const layout = (await rowTarget("tiff")).layout(frames);
  const { pitch, total } = sizesOf(frames, layout);
  assert(total > 2 ** 32);
  const first = layout.head.length;
  const head = new DataView(layout.head.buffer);
  assertEquals([head.getUint16(2, true), head.getUint16(4, true), Number(head.getBigUint64(8, true))], [
    43,
    8,
    first,
  ]);
  for (const page of [0, 89_999]) {
    const header = new DataView(layout.header!(page).buffer);
    const count = Number(header.getBigUint64(0, true));
    const strip = Array.from({ length: count }, (_, t) => 8 + 20 * t).find((at) =>
      header.getUint16(at, true) === 273
    )!;
    const start = first + page * pitch;
    assertEquals(Number(header.getBigUint64(strip + 12, true)), start + layout.headerBytes);
    const next = Number(header.getBigUint64(8 + 20 * count, true));
    assertEquals(next, page === 0 ? start + pitch : 0);
  }
});

both("frames larger than a piece are written whole", async (context) => {
  await withFolder(async (folder) => {
    const values = counts(2 * 700 * 900, 5, 120);
    const scan = memoryScan(values, [2], [700, 900], "uint16");
    for (const ending of ["tif", "mib", "npy"]) {
      await roundTrip(scan, `${folder}/large.${ending}`, { context }, Array.from(values));
    }
  });
});

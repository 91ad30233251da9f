/**
 * DigitalMicrograph files whose scan is stored fastest, and stacks of several files.
 *
 * @module
 */

import "../../fences/mod.ts";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { openStored as open } from "../../../src/formats/open.ts";
import { wholeBox } from "../../../src/space/box.ts";
import { createContext } from "../../../src/runner/context.ts";
import { formatConformance } from "../conformance/conformance.ts";
import { dmBytes, type DmFile } from "./dm_file.ts";
import { failure } from "../helpers.ts";

const [Y, X, KY, KX] = [3, 4, 5, 6];
const sample = (y: number, x: number, ky: number, kx: number) => 1000 * y + 100 * x + 10 * ky + kx;

/** The samples of a scan in the order of storage: fastest dimension first in `order`. */
function stored(order: "scan" | "detector"): Uint16Array {
  const data: number[] = [];
  if (order === "scan") {
    for (let ky = 0; ky < KY; ky++) {
      for (let kx = 0; kx < KX; kx++) {
        for (let y = 0; y < Y; y++) for (let x = 0; x < X; x++) data.push(sample(y, x, ky, kx));
      }
    }
  } else {
    for (let y = 0; y < Y; y++) {
      for (let x = 0; x < X; x++) {
        for (let ky = 0; ky < KY; ky++) for (let kx = 0; kx < KX; kx++) data.push(sample(y, x, ky, kx));
      }
    }
  }
  return Uint16Array.from(data);
}

/** What is seen: frames of the detector. */
const SEEN = stored("detector");
const SCAN_UNITS = [[2, "nm"], [3, "nm"], [0.1, "1/nm"], [0.2, "1/nm"]] as const;
const SCAN_FIRST: DmFile = { dimensions: [X, Y, KX, KY], data: stored("scan"), axes: SCAN_UNITS };

async function samples(dataset: StoredDataset): Promise<ArrayLike<number | bigint>> {
  return (await readBox(dataset, wholeBox(dataset.shape))).data;
}

Deno.test("an only image opens by its name, as one of several does", async () => {
  const file = dmBytes({ ...SCAN_FIRST, name: "HAADF" });
  const found = await Promise.all([{}, { array: "HAADF" }].map((how) => open(file, how)));
  assertEquals(found.map(({ array }) => array), ["", "HAADF"]);
  await failure(open(file, { array: "EELS" }), "not-found");
});

for (const version of [3, 4] as const) {
  for (const bigEndian of [false, true]) {
    Deno.test(`DM${version}, ${bigEndian ? "big" : "little"} endian: a scan stored fastest gives detector frames`, async () => {
      const scan = await open(dmBytes({ ...SCAN_FIRST, version, bigEndian, swapped: false }));
      assertEquals([scan.detection.format, scan.navShape, scan.sigShape], ["dm", [Y, X], [KY, KX]]);
      assertEquals(await samples(scan), SEEN);
      assertEquals(scan.axes.map(({ name, scale, unit }) => [name, Math.fround(scale!), unit]), [
        ["y", 3, "nm"],
        ["x", 2, "nm"],
        ["ky", Math.fround(0.2), "1/nm"],
        ["kx", Math.fround(0.1), "1/nm"],
      ]);
      assert(scan.warnings.length === 1 && scan.metadata.scanFirst === true);
    });
  }
}

Deno.test("a scan that is stored fastest passes the conformance suite", async () => {
  await using inline = createContext({ memory: 2 ** 26, workers: 0 });
  await using workers = createContext({ memory: 2 ** 26, workers: 2 });
  const bytes = dmBytes({ ...SCAN_FIRST, swapped: false });
  await formatConformance((options) => open(bytes, options), new Uint8Array(SEEN.buffer), {
    inline,
    workers,
  });
});

Deno.test("what decides: the tag, else the units, else the order of storage", async () => {
  const shapes = async (file: Partial<DmFile>) => {
    const { navShape, sigShape } = await open(dmBytes({ ...SCAN_FIRST, ...file }));
    return [...navShape, ...sigShape].join();
  };
  const [byScan, byStorage] = ["3,4,5,6", "5,6,3,4"];
  assertEquals(await shapes({ swapped: false }), byScan);
  assertEquals(await shapes({ swapped: true }), byStorage);
  assertEquals(await shapes({}), byScan); // the slowest dimensions are reciprocal
  const units = (list: string[]) => list.map((unit) => [1, unit] as const);
  assertEquals(await shapes({ axes: units(["nm", "nm", "mrad", "mrad"]) }), byScan);
  assertEquals(await shapes({ axes: units(["1/nm", "1/nm", "nm", "nm"]) }), byStorage);
  assertEquals(await shapes({ axes: units(["", "", "", ""]) }), byStorage);
  assertEquals(await shapes({ axes: units(["nm", "nm", "1/nm", "1/nm"]), swapped: true }), byStorage);
});

Deno.test("the order of storage is shown when asked for", async () => {
  const scan = await open(dmBytes({ ...SCAN_FIRST, swapped: false }), { forceCOrder: true });
  assertEquals([scan.navShape, scan.sigShape, scan.layout.storage.kind], [[KY, KX], [Y, X], "contiguous"]);
  assertEquals(await samples(scan), SCAN_FIRST.data);
  assertStringIncludes(scan.warnings[0]!, "not of the detector");
});

Deno.test("spectrum images: spectra, or planes of one energy as they are stored", async () => {
  const data = Uint16Array.from({ length: 2 * 3 * 7 }, (_, i) => i); // energy, y, x
  const file: DmFile = { dimensions: [3, 2, 7], data, format: "Spectrum image" };
  for (const options of [{ forceCOrder: true }, { sigDims: 2 }]) {
    const { navShape, sigShape } = await open(dmBytes(file), options);
    assertEquals([navShape, sigShape], [[7], [2, 3]]);
  }
  const spectra = await open(dmBytes(file));
  assertEquals([spectra.navShape, spectra.sigShape, spectra.stored?.shape], [[2, 3], [7], [7, 2, 3]]);
  assertEquals((await samples(spectra))[7 * 1 + 2], 6 * 2 + 1); // energy 2 at position (0, 1)
  for (const sigAxes of [["y", "x"], [0, 1]]) { // as they are shown: with the spectra as frames
    const planes = await open(dmBytes(file), { sigAxes });
    assertEquals([planes.navShape, planes.sigShape, await samples(planes)], [[7], [2, 3], data]);
  }
});

Deno.test("colours, of which files have the blue first, are shown as red, green, blue, opacity", async () => {
  const bytes = Uint8Array.of(10, 20, 30, 40, 11, 21, 31, 41); // RosettaSciIO: R 30, G 20, B 10, A 40
  for (const type of [8, 23]) {
    const file = dmBytes({ dimensions: [1, 2], data: new Uint16Array(bytes.buffer), type });
    for (const sigDims of [3, 2, 0]) {
      const image = await open(file, { sigDims });
      assertEquals([image.shape, image.axes.at(-1)?.kind], [[2, 1, 4], "colour"]);
      assertEquals(Array.from(await samples(image)), [30, 20, 10, 40, 31, 21, 11, 41]);
    }
  }
});

Deno.test("what its tag calls an image is one, also with energies along its columns", async () => { // RosettaSciIO: no navigation
  const axes = [[0.5, "eV"], [1, ""]] as const, data = new Uint16Array(24);
  const of = async (format?: string) => {
    const { navShape, sigShape, axes: [rows] } = await open(
      dmBytes({ dimensions: [4, 6], data, axes, ...(format ? { format } : {}) }),
    );
    return [navShape, sigShape, rows!.kind];
  };
  assertEquals(await of("Image"), [[], [6, 4], "space"]);
  assertEquals(await of("Spectrum"), [[6], [4], "scan"]);
  assertEquals(await of(), [[6], [4], "scan"]);
});

Deno.test("several files of equal images are one stack, in the order in which they are given", async () => {
  const image = (first: number) => Uint16Array.from({ length: 6 }, (_, i) => first + i);
  const file = (name: string, data: Uint16Array, extra: Partial<DmFile> = {}) =>
    new File([dmBytes({ dimensions: [3, 2], data, ...extra })], name);
  const stack = await open([
    file("b.dm4", image(20)),
    file("a.dm3", image(0), { version: 3 }),
    file("c.dm4", image(40)),
  ]);
  assertEquals([stack.navShape, stack.sigShape, stack.layout.files.length], [[3], [2, 3], 3]);
  assertEquals(await samples(stack), Uint16Array.from([...image(20), ...image(0), ...image(40)]));
  const volume = (name: string, data: Uint16Array) => file(name, data, { dimensions: [3, 1, 2] });
  const volumes = await open([volume("a.dm4", image(5)), volume("b.dm4", image(7))], { nav: [4] });
  assertEquals(volumes.shape, [4, 1, 3]);
  assertEquals(await samples(volumes), Uint16Array.from([...image(5), ...image(7)]));
});

Deno.test("files that do not fit into a stack are named", async () => {
  const file = (name: string, dimensions: number[], extra: Partial<DmFile> = {}) => {
    const data = new Uint16Array(dimensions.reduce((a, b) => a * b, 1));
    return new File([dmBytes({ dimensions, data, ...extra })], name);
  };
  const first = file("a.dm4", [3, 2]);
  for (
    const other of [
      file("b.dm4", [2, 3]),
      file("b.dm4", [3, 2], { bigEndian: true }),
      file("b.dm4", [3, 2, 2]),
    ]
  ) {
    assertStringIncludes((await failure(open([first, other]), "unsupported")).message, "b.dm4");
  }
  assertStringIncludes(
    (await failure(open([first, new File(["x"], "b.dm4")]), "malformed")).message,
    "b.dm4",
  );
});

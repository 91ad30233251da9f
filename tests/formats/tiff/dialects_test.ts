/**
 * Dialects of TIFF in which programs of microscopes and others say how images belong together: tifffile, MetaMorph, Zeiss LSM,
 * Philips, and OME-XML that counts samples in other ways.
 *
 * @module
 */

import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { TilewiseError } from "../../../src/errors.ts";
import { openAllStored as openAll, openStored as open } from "../../../src/formats/open.ts";
import { box, wholeBox } from "../../../src/space/box.ts";
import { withFolder } from "../../cli/harness.ts";
import { type Entry, makeTiff, type Making, sampleAt } from "./make.ts";

const PLANE: Making = { height: 5, width: 4 };
const told = (text: string, making: Making = PLANE): Making => ({
  ...making,
  entries: [[270, 2, text], ...(making.entries ?? [])],
});
const names = (dataset: StoredDataset) => dataset.axes.map(({ name }) => name);

async function samples(dataset: StoredDataset): Promise<number[]> {
  const { data } = await readBox(dataset, wholeBox(dataset.shape));
  return Array.from(data, Number);
}

Deno.test("arrays of tifffile have the dimensions that their description tells", async () => {
  const shaped = (json: unknown, count: number, making: Making = PLANE) =>
    open(makeTiff([told(JSON.stringify(json), making), ...new Array<Making>(count - 1).fill(making)]));
  const five = await shaped({ shape: [2, 3, 1, 5, 4], axes: "TZCYX" }, 6);
  assertEquals([five.array, five.shape, names(five)], ["series0", [2, 3, 5, 4], ["t", "z", "y", "x"]]);
  const other = await shaped({ shape: [2, 3, 5, 4] }, 6);
  assertEquals([other.shape, names(other)], [[2, 3, 5, 4], ["nav0", "nav1", "y", "x"]]);
  const stack = await shaped({ shape: [6, 5, 4] }, 6);
  assertEquals([stack.shape, names(stack)], [[6, 5, 4], ["page", "y", "x"]]);
  const planar = await shaped({ shape: [2, 3, 5, 4], axes: "ZSYX" }, 2, { ...PLANE, samples: 3, planar: 2 });
  assertEquals([planar.shape, names(planar)], [[2, 5, 4, 3], ["z", "y", "x", "sample"]]);
  const wrong = await shaped({ shape: [7, 5, 4], axes: "ZYX" }, 6);
  assertEquals([wrong.shape, names(wrong)], [[6, 5, 4], ["page", "y", "x"]]); // pages, as without a description
  const pages = await shaped({ shape: "6,5,4" }, 6);
  assertEquals(pages.shape, [6, 5, 4]);
});

Deno.test("several arrays of tifffile in a file are several series", async () => {
  const small: Making = { height: 2, width: 3 };
  const bytes = makeTiff([
    told('{"shape": [2, 5, 4], "axes": "ZYX"}'),
    PLANE,
    told('{"shape": [2, 2, 2, 3], "axes": "TCYX"}', small),
    small,
    small,
    small,
  ]);
  assertEquals((await open(bytes, { array: "series0" })).shape, [2, 5, 4]);
  const second = await open(bytes, { array: "series1" });
  assertEquals([second.shape, names(second)], [[2, 2, 2, 3], ["t", "channel", "y", "x"]]);
  const expected = Array.from({ length: 6 }, (_, i) => sampleAt(i, small));
  assertEquals(await samples(second), [...expected, ...expected, ...expected, ...expected]);
});

/** A stack of MetaMorph: the samples of all planes in one strip, whose directory tells the first, and numbers of the planes. */
function stk(count: number, numbers: readonly number[], making: Making = PLANE): Uint8Array<ArrayBuffer> {
  const { height, width } = making;
  const bytes = makeTiff([{
    ...making,
    height: height * count,
    entries: [
      [257, 4, [height]],
      [278, 4, [height]],
      [279, 4, [height * width]],
      [33629, 4, numbers],
    ],
  }]);
  return renumbered(bytes, 33629, 5, count);
}

/** Changes the type of entry `tag` of the first directory, and how many values it says. */
function renumbered(bytes: Uint8Array<ArrayBuffer>, tag: number, type: number, count: number) {
  const view = new DataView(bytes.buffer);
  const directory = view.getUint32(4, true);
  for (let i = 0; i < view.getUint16(directory, true); i++) {
    const entry = directory + 2 + 12 * i;
    if (view.getUint16(entry, true) !== tag) continue;
    view.setUint16(entry + 2, type, true);
    view.setUint32(entry + 4, count, true);
  }
  return bytes;
}

Deno.test("all planes of a MetaMorph stack are read", async () => {
  const inZ = await open(stk(3, [1, 2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0]));
  assertEquals([inZ.array, inZ.shape], ["series0", [3, 5, 4]]);
  assertEquals(inZ.axes[0], { name: "z", kind: "space", size: 3, scale: 0.5, unit: "µm" });
  assertEquals(await samples(inZ), Array.from({ length: 60 }, (_, i) => sampleAt(i, PLANE)));
  const inTime = await open(stk(3, new Array(18).fill(0)));
  assertEquals(names(inTime), ["t", "y", "x"]);
  assertEquals(inTime.metadata["metadata"], "MetaMorph");
  const packed = stk(3, new Array(18).fill(0), { ...PLANE, compression: 8 });
  const error = await assertRejects(() => open(packed), TilewiseError);
  assertEquals(error.code, "unsupported");
  assertStringIncludes(error.message, "stack of MetaMorph (STK) of 3 planes");
  const cut = stk(3, new Array(18).fill(0));
  await assertRejects(() => open(renumbered(cut, 33629, 5, 2 ** 19)), TilewiseError, "ends at byte");
});

/** Facts of an LSM file: sizes, and steps in metres. */
function lsmInfo(sizes: readonly [x: number, y: number, z: number, channels: number, times: number]): Entry {
  const view = new DataView(new ArrayBuffer(512));
  [0x0400494c, 512, ...sizes].forEach((value, i) => view.setUint32(4 * i, value, true));
  [2e-7, 3e-7, 1e-6].forEach((step, i) => view.setFloat64(40 + 8 * i, step, true));
  return [34412, 1, [...new Uint8Array(view.buffer)]];
}

const THUMBNAIL: Making = { height: 2, width: 2, samples: 3, entries: [[254, 4, [1]]] };

Deno.test("images of Zeiss LSM are read without their thumbnails, with channels, planes and times", async () => {
  const image: Making = { ...PLANE, samples: 2, planar: 2 };
  const info = lsmInfo([4, 5, 3, 2, 2]);
  const images = Array.from(
    { length: 6 },
    (_, i) => [i === 0 ? { ...image, entries: [info] } : image, THUMBNAIL],
  );
  const dataset = await open(makeTiff(images.flat()));
  assertEquals([dataset.array, dataset.shape], ["series0", [2, 3, 5, 4, 2]]);
  assertEquals(dataset.axes.map(({ name, scale }) => [name, scale]), [
    ["t", undefined],
    ["z", 1],
    ["y", 0.3],
    ["x", 0.2],
    ["channel", undefined],
  ]);
  assertEquals(dataset.levels, []);
  const found = await openAll(makeTiff(images.flat()));
  assertEquals(found.filter(({ auxiliary }) => auxiliary).length, 6);
  const odd = await open(
    makeTiff([{ ...image, entries: [lsmInfo([4, 5, 7, 2, 2])] }, THUMBNAIL, image, THUMBNAIL]),
  );
  assertEquals([odd.shape, names(odd)[0]], [[2, 5, 4, 2], "page"]);
});

Deno.test("byte counts of compressed LSM files are those before compression", async () => {
  const image: Making = { height: 40, width: 30, compression: 32773 };
  const bytes = makeTiff([
    { ...image, entries: [lsmInfo([30, 40, 1, 1, 1]), [279, 4, [40 * 30]]] },
    THUMBNAIL,
  ]);
  const dataset = await open(bytes);
  assertEquals(await samples(dataset), Array.from({ length: 1200 }, (_, i) => sampleAt(i, image)));
});

Deno.test("planes of an LSM file beyond 4 GiB lie where their offsets wrapped to", async () => {
  const image: Making = { ...PLANE, height: 1, width: 2 };
  const places = [2 ** 20, 2 ** 31, 2 ** 32 + 2 ** 18, 2 ** 32 + 2 ** 31, 2 ** 33 + 5];
  const images = places.map((at, i): Making[] => [
    { ...image, entries: [[273, 4, [at % 2 ** 32]], ...(i === 0 ? [lsmInfo([2, 1, 5, 1, 1])] : [])] },
    { ...THUMBNAIL, samples: 1, entries: [[254, 4, [1]], [273, 4, [(at + 2) % 2 ** 32]]] },
  ]);
  await withFolder(async (folder) => {
    const path = `${folder}/big.lsm`;
    using file = await Deno.open(path, { write: true, create: true });
    file.writeSync(makeTiff(images.flat()));
    for (const [i, at] of places.entries()) { // the file has holes: it takes no place
      file.seekSync(at, Deno.SeekMode.Start);
      file.writeSync(Uint8Array.of(i + 1, i + 101, 1, 2, 3, 4));
    }
    const dataset = await open(path);
    assertEquals(dataset.shape, [5, 1, 2]);
    assertEquals(await samples(dataset), places.flatMap((_, i) => [i + 1, i + 101]));
    const thumbnail = await open(path, { array: "ifd7" });
    assertEquals(await samples(thumbnail), [1, 2, 3, 4]);
  });
});

Deno.test("levels of Philips end where the image ends, not where their tiles do", async () => {
  const tiled = (height: number, width: number): Making => ({ height, width, tile: [16, 16] });
  const spacing = (mm: number) =>
    `<Attribute Name="DICOM_PIXEL_SPACING" Group="0x28">&quot;${mm}&quot; &quot;${mm}&quot;</Attribute>`;
  const text = `<DataObject ObjectType="DPUfsImport">${
    [0.00025, 0.0005, 0.002].map(spacing).join("")
  }</DataObject>`;
  const software: Entry = [305, 2, "Philips DP v1.0"];
  const bytes = makeTiff([
    told(text, { ...tiled(80, 96), entries: [software] }),
    { ...tiled(48, 48), entries: [[254, 4, [1]]] },
    { ...tiled(16, 16), entries: [[254, 4, [1]]] },
  ]);
  const dataset = await open(bytes);
  assertEquals(dataset.levels.map(({ shape }) => shape), [[80, 96], [40, 48], [10, 12]]);
  assertEquals(dataset.axes[0], { name: "y", kind: "space", size: 80, scale: 0.25, unit: "µm" });
  const level = await open(bytes, { level: 1 });
  assertEquals(level.axes[0], { name: "y", kind: "space", size: 40, scale: 0.5, unit: "µm" });
  const { data } = await readBox(level, box([39, 0], [1, 48]));
  assertEquals([...data], Array.from({ length: 48 }, (_, i) => sampleAt(39 * 48 + i, tiled(48, 48))));
});

const OME = (sizeC: number, channels: string) =>
  `<OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06"><Image ID="Image:0"><Pixels DimensionOrder="XYCZT"
    Type="uint8" SizeX="4" SizeY="5" SizeZ="2" SizeC="${sizeC}" SizeT="1">${channels}<TiffData/></Pixels></Image></OME>`;

Deno.test("the pages of an OME-TIFF say how many samples a pixel has, whatever its channels say", async () => {
  const rgb: Making = { ...PLANE, samples: 3 };
  const three = new Array(3).fill('<Channel SamplesPerPixel="1"/>').join("");
  for (const channels of ["", three, '<Channel SamplesPerPixel="3"/>']) {
    const dataset = await open(makeTiff([told(OME(3, channels), rgb), rgb]));
    assertEquals([dataset.shape, dataset.warnings], [[2, 5, 4, 3], []]);
  }
  const single = [told(OME(3, '<Channel SamplesPerPixel="3"/>')), ...new Array<Making>(5).fill(PLANE)];
  const dataset = await open(makeTiff(single));
  assertEquals([dataset.shape, names(dataset)], [[2, 3, 5, 4], ["z", "channel", "y", "x"]]);
});

Deno.test("a predictor of samples that are not compressed, or with PackBits, is left out, and told", async () => {
  const entries: Making["entries"] = [[317, 3, [2]]];
  for (const compression of [1, 32773, 8]) {
    const isLeftOut = compression !== 8;
    const dataset = await open(makeTiff([{ ...PLANE, compression, entries }]));
    const plain = await samples(await open(makeTiff([{ ...PLANE, compression }])));
    assertEquals(dataset.warnings.join().includes("Predictor 2 is left out"), isLeftOut);
    assertEquals((await samples(dataset)).join() === plain.join(), isLeftOut);
  }
});

Deno.test("the side at which an image begins is told: rows that go upwards of the axis, others in a warning", async () => {
  for (let orientation = 1; orientation <= 8; orientation++) {
    const { axes, warnings } = await open(makeTiff([{ ...PLANE, entries: [[274, 3, [orientation]]] }]));
    assertEquals(axes.map(({ upwards }) => upwards === true), [orientation === 4, false]);
    assertEquals(warnings.join().includes(`(orientation ${orientation})`), ![1, 4].includes(orientation));
  }
});

Deno.test("planes of one series may be compressed in different ways, in strips and in tiles", async () => {
  const kinds: readonly Partial<Making>[] = [
    { compression: 8, predictor: 2 },
    { compression: 1 },
    { compression: 32773 },
    { compression: 8 },
    { compression: 8, predictor: 2, fillOrder: 2 },
    { compression: 1, fillOrder: 2 },
  ];
  for (const shape of [{ rowsPerStrip: 2 }, { tile: [4, 3] as const }]) {
    for (const isBigEndian of [false, true]) {
      const making: Making = { ...PLANE, bits: 16, ...shape, entries: [[42113, 2, "513"]] };
      const planes = kinds.map((kind, i): Making => ({
        ...making,
        ...kind,
        ...(i === 3 ? { sparse: [1] } : {}),
      }));
      const bytes = makeTiff([told(OME(3, ""), planes[0]), ...planes.slice(1)], { isBigEndian });
      const dataset = await open(bytes);
      assertEquals([dataset.array, dataset.shape], ["series0", [2, 3, 5, 4]]);
      const found = await samples(dataset);
      const plane = Array.from({ length: 20 }, (_, i) => sampleAt(i, making));
      for (const p of [0, 1, 2, 4, 5]) assertEquals(found.slice(20 * p, 20 * p + 20), plane);
      const part = found.slice(60, 80);
      assert(part.includes(513) && part.every((value, i) => value === plane[i] || value === 513));
    }
  }
});

Deno.test("planes of one series in files of both byte orders are one array", async () => {
  const inside = [0, 1].map((z) =>
    `<TiffData FirstZ="${z}" IFD="0" PlaneCount="1"><UUID FileName="${z}.ome.tif">urn:uuid:${z}</UUID></TiffData>`
  ).join("");
  const text = OME(1, "").replace("<TiffData/>", inside);
  for (const compression of [1, 8]) {
    const making: Making = { ...PLANE, bits: 16, compression };
    const set = [false, true].map((isBigEndian, z) =>
      new File([makeTiff([told(text, making)], { isBigEndian })], `${z}.ome.tif`)
    );
    const dataset = await open(set);
    const plane = Array.from({ length: 20 }, (_, i) => sampleAt(i, making));
    assertEquals([dataset.shape, await samples(dataset)], [[2, 5, 4], [...plane, ...plane]]);
  }
});

Deno.test("planes of one series that are cut in different ways are refused, and no single page is opened", async () => {
  const bytes = makeTiff([told(OME(1, "")), { ...PLANE, rowsPerStrip: 2, compression: 8 }]);
  const error = await assertRejects(() => open(bytes), TilewiseError);
  assertEquals(error.code, "unsupported");
  assertStringIncludes(error.message, "Cannot read the images of series0");
  assertEquals((await open(bytes, { array: "ifd1" })).shape, [5, 4]);
  const listed = await openAll(bytes);
  assertEquals(listed.map(({ array }) => array), ["ifd0", "ifd1"]);
  assert(listed.every(({ warnings }) => warnings.join().includes("Cannot read the images of series0")));
});

Deno.test("slides of Aperio have levels, the step of pixels, and the magnification; what cannot be is told", async () => {
  const tiled = (side: number, entries: readonly Entry[] = []): Making => ({
    height: side,
    width: side,
    samples: 3,
    tile: [16, 16],
    entries: [...entries],
  });
  const slide = (mpp: string) =>
    makeTiff([
      tiled(64, [[270, 2, `Aperio Image Library v11.2.1\r\n64x64|AppMag = 20|MPP = ${mpp}|Date = 12/29/09`]]),
      { height: 8, width: 8, samples: 3, rowsPerStrip: 8 }, // a thumbnail
      tiled(16),
    ]);
  const { shape, axes, levels, instrument, warnings } = await open(slide("0.4990"));
  assertEquals([shape, levels.map(({ shape }) => shape)], [[64, 64, 3], [[64, 64, 3], [16, 16, 3]]]);
  assertEquals(axes.slice(0, 2).map(({ name, scale, unit }) => [name, scale, unit]), [
    ["y", 0.499, "µm"],
    ["x", 0.499, "µm"],
  ]);
  assertEquals([instrument.magnification, warnings.filter((one) => one.includes("axis"))], [20, []]);
  const wrong = await open(slide("0"));
  assertEquals(wrong.axes[0]!.scale, undefined);
  assertStringIncludes(wrong.warnings.join(), "axis y has steps of 0 µm");
});

Deno.test("stacks of ImageJ are in the order that they tell, else channels, slices, frames", async () => {
  const stack = (order: string) =>
    open(makeTiff([
      told(`ImageJ=1.53\nimages=12\nchannels=2\nslices=3\nframes=2\nhyperstack=true\n${order}`),
      ...new Array<Making>(11).fill(PLANE),
    ]));
  const shapes = async (order: string) => {
    const dataset = await stack(order);
    return [dataset.navShape, names(dataset).slice(0, 3)];
  };
  assertEquals(await shapes(""), [[2, 3, 2], ["t", "z", "channel"]]);
  assertEquals(await shapes("order=zct\n"), [[2, 2, 3], ["t", "channel", "z"]]);
  assertEquals(await shapes("order=xyczt\n"), [[2, 3, 2], ["t", "z", "channel"]]);
  assertEquals(await shapes("order=tzc\n"), [[2, 3, 2], ["channel", "z", "t"]]);
  assertEquals(await shapes("order=zz\n"), [[2, 3, 2], ["t", "z", "channel"]]);
});

/** A test of each dialect that `docs/formats.md` lists, by its first column: what stands in the name of the test, and in which file. */
const TESTED: Readonly<Record<string, readonly [file: string, name: string]>> = {
  "OME-TIFF": ["series_test.ts", "the planes of an OME-TIFF are in the order of its dimensions"],
  ImageJ: ["dialects_test.ts", "stacks of ImageJ are in the order that they tell"],
  tifffile: ["dialects_test.ts", "arrays of tifffile have the dimensions"],
  "MetaMorph (STK)": ["dialects_test.ts", "all planes of a MetaMorph stack are read"],
  "Zeiss LSM": ["dialects_test.ts", "planes of an LSM file beyond 4 GiB"],
  "Aperio (SVS)": ["dialects_test.ts", "slides of Aperio have levels"],
  Philips: ["dialects_test.ts", "levels of Philips end where the image ends"],
  "GDAL, COG": ["nodata_test.ts", "that were never written have the value of GDAL's text"],
  GraphicsMagick: ["gdal_test.ts", "comes out as GDAL reads it"],
  "Hamamatsu (NDPI)": ["series_test.ts", "files of Hamamatsu scanners are refused by their name"],
  "planes in different compression": [
    "dialects_test.ts",
    "planes of one series may be compressed in different ways",
  ],
};

Deno.test("every dialect that the documentation lists has a test", async () => {
  const here = new URL(".", import.meta.url);
  const text = await Deno.readTextFile(new URL("../../../docs/formats.md", here));
  const [, table = ""] = /^\| dialect .*\n\|[ -|]*\n((?:\|.*\n)*)/m.exec(text) ?? [];
  const listed = table.trim().split("\n").map((line) => line.split("|")[1]!.trim());
  assertEquals(listed, Object.keys(TESTED));
  for (const [file, name] of Object.values(TESTED)) {
    assertStringIncludes(await Deno.readTextFile(new URL(file, here)), name);
  }
});

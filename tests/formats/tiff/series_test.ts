/**
 * Series and pyramids: planes of OME-TIFF in one file or many, stacks of ImageJ, levels in SubIFDs and chains, and the facts
 * that the descriptions tell.
 *
 * @module
 */

import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { TilewiseError } from "../../../src/errors.ts";
import { openAllStored as openAll, openStored as open } from "../../../src/formats/open.ts";
import { wholeBox } from "../../../src/space/box.ts";
import { type Entry, makeTiff, type Making, sampleAt } from "./make.ts";
import { cli, withFolder } from "../../cli/harness.ts";

const PLANE: Making = { height: 3, width: 4 };
const described = (text: string, making: Making = PLANE): Making => ({
  ...making,
  entries: [[270, 2, text], ...(making.entries ?? [])],
});

interface Ome {
  readonly sizes?: string;
  readonly pixels?: string;
  readonly inside: string;
  readonly uuid?: string;
  readonly before?: string;
  readonly image?: string;
}

function omeXml(
  { sizes = 'SizeC="1" SizeZ="1" SizeT="1"', pixels = "", inside, uuid = "", before = "", image = "" }: Ome,
) {
  const order = pixels.includes("DimensionOrder") ? "" : 'DimensionOrder="XYZCT"';
  return `<?xml version="1.0"?><!-- a comment with <tags> --><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06"
    UUID="${uuid}">${before}<Image ID="Image:0" Name="a &amp; b">${image}<Pixels ${order} Type="uint8"
    SizeX="4" SizeY="3" ${sizes} ${pixels}>${inside}</Pixels></Image></OME>`;
}

/** The first sample of each image, in order. */
async function firsts(dataset: StoredDataset): Promise<number[]> {
  const { data } = await readBox(dataset, wholeBox(dataset.shape));
  return Array.from({ length: dataset.frames }, (_, i) => Number(data[i * dataset.pixels]));
}

/** A chain of plain images whose first samples are 1, 2 and so on. */
function chain(count: number, text: string, container = {}, making: Making = PLANE): Uint8Array<ArrayBuffer> {
  const bytes = makeTiff(
    [described(text, making), ...Array.from({ length: count - 1 }, () => making)],
    container,
  );
  const view = new DataView(bytes.buffer);
  const little = bytes[0] === 0x49;
  let at = view.getUint32(4, little);
  for (let i = 0; i < count; i++) {
    const entries = view.getUint16(at, little);
    for (let e = 0; e < entries; e++) {
      const place = at + 2 + 12 * e;
      if (view.getUint16(place, little) === 273) bytes[view.getUint32(place + 8, little)] = i + 1;
    }
    at = view.getUint32(at + 2 + 12 * entries, little);
  }
  return bytes;
}

Deno.test("the planes of an OME-TIFF are in the order of its dimensions, whatever the order of the pages", async () => {
  const sizes = 'SizeC="2" SizeZ="3" SizeT="1"';
  const all = omeXml({ sizes, inside: '<TiffData IFD="0" PlaneCount="6"/>' });
  const straight = await open(chain(6, all));
  assertEquals([straight.array, straight.shape, straight.navShape], ["series0", [2, 3, 3, 4], [2, 3]]);
  assertEquals(straight.axes.map(({ name }) => name), ["channel", "z", "y", "x"]);
  assertEquals(await firsts(straight), [1, 2, 3, 4, 5, 6]);
  const byChannel = omeXml({ sizes, pixels: 'DimensionOrder="XYCZT"', inside: "<TiffData/>" });
  const other = await open(chain(6, byChannel, { isBigEndian: true }));
  assertEquals([other.navShape, await firsts(other)], [[3, 2], [1, 2, 3, 4, 5, 6]]);
  const single = [5, 3, 1, 0, 2, 4].map((ifd, i) =>
    `<TiffData IFD="${ifd}" FirstC="${i % 2}" FirstZ="${i >> 1}"/>`
  );
  const mixed = await open(chain(6, omeXml({ sizes, inside: single.join("") })));
  assertEquals(await firsts(mixed), [6, 2, 3, 4, 1, 5]);
});

const FILES = ["a.ome.tif", "b.ome.tif", "c.ome.tif"];
const TOLD = FILES.map((name, i) =>
  `<TiffData FirstT="${i}" IFD="0" PlaneCount="1"><UUID FileName="${name}">urn:uuid:${i}</UUID></TiffData>`
).join("");
const SET = (uuid: string) => omeXml({ sizes: 'SizeC="1" SizeZ="1" SizeT="3"', inside: TOLD, uuid });
const files = (texts: readonly string[], names: readonly string[] = FILES) =>
  names.map((name, i) => {
    const bytes = makeTiff([texts[i] === "" ? PLANE : described(texts[i]!)]);
    bytes[8] = i + 1;
    return new File([bytes], name);
  });

Deno.test("any file of an OME-TIFF set opens the set", async () => {
  const set = files(FILES.map((_, i) => SET(`urn:uuid:${i}`)));
  for (const order of [[0, 1, 2], [1, 0, 2], [2, 1, 0]]) {
    const found = await openAll(order.map((i) => set[i]!));
    assertEquals(found.map(({ array }) => array), ["series0"]);
    assertEquals([found[0]!.shape, await firsts(found[0]!)], [[3, 3, 4], [1, 2, 3]]);
  }
  const [page] = await openAll(set, { array: "ifd0" });
  assertEquals(page!.shape, [3, 4]);
});

Deno.test("a renamed file of a set is known by its UUID, and planes of missing files are invalid", async () => {
  const set = files(FILES.map((_, i) => SET(`urn:uuid:${i}`)), ["new name.tif", "b.ome.tif", "c.ome.tif"]);
  assertEquals(await firsts(await open(set)), [1, 2, 3]);
  const part = await open([set[0]!, set[2]!]);
  assertEquals([[...part.valid!], await firsts(part)], [[1, 0, 1], [1, 0, 3]]);
  assertStringIncludes(
    part.warnings.join(),
    "1 of the 3 planes of series0 are not there: 1 files are not beside it",
  );
  await withFolder(async (folder) => { // they are measured nowhere
    for (const file of [set[0]!, set[2]!]) await Deno.writeFile(`${folder}/${file.name}`, await file.bytes());
    const path = `${folder}/${set[0]!.name}`;
    const { min, count, blank } = (await cli(["stats", "--json", path])).json()[0]!;
    assertEquals([min, count, blank], [1, 24, 1]);
    const { json, err } = await cli(["pick", path, "--box", ":,0,0", "--json"]);
    assertEquals([json()[0]!.values, err.includes("some frames are blank")], [[[[1]], [[0]], [[3]]], true]);
  });
});

Deno.test("the description of a set may be in another file, which opens the set as well", async () => {
  const only = (name: string) =>
    `<OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06"><BinaryOnly MetadataFile="${name}" UUID="u"/></OME>`;
  const companion = new File([SET("urn:uuid:x")], "set.companion.ome");
  const binary = files(FILES.map(() => only("set.companion.ome")));
  assertEquals(await firsts(await open([...binary, companion])), [1, 2, 3]);
  const whole = await open([companion, ...binary]);
  assertEquals([whole.shape, await firsts(whole), whole.detection.format], [[3, 3, 4], [1, 2, 3], "tiff"]);
  const inTiff = files([SET("urn:uuid:0"), only("a.ome.tif"), only("a.ome.tif")]);
  assertEquals(await firsts(await open([inTiff[2]!, inTiff[0]!, inTiff[1]!])), [1, 2, 3]);
  const error = await assertRejects(() => open(new File([SET("x")], "set.companion.ome")), TilewiseError);
  assertStringIncludes(error.message, "a.ome.tif");
});

Deno.test("axes, channels, objective, exposure and positions of OME-XML come out in the common form", async () => {
  const text = omeXml({
    sizes: 'SizeC="2" SizeZ="1" SizeT="2"',
    pixels:
      'PhysicalSizeX="0.5" PhysicalSizeY="250" PhysicalSizeYUnit="nm" TimeIncrement="3" TimeIncrementUnit="ms"',
    before:
      '<Instrument ID="I"><Detector ID="D" Model="Camera 3"/><Objective ID="O" NominalMagnification="63"/></Instrument>',
    image: '<AcquisitionDate>2020-01-02T03:04:05</AcquisitionDate><ObjectiveSettings ID="O"/>',
    inside:
      '<Channel ID="C:0" Name="DAPI" EmissionWavelength="450"/><Channel ID="C:1" Name="GFP"/><TiffData/>' +
      '<Plane TheZ="0" TheC="1" TheT="0" ExposureTime="20" ExposureTimeUnit="ms" PositionX="7.5" PositionY="2"/>',
  });
  const { axes, instrument, metadata, detection } = await open(chain(4, text));
  assertEquals(axes, [
    { name: "t", kind: "time", size: 2, scale: 3, unit: "ms" },
    { name: "channel", kind: "channel", size: 2, names: ["DAPI", "GFP"] },
    { name: "y", kind: "space", size: 3, scale: 250, unit: "nm" },
    { name: "x", kind: "space", size: 4, scale: 0.5, unit: "µm" },
  ]);
  assertEquals(instrument, {
    magnification: 63,
    exposure: 0.02,
    acquired: "2020-01-02T03:04:05",
    detector: "Camera 3",
  });
  assertEquals(metadata.channels, [{ name: "DAPI", EmissionWavelength: "450" }, { name: "GFP" }]);
  assertEquals(metadata.positions, [{ z: 0, c: 1, t: 0, PositionX: "7.5", PositionY: "2" }]);
  assertEquals(metadata.name, "a & b");
  assert(detection.why.includes("its description is OME-XML"));
});

Deno.test("samples of a pixel are not planes of a channel", async () => {
  const inside = '<Channel ID="C" SamplesPerPixel="3"/><TiffData/>';
  const text = omeXml({ sizes: 'SizeC="3" SizeZ="2" SizeT="1"', inside });
  const { navShape, sigShape, axes } = await open(chain(2, text, {}, { ...PLANE, samples: 3 }));
  assertEquals([navShape, sigShape, axes.at(-1)!.name], [[2], [3, 4, 3], "sample"]);
});

Deno.test("an OME-TIFF of a single plane gives its facts to its image", async () => {
  const text = omeXml({ pixels: 'PhysicalSizeX="2"', inside: "<TiffData/>" });
  const found = await openAll(chain(1, text));
  assertEquals(found.map(({ array }) => array), ["ifd0"]);
  assertEquals(found[0]!.axes[1], { name: "x", kind: "space", size: 4, scale: 2, unit: "µm" });
  assertEquals(found[0]!.values.of?.map(({ kind }) => kind), ["time", "channel", "space"]);
});

const IMAGEJ =
  "ImageJ=1.53t\nimages=6\nchannels=2\nslices=3\nhyperstack=true\nunit=micron\nspacing=0.5\nfinterval=2\n";
const RESOLUTION: readonly Entry[] = [[282, 5, [4]], [283, 5, [2]]];

Deno.test("stacks of ImageJ have their dimensions, scales and units", async () => {
  const dataset = await open(chain(6, IMAGEJ, {}, { ...PLANE, entries: RESOLUTION }));
  assertEquals([dataset.array, dataset.shape], ["series0", [3, 2, 3, 4]]);
  assertEquals(dataset.axes, [
    { name: "z", kind: "space", size: 3, scale: 0.5, unit: "µm" },
    { name: "channel", kind: "channel", size: 2 },
    { name: "y", kind: "space", size: 3, scale: 0.5, unit: "µm" },
    { name: "x", kind: "space", size: 4, scale: 0.25, unit: "µm" },
  ]);
  assertEquals(await firsts(dataset), [1, 2, 3, 4, 5, 6]);
});

Deno.test("ImageJ's stacks of many images behind one directory are read", async () => {
  const making = described("ImageJ=1.53t\nimages=5\nslices=5\n", { ...PLANE, bits: 16 });
  const first = makeTiff([making]);
  const view = new DataView(first.buffer);
  const directory = view.getUint32(4, true);
  const bytes = new Uint8Array(first.length + 5 * 24);
  bytes.set(first);
  for (let e = 0; e < view.getUint16(directory, true); e++) {
    const place = directory + 2 + 12 * e;
    if (view.getUint16(place, true) === 273) {
      new DataView(bytes.buffer).setUint32(place + 8, first.length, true);
    }
  }
  for (let i = 0; i < 5; i++) bytes[first.length + 24 * i] = i + 1;
  const dataset = await open(bytes);
  assertEquals([dataset.shape, await firsts(dataset)], [[5, 3, 4], [1, 2, 3, 4, 5]]);
  const error = await assertRejects(() => openAll(bytes.slice(0, -1)), TilewiseError);
  assertEquals(error.code, "truncated");
});

Deno.test("equal pages open as a stack, and are listed one by one", async () => {
  const bytes = chain(3, "some text");
  const stack = await open(bytes);
  assertEquals([stack.array, stack.shape, await firsts(stack)], ["series0", [3, 3, 4], [1, 2, 3]]);
  const pages = await openAll(bytes);
  assertEquals(pages.map(({ array }) => array), ["ifd0", "ifd1", "ifd2"]);
  assertEquals(pages[0]!.metadata.stack, '"series0" has all 3 pages; it is opened where one array is wanted');
  assertEquals(stack.warnings, []);
  const other = makeTiff([PLANE, { ...PLANE, width: 9 }]);
  assertEquals((await open(other)).array, "ifd1");
});

const REDUCED: Entry = [254, 4, [1]];
const TILED = (height: number, width: number, entries: readonly Entry[] = []): Making => ({
  height,
  width,
  tile: [16, 16],
  entries,
});

Deno.test("reduced copies in SubIFDs and in the chain are levels, with a factor per axis", async () => {
  const below = makeTiff([{ ...TILED(50, 40), below: [TILED(25, 20, [REDUCED]), TILED(12, 10, [REDUCED])] }]);
  const behind = makeTiff([TILED(50, 40), TILED(25, 20, [REDUCED]), TILED(12, 10)], { isBig: true });
  for (const bytes of [below, behind]) {
    const dataset = await open(bytes);
    assertEquals([dataset.array, dataset.level, dataset.warnings], ["ifd0", 0, []]);
    assertEquals(dataset.levels, [
      { array: "ifd0", shape: [50, 40], scale: [1, 1] },
      { array: "ifd1", shape: [25, 20], scale: [2, 2] },
      { array: "ifd2", shape: [12, 10], scale: [50 / 12, 4] },
    ]);
    const last = await open(bytes, { level: 2 });
    assertEquals([last.array, last.level, last.shape, last.levels.length], ["ifd2", 2, [12, 10], 3]);
    await assertRejects(() => open(bytes, { level: 3 }), TilewiseError, "3 levels");
  }
});

Deno.test("labels, thumbnails and masks are not levels, and never the image", async () => {
  const slide = makeTiff([
    TILED(300, 200),
    { height: 30, width: 20, rowsPerStrip: 4 }, // a thumbnail, in strips
    TILED(75, 50),
    { height: 90, width: 20, entries: [REDUCED] }, // a label
    TILED(300, 200, [[254, 4, [4]]]), // a mask
  ]);
  const { levels } = await open(slide);
  assertEquals(levels.map(({ array }) => array), ["ifd0", "ifd2"]); // 4 times smaller
  const found = await openAll(slide);
  assertEquals(found.filter(({ auxiliary }) => auxiliary).map(({ array }) => array), [
    "ifd1",
    "ifd3",
    "ifd4",
  ]);
  assertEquals((await open(makeTiff([TILED(30, 20), TILED(300, 200, [[254, 4, [4]]])]))).array, "ifd0");
});

Deno.test("levels of several channels one after another belong to their channels", async () => {
  const strips = { height: 40, width: 30, samples: 3, rowsPerStrip: 8 };
  const channels = (height: number, width: number, entries: readonly Entry[] = []) => [
    TILED(height, width, entries),
    TILED(height, width, entries),
    TILED(height, width, entries),
  ];
  const bytes = makeTiff([
    ...channels(320, 240),
    strips,
    ...channels(160, 120, [REDUCED]),
    ...channels(80, 60),
  ]);
  const dataset = await open(bytes);
  assertEquals([dataset.array, dataset.shape], ["series0", [3, 320, 240]]);
  assertEquals(dataset.levels.map(({ shape }) => shape), [[3, 320, 240], [3, 160, 120], [3, 80, 60]]);
  const second = (await openAll(bytes)).find(({ array }) => array === "ifd1")!;
  assertEquals(second.levels.map(({ array }) => array), ["ifd1", "ifd5", "ifd8"]);
});

Deno.test("series of pyramids have levels of their own", async () => {
  const page = { ...TILED(32, 48), below: [TILED(16, 24, [REDUCED])] };
  const text = omeXml({
    sizes: 'SizeC="2" SizeZ="1" SizeT="1"',
    inside: "<TiffData/>",
    pixels: 'PhysicalSizeX="1"',
  }).replace('SizeX="4" SizeY="3"', 'SizeX="48" SizeY="32"');
  const bytes = makeTiff([described(text, page), page]);
  const dataset = await open(bytes, { level: 1 });
  assertEquals([dataset.array, dataset.shape], ["series0.level1", [2, 16, 24]]);
  assertEquals(dataset.axes[2], { name: "x", kind: "space", size: 24, scale: 2, unit: "µm" });
  const { data } = await readBox(dataset, wholeBox(dataset.shape));
  assertEquals(data[25], sampleAt(25, page.below[0]!));
});

Deno.test("files of Hamamatsu scanners are refused by their name", async () => {
  const error = await assertRejects(
    () => open(makeTiff([{ ...PLANE, entries: [[65420, 4, [1]]] }])),
    TilewiseError,
  );
  assertEquals(error.code, "unsupported");
  assertStringIncludes(error.message, "NDPI");
});

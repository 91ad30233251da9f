/** What attributes say of numbers, as the packages of `make_said.py` and `make_meant.py` in `tests/data/meaning` have written and read it. */

import { assert, assertAlmostEquals, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { fromFileUrl } from "@std/path";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import { Hdf5Header } from "../../../src/formats/hdf5/header.ts";
import { openSource } from "../../../src/io/open.ts";
import { wholeBox } from "../../../src/space/box.ts";
import { open, openAll } from "../../../src/formats/open.ts";

interface Expected {
  readonly axes: readonly (readonly [name: string, places: readonly number[] | null])[];
  readonly amounts?: readonly (number | null)[];
  readonly labels?: readonly string[];
  readonly nav?: number;
}

const FOLDER = new URL("../../data/meaning/", import.meta.url);
const pathOf = (name: string) => fromFileUrl(new URL(name, FOLDER));
type Files = Record<string, Record<string, Expected>>;
const filesIn = async (name: string) => JSON.parse(await Deno.readTextFile(new URL(name, FOLDER))) as Files;
const expected = { ...await filesIn("said.json"), ...await filesIn("meant.json") };

/** Places of samples along an axis. */
function placesOf({ axes }: StoredDataset, d: number): number[] {
  const { size, positions, scale = 1, offset = 0 } = axes[d]!;
  return positions ? [...positions] : Array.from({ length: size }, (_, n) => offset + n * scale);
}

/** Samples, and what the warning says to compute from them; `null` for missing ones. */
async function amountsOf(dataset: StoredDataset): Promise<(number | null)[]> {
  const { values, warnings } = dataset;
  const said = warnings.map((text) =>
    /amounts(?: in \S+)? are x(?: \* (\S+))?(?: ([+-]) (\S+))?$/.exec(text)
  );
  const [, factor = "1", sign = "+", sum = "0"] = said.find((one) => one) ?? [];
  const { data } = await readBox(dataset, wholeBox(dataset.shape));
  return Array.from(data as ArrayLike<number>, (x) => {
    const isMissing = Number.isNaN(x) || x === values.missing;
    return isMissing ? null : x * Number(factor) + Number(`${sign}${sum}`);
  });
}

for (const [file, arrays] of Object.entries(expected)) {
  for (const [array, { axes, amounts, labels, nav }] of Object.entries(arrays)) {
    Deno.test(`${file} ${array}: places and amounts are those of its package`, async () => {
      const dataset = await open(pathOf(file), { array }) as StoredDataset;
      assertEquals(dataset.axes.map(({ name }) => name), axes.map(([name]) => name));
      for (const [d, [name, places]] of axes.entries()) {
        if (!places) continue;
        const found = placesOf(dataset, d);
        assertEquals(found.length, places.length, name);
        found.forEach((place, n) => assertAlmostEquals(place, places[n]!, 1e-9, name));
      }
      if (amounts) assertEquals(await amountsOf(dataset), [...amounts]);
      if (nav !== undefined) assertEquals(dataset.navShape.length, nav);
      if (labels) assertEquals(dataset.axes[0]!.names, labels);
    });
  }
}

for (const [file, slash] of [["said_cf.nc", "/"], ["said_cf2.zarr.zip", ""], ["said_cf3.zarr.zip", ""]]) {
  Deno.test(`${file}: flags have no mean, bytes have their sign, and what is not kept is told`, async () => {
    const of = async (name: string) =>
      await open(pathOf(file!), { array: `${slash}${name}` }) as StoredDataset;
    const flags = await of("flags"), packed = await of("packed"), unsigned = await of("unsigned");
    assertEquals(flags.values, { kind: "label" });
    assertEquals([unsigned.dtype, unsigned.values], ["uint8", { kind: "amount", missing: 255 }]);
    assertEquals(packed.axes.map(({ kind, unit }) => [kind, unit]), [
      ["time", "hours since 2020-01-01 00:00:00"],
      ["space", "degrees_north"],
    ]);
    const told = (text: string, { warnings }: StoredDataset) => assert(warnings.join().includes(text), text);
    told("times in the calendar noleap", packed);
    told("in other arrays, which are not used: coordinates area", packed);
    told("valid samples are from 2 up to 9", await of("valid"));
  });
}

Deno.test("bounds of coordinates of CF are told by name", async () => {
  const folder = await Deno.makeTempDir();
  const array = { zarr_format: 2, shape: [2], chunks: [2], compressor: null, fill_value: 0, filters: null };
  for (const [name, said] of [["a", {}], ["x", { units: "m", bounds: "x_bnds" }]] as const) {
    await Deno.mkdir(`${folder}/${name}`);
    await Deno.writeTextFile(`${folder}/${name}/.zarray`, JSON.stringify({ ...array, dtype: "<f8" }));
    const attributes = JSON.stringify({ _ARRAY_DIMENSIONS: ["x"], ...said });
    await Deno.writeTextFile(`${folder}/${name}/.zattrs`, attributes);
    await Deno.writeFile(`${folder}/${name}/0`, new Uint8Array(Float64Array.of(5, 7).buffer));
  }
  await Deno.writeTextFile(`${folder}/.zgroup`, '{"zarr_format": 2}');
  try {
    const { axes, warnings } = await open(folder, { array: "a" });
    assertEquals([axes[0]!.offset, axes[0]!.scale], [5, 2]);
    assertMatch(warnings.join(), /axis x has bounds of its samples \(x_bnds\), which are not used/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("what several numbers stand for that are missing is told: samples know one of them", async () => {
  const folder = await Deno.makeTempDir();
  const array = {
    zarr_format: 2,
    shape: [2],
    chunks: [2],
    dtype: "<i2",
    compressor: null,
    fill_value: 0,
    order: "C",
  };
  await Deno.writeTextFile(`${folder}/.zarray`, JSON.stringify({ ...array, filters: null }));
  await Deno.writeTextFile(
    `${folder}/.zattrs`,
    JSON.stringify({ _FillValue: -9, missing_value: [-9, -8, -7] }),
  );
  try {
    const { values, warnings } = await open(folder) as StoredDataset;
    assertEquals(values, { kind: "amount", missing: -9 });
    assertEquals(warnings, ["Samples of -8, -7 are missing as well: they count as numbers"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("NeXus before 2014: the signal is the array of its group, whatever is larger", async () => {
  const arrays = await openAll(pathOf("said_nexus.nxs"));
  const main = arrays.filter(({ auxiliary }) => !auxiliary).map(({ array }) => array);
  assertEquals(main.filter((name) => name!.startsWith("/entry/oldest")), ["/entry/oldest/counts"]);
});

Deno.test("a detector of NeXus: units in words, and limits and places are told", async () => {
  const { instrument, warnings } = await open(pathOf("said_nexus.nxs"), { array: "/entry/data/data" });
  assertEquals(instrument, { pixelSize: [75e-6, 75e-6], exposure: 0.02 }, "a furlong is not guessed");
  assert(warnings.includes("Samples beyond saturation_value 20 of the detector count as numbers"));
  assert(warnings.some((text) => text.includes("depends_on /entry/instrument/detector/stage")));
});

Deno.test("OME-XML: planes at other times than their steps, and axes that count two things, are told", async () => {
  const of = async (name: string) => await open(pathOf(`said_${name}.ome.tif`), { array: "series0" });
  const { warnings } = await of("other"), { metadata, axes } = await of("down");
  assertEquals(warnings.map((text) => text.replace(/^.* says/, "")), [
    " that axis t has steps of 1 s, but planes at other times (DeltaT), which are not used",
  ]);
  assertEquals((await of("times")).warnings, [
    "Axis T also counts lifetime (ModuloAlongT: Unit ps, Start 0, Step 50, End 200), which is not split from it",
  ]);
  assertEquals([axes[0]!.unit, metadata["significantBits"]], ["µm", "12"]);
});

Deno.test("NeXus: the array that the file says is meant is opened, and what scales cannot say is told", async () => {
  const { array, warnings: [, took] } = await open(pathOf("meant_nexus.nxs"));
  assert(took!.startsWith("Took what the file says is shown first"), took);
  assertEquals(array, "/second/small/counts", "the others are larger");
  const { warnings } = await open(pathOf("meant_nexus.nxs"), { array: "/second/large/counts" });
  assertEquals(warnings, [
    "Samples are as stored; the file says that amounts are scaled by 0.5,2,1,1, which is not one number",
  ]);
});

Deno.test("TIFF: each axis has its own unit, and so have the samples", async () => {
  const unitsOf = async (name: string) => {
    const { axes, values } = await open(pathOf(name)) as StoredDataset;
    return [...axes.map(({ unit }) => unit), values.unit];
  };
  assertEquals(await unitsOf("meant_imagej.tif"), ["nm", "µm", "µm", undefined]);
  assertEquals(await unitsOf("meant_hyperspy.tif"), ["eV", undefined, "nm", "e-"]);
  assertEquals((await open(pathOf("meant_imagej.tif"))).warnings, [
    "Places of rows are counted downwards; the file counts them upwards (inverty of ImageJ)",
  ]);
  assertEquals((await open(pathOf("meant_bands.tif"))).warnings, [
    "Samples are as stored; the file says that amounts are scaled by 0.5,2, which is not one number",
  ]);
});

Deno.test("HyperSpy: units as TeX has them are those of a pattern", async () => {
  const { axes } = await open(pathOf("meant_tex.hspy"));
  assertEquals(axes.map(({ unit, kind }) => [unit, kind]), [["1/A", "detector"], ["1/A", "detector"]]);
});

Deno.test("NeXus: a detector is known by its class, with its mask and limits, also in chunks", async () => {
  assertEquals((await open(pathOf("meant_detector.nxs"))).array, "/entry/data/data", "in the default group");
  const { instrument, warnings } = await open(pathOf("meant_detector.nxs"), { array: "/entry/data/data" });
  assertEquals([instrument.pixelSize, instrument.detector], [[75e-6, 75e-6], "Eiger"]);
  await using source = await openSource(pathOf("meant_detector.nxs"));
  const header = await Hdf5Header.open(source);
  assertEquals(await header.value("/entry/instrument/ELE_D0/description"), ["Eiger"]);
  assert(
    warnings[0]!.startsWith("The mask of bad pixels, array /entry/instrument/ELE_D0/pixel_mask,"),
    warnings[0],
  );
  assertEquals(warnings.slice(1), ["Samples beyond saturation_value 1000 of the detector count as numbers"]);
});

Deno.test("CF: truth values of xarray are a mask, in NetCDF as in Zarr", async () => {
  for (const [name, array] of [["meant_tree.nc", "/mask"], ["meant_tree.zarr.zip", "mask"]] as const) {
    assertEquals((await open(pathOf(name), { array })).values.kind, "mask");
  }
});

Deno.test("CF: what other arrays say of the samples is told", async () => {
  for (const name of ["meant_cf.nc", "meant_cf.zarr.zip"]) {
    const { warnings, axes } = await open(pathOf(name));
    assertEquals(warnings, [
      "The file says more of the samples in other arrays, which are not used: ancillary_variables quality; grid_mapping map",
    ]);
    assertEquals(axes.map(({ unit }) => unit), ["m", "nm"]);
  }
});

const SPACE = ["y", "x"].map((name) => ({ name, type: "space", unit: "micrometer" }));

/** The axes and warnings of an OME-Zarr of 2 × 2 samples. */
async function openedImage(scales: object): Promise<[string[], readonly string[]]> {
  const folder = await Deno.makeTempDir();
  const array = {
    zarr_format: 2,
    shape: [2, 2],
    chunks: [2, 2],
    dtype: "<i2",
    compressor: null,
    fill_value: 0,
  };
  try {
    await Deno.mkdir(`${folder}/0`);
    await Deno.writeTextFile(`${folder}/.zgroup`, '{ "zarr_format": 2 }');
    await Deno.writeTextFile(`${folder}/.zattrs`, JSON.stringify({ multiscales: [scales] }));
    await Deno.writeTextFile(`${folder}/0/.zarray`, JSON.stringify({ ...array, order: "C", filters: null }));
    const { axes, warnings } = await open(folder);
    return [axes.map(({ scale, unit }) => `${scale} ${unit}`), warnings];
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("OME-Zarr: a unit without a step is the step; what is no scale and no translation is told", async () => {
  const opened = async (coordinateTransformations: object[]) =>
    await openedImage({ version: "0.4", axes: SPACE, datasets: [{ path: "0", coordinateTransformations }] });
  assertEquals(await opened([{ type: "identity" }]), [["1 µm", "1 µm"], []]);
  assertEquals(await opened([{ type: "affine", affine: [[0, 1, 0], [1, 0, 0]] }]), [
    ["undefined undefined", "undefined undefined"],
    ["affine of 0 is not used: only scales and translations are read"],
  ]);
});

Deno.test("OME-Zarr 0.6: axes are those of the system that levels lead to, and other systems are told", async () => {
  const atlas = { name: "atlas", axes: SPACE.map((axis) => ({ ...axis, unit: "meter" })) };
  const coordinateSystems = [atlas, { name: "own", axes: SPACE }];
  const opened = async (output: unknown, more: object = {}) => {
    const step = { type: "scale", scale: [2, 0.5], input: { path: "0" }, output };
    const datasets = [{ path: "0", coordinateTransformations: [step] }];
    return await openedImage({ coordinateSystems, datasets, ...more });
  };
  const step = { type: "affine", affine: [], input: { name: "own" }, output: { name: "atlas" } };
  const turned = { coordinateTransformations: [step] };
  assertEquals(await opened({ name: "own" }), [["2 µm", "0.5 µm"], []]);
  assertEquals(await opened("own", turned), [["2 µm", "0.5 µm"], [
    "Places in other coordinate systems are not computed: own to atlas",
  ]]);
  assertEquals(await opened({ name: "lost" }), [["undefined undefined", "undefined undefined"], [
    "The coordinate system to which its levels lead is not there",
  ]]);
});

Deno.test("OME-Zarr: a field of a plate knows its acquisition, by its name or its number", async () => {
  const wells = (await openAll(pathOf("meant_plate.ome.zarr.zip"))).filter(({ array }) =>
    array!.endsWith("s0")
  );
  assertEquals(wells.map(({ metadata }) => metadata["well"]), [
    { row: "A", column: "1", field: "0", plate: "trial", acquisition: "first" },
    { row: "A", column: "1", field: "1", plate: "trial", acquisition: 8 },
  ]);
});

Deno.test("FITS: images that are compressed are named, with what unpacks them", async () => {
  const error = await assertRejects(() => open(pathOf("said_packed.fits")));
  const text =
    "there is no image in it, only 1: a compressed image; compressed images are not read: funpack, of CFITSIO";
  assert((error as Error).message.includes(text));
});

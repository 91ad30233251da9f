/**
 * Axes that contradict the shape or themselves, in every format that says axes: samples are read, what cannot be is left out,
 * and a warning names the array, what was said, and what was found. A new format needs a line here.
 *
 * @module
 */

import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import { axesThatFit } from "../../../src/dataset/said_axes.ts";
import { TilewiseError } from "../../../src/errors.ts";
import { type OpenInput, type OpenOptions, openStored as open } from "../../../src/formats/open.ts";
import { FORMATS } from "../../../src/formats/registry.ts";
import { box } from "../../../src/space/box.ts";
import { dmBytes } from "../dm/dm_file.ts";
import { ascii, join } from "../bytes.ts";
import { makeTiff } from "../tiff/make.ts";
import { smallStore } from "../zarr/stores.ts";
import { type Entries, json, listed } from "../zarr/writer.ts";
import { FOLDER } from "./samples.ts";

/** What can be wrong. */
type Fault = "zero" | "nan" | "negative" | "unit" | "count" | "size" | "names";

/** What a warning says of it; `undefined`: nothing, as it is kept. */
const TOLD: Readonly<Record<Fault, RegExp | undefined>> = {
  zero: /axis \S+ has (steps of 0|4 samples at one position)/,
  nan: /axis \S+ has (steps of NaN|positions that are not numbers)/,
  negative: /axis \S+ has steps of -0\.5/,
  unit: undefined,
  count: /says 3 axes, the array of \S+ × \S+ has 2 dimensions: they are not used|has not 2 numbers/,
  size: /axis \S+ has \d+ (samples, the array has|positions for|names for)/,
  names: /several samples called "DAPI": choose one of them by its number, 0, 1/,
};

/** A text that is not a unit. */
const NO_UNIT = "furlongs per (fortnight";

/** A file with a fault, or why its files cannot have it. */
interface Bad {
  readonly source?: OpenInput;
  readonly options?: OpenOptions;
  /** Steps below 0 are those of axes that run downwards, and kept. */
  readonly isKept?: boolean;
}
type Row = Readonly<Record<Fault, Bad | string>>;

const STEPS: Readonly<Record<string, number>> = { zero: 0, nan: NaN, negative: -0.5, unit: 0.5 };
const COUNTED = "an axis is said for every dimension",
  SIZED = "sizes are said once",
  PLAIN = "samples have no names";
const FIXED = "the unit is that of the format";

/** A row of files made by step and unit, and what else such files can say. */
function row(
  make: (step: number, unit: string) => Bad | string,
  others: Partial<Row> & { readonly unit?: Bad | string },
): Row {
  const steps = Object.fromEntries(
    Object.entries(STEPS).map(([fault, step]) => [fault, make(step, fault === "unit" ? NO_UNIT : "nm")]),
  ) as unknown as Row;
  return { ...steps, count: COUNTED, size: SIZED, names: PLAIN, ...others };
}

/** Arrays of `tests/data/axes/bad.h5`, which h5py has written, by names such as `/emd/zero/data`. */
function inHdf5(nameOf: (fault: string) => string, others: readonly Fault[], isKept: boolean): Row {
  const source = new URL("../../data/axes/bad.h5", import.meta.url);
  const of = (fault: Fault): Bad => ({ source, options: { array: nameOf(fault) }, isKept });
  return {
    zero: of("zero"),
    nan: of("nan"),
    negative: of("negative"),
    unit: of("unit"),
    count: others.includes("count") ? of("count") : COUNTED,
    size: others.includes("size") ? of("size") : SIZED,
    names: PLAIN,
  };
}

/** A file of the samples, with a number in other places; nothing where the samples are not at hand. */
function patched(file: string, places: readonly number[], value: number, options: OpenOptions = {}): Bad {
  try {
    const bytes = Deno.readFileSync(new URL(file, FOLDER));
    const view = new DataView(bytes.buffer);
    for (const at of places) view.setFloat64(at, value, true);
    return { source: bytes, options };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return {};
    throw error;
  }
}

function mrc(step: number): Bad {
  const view = new DataView(new ArrayBuffer(1024 + 12));
  [4, 3, 1, 0].forEach((n, i) => view.setInt32(4 * i, n, true));
  [4, 3, 1].forEach((n, i) => view.setInt32(28 + 4 * i, n, true));
  [40 * step, 15, 10].forEach((cell, i) => view.setFloat32(40 + 4 * i, cell, true));
  [1, 2, 3].forEach((n, i) => view.setInt32(64 + 4 * i, n, true));
  const bytes = new Uint8Array(view.buffer);
  bytes.set(ascii("MAP "), 208);
  bytes.set([0x44, 0x44], 212);
  return { source: bytes };
}

function fits(step: number, unit: string): Bad {
  const card = (key: string, value: string | number) => `${key.padEnd(8)}= ${value}`.padEnd(80);
  const cards = [
    card("SIMPLE", "T"),
    card("BITPIX", 8),
    card("NAXIS", 2),
    card("NAXIS1", 4),
    card("NAXIS2", 3),
    card("CDELT1", step),
    card("CUNIT1", `'${unit}'`),
    "END".padEnd(80),
  ];
  return { source: join(ascii(cards.join("").padEnd(2880)), new Uint8Array(2880)), isKept: true };
}

function ome(pixels: string, inside = ""): Bad {
  const xml =
    `<?xml version="1.0"?><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06"><Image ID="a">
    <Pixels DimensionOrder="XYZCT" Type="uint8" SizeY="3" SizeZ="1" SizeT="1" ${pixels}>${inside}<TiffData/></Pixels></Image></OME>`;
  const page = { height: 3, width: 4 };
  const isStack = pixels.includes('SizeC="2"');
  return { source: makeTiff([{ ...page, entries: [[270, 2, xml]] }, ...(isStack ? [page] : [])]) };
}

function empad(field: string): Bad {
  const xml = `<?xml version="1.0"?><root name="a"><type>scan</type><pix_x>3</pix_x><pix_y>2</pix_y>
    <raw_file filename="scan_x3_y2.raw"/>
    <full_scan_field_of_view><x>${field}</x><y>${field}</y><scale_factor>1</scale_factor></full_scan_field_of_view></root>`;
  return {
    source: [new File([xml], "scan.xml"), new File([new Uint8Array(6 * 130 * 128 * 4)], "scan_x3_y2.raw")],
  };
}

function ripple(step: string, unit: string): Bad {
  const fields = {
    "key": "value",
    "width": "4",
    "height": "3",
    "depth": "1",
    "offset": "0",
    "data-length": "1",
    "data-type": "unsigned",
    "byte-order": "dont-care",
    "record-by": "image",
    "width-scale": step,
    "width-units": unit,
  };
  const text = Object.entries(fields).map(([key, value]) => `${key}\t${value}`).join("\n");
  return {
    source: [new File([`${text}\n`], "map.rpl"), new File([new Uint8Array(12)], "map.raw")],
    isKept: true,
  };
}

/** The store of bytes of 6 × 8, below `array`, with attributes of the group. */
function zarr(attributes: unknown, own: Partial<Parameters<typeof smallStore>[0]> = {}): Bad {
  const entries: Entries = smallStore({ path: "data", ...own });
  entries.set("zarr.json", json({ zarr_format: 3, node_type: "group", attributes }));
  return { source: listed(entries) };
}

const NAMED = ["y", "x", "z"];
function omeZarr(
  step: number,
  unit: string,
  count: number = 2,
  steps: number = count,
): Bad {
  const axes = NAMED.slice(0, count).map((name) => ({ name, type: "space", unit }));
  const scale = Array.from({ length: steps }, (_, d) => d === 1 ? step : 0.5);
  const datasets = [{ path: "data", coordinateTransformations: [{ type: "scale", scale }] }];
  return zarr({ ome: { version: "0.5", multiscales: [{ axes, datasets }] } });
}

/** A document as Python writes it, with NaN. */
function pythonJson(value: unknown): Uint8Array<ArrayBuffer> {
  const text = JSON.stringify(value, (_, one) => Number.isNaN(one) ? "NaN" : one);
  return new TextEncoder().encode(text.replaceAll('"NaN"', "NaN"));
}

function hyperspyZarr(step: number, unit: string, count: number = 2, size?: number): Bad {
  const entries: Entries = smallStore({ path: "data", version: 2 });
  entries.set(".zgroup", json({ zarr_format: 2 }));
  for (let d = 0; d < count; d++) {
    const own = { scale: d === 1 ? step : 0.5, units: unit, size: d === 1 ? size ?? 8 : 6 };
    const told = { name: NAMED[d], offset: 0, navigate: false, ...own };
    entries.set(`axis-${d}/.zgroup`, json({ zarr_format: 2 }));
    entries.set(`axis-${d}/.zattrs`, pythonJson(told));
  }
  return { source: listed(entries), isKept: true };
}

const SPECTRA = "ser/16x16-spectrum_image-5x5x1024_1.ser";

/** Files with faults, by format and convention; a text: why the files of a format say no axes. */
const BAD: Readonly<Record<string, string | Readonly<Record<string, Row>>>> = {
  npy: "shape and type only",
  mib: "no steps",
  hdf5: {
    HyperSpy: inHdf5((fault) => `/hyperspy/${fault}/data`, ["count", "size"], true),
    NeXus: inHdf5((fault) => `/nexus/${fault}/counts`, ["count", "size"], true),
    EMD: inHdf5((fault) => `/emd/${fault}/data`, ["count", "size"], true),
    "Nion Swift": inHdf5((fault) => `/nion/${fault}/data`, ["count"], true),
    DM5: inHdf5(
      (fault) => `/ImageList/[${["zero", "nan", "negative", "unit", "count"].indexOf(fault)}]/ImageData/Data`,
      ["count"],
      true,
    ),
    Velox: inHdf5((fault) => `/Data/Image/${fault}/Data`, [], false),
    py4DSTEM: inHdf5((fault) => `/py4dstem_${fault}/datacube/data`, [], false),
  },
  k2is: "no steps",
  dm: {
    DM4: row(
      (step, unit) => ({
        source: dmBytes({ dimensions: [4, 3], data: new Uint16Array(12), axes: [[step, unit], [0.5, "nm"]] }),
        isKept: true,
      }),
      {
        count: {
          source: dmBytes({
            dimensions: [4, 3],
            data: new Uint16Array(12),
            axes: [[1, "nm"], [1, "nm"], [1, "nm"]],
          }),
        },
      },
    ),
  },
  ser: { // the steps of the columns of the scan
    TIA: row((step) => ({ ...patched(SPECTRA, [42], step), isKept: true }), {
      unit: "texts have other lengths",
    }),
  },
  blo: {
    ASTAR: row((step) => patched("blo/test1.blo", [30], step, { array: "patterns" }), { unit: FIXED }),
  },
  mrc: {
    MRC2014: row((step) => step === 0 ? "0 says that there is no calibration" : mrc(step), { unit: FIXED }),
  },
  tiff: {
    OME: row(
      (step, unit) =>
        ome(`SizeX="4" SizeC="1" PhysicalSizeX="${step}" PhysicalSizeY="0.5" PhysicalSizeXUnit="${unit}"`),
      {
        size: ome('SizeX="5" SizeC="1"'),
        names: ome('SizeX="4" SizeC="2"', '<Channel ID="a" Name="DAPI"/><Channel ID="b" Name="DAPI"/>'),
      },
    ),
  },
  tvips: "no steps",
  fits: {
    WCS: row((step, unit) => Number.isNaN(step) ? "NaN is not a number of FITS" : fits(step, unit), {}),
  },
  seq: "no steps",
  frms6: "no steps",
  empad: {
    XML: row((step) => empad(Number.isNaN(step) ? "unknown" : String(3 * step)), {
      unit: FIXED,
      nan: "texts that are not numbers say nothing",
      negative: empad("-1.5e-9"),
    }),
  },
  ripple: { HyperSpy: row((step, unit) => ripple(String(step), unit), { nan: ripple("fine", "nm") }) },
  raw_csr: "shape and type only",
  zarr: {
    "OME-Zarr": row((step, unit) => omeZarr(step, unit), {
      count: omeZarr(0.5, "nanometer", 3),
      size: omeZarr(0.5, "nanometer", 2, 3), // a list of other length
      nan: "OME-Zarr has numbers",
      names: zarr({
        ome: {
          version: "0.5",
          multiscales: [{
            axes: [{ name: "c", type: "channel" }, { name: "x", type: "space" }],
            datasets: [{ path: "data" }],
          }],
          omero: { channels: [..."abcd", "DAPI", "DAPI"].toReversed().map((label) => ({ label })) },
        },
      }),
    }),
    HyperSpy: row((step, unit) => hyperspyZarr(step, unit), {
      count: hyperspyZarr(0.5, "nm", 3),
      size: hyperspyZarr(0.5, "nm", 2, 9),
    }),
    names: row(() => "names only", {
      count: {
        source: (() => {
          const entries = smallStore();
          const document = JSON.parse(new TextDecoder().decode(entries.get("zarr.json")!));
          entries.set("zarr.json", json({ ...document, dimension_names: NAMED }));
          return listed(entries);
        })(),
      },
    }),
    Tilewise: row(() => "as NDArray", {
      count: zarr({}, { attributes: { tilewise: { axes: NAMED.map((name) => ({ name })) } } }),
      size: zarr({}, {
        attributes: { tilewise: { axes: [{ name: "c", names: ["DAPI"] }, { name: "x", scale: 1 }] } },
      }),
    }),
  },
  casacore: "columns have no axes",
  raw: "what the caller says",
};

Deno.test("every format has files with bad axes, or says why not", () => {
  assertEquals(Object.keys(BAD), FORMATS.map(({ id }) => id));
});

for (const [format, rows] of Object.entries(BAD)) {
  for (const [convention, faults] of typeof rows === "string" ? [] : Object.entries(rows)) {
    Deno.test(`${format} of ${convention}: axes that cannot be are told, and the others stay`, async () => {
      for (const [fault, bad] of Object.entries(faults) as [Fault, Bad | string][]) {
        if (typeof bad === "string" || bad.source === undefined) continue;
        await check(fault, bad, `${format} ${convention} ${fault}`);
      }
    });
  }
}

async function check(fault: Fault, { source, options, isKept }: Bad, what: string): Promise<void> {
  const dataset = await open(source!, options);
  const { shape, axes } = dataset;
  await readBox(dataset, box(shape.map(() => 0), shape.map(() => 1)));
  assertEquals(axes.map(({ size }) => size), [...shape], what);
  const warnings = dataset.warnings.filter((one) => /axis|axes|has not/.test(one));
  const told = fault === "negative" && isKept ? undefined : TOLD[fault];
  if (!told) {
    assertEquals(warnings, [], what);
    const isThere = axes.some(({ scale, unit }) => fault === "unit" ? unit === NO_UNIT : scale! < 0);
    assert(isThere, `${what} is kept: ${JSON.stringify(axes)}`);
    return;
  }
  if (what === "zarr OME-Zarr size") return assertMatch(warnings.join("\n"), TOLD.count!);
  assertMatch(warnings.join("\n"), told, what);
  for (const { scale = 1, offset = 0, positions } of axes) {
    assert(
      Number.isFinite(scale) && scale !== 0 && Number.isFinite(offset),
      `${what}: ${JSON.stringify(axes)}`,
    );
    assert(positions === undefined || positions.every(Number.isFinite), what);
  }
}

Deno.test("counts of ImageJ and tifffile that the pages do not have are told, and the pages are shown", async () => {
  const stack = (text: string) =>
    makeTiff([{ height: 3, width: 4, entries: [[270, 2, text]] }, { height: 3, width: 4 }]);
  const fewer = await open(stack("ImageJ=1.53\nimages=5\nslices=5\n"));
  assertEquals(fewer.shape, [2, 3, 4]);
  assertMatch(fewer.warnings.join(), /tells 5 images of ImageJ, it has 2 pages/);
  const other = await open(stack("ImageJ=1.53\nimages=2\nchannels=3\n"));
  assertEquals(other.shape, [2, 3, 4]);
  assertMatch(other.warnings.join(), /tells 3 channels, and has 2 images: they are shown as slices/);
  const shaped = await open(stack('{"shape": [5, 3, 4], "axes": "ZYX"}'));
  assertEquals(shaped.shape, [2, 3, 4]);
  assertMatch(shaped.warnings.join(), /tells an array of 5 × 3 × 4, it has pages of 3 × 4, 2 of them/);
});

Deno.test("edges of samples, as histograms of NeXus have them, stand for their middles", async () => {
  const source = new URL("../../data/axes/bad.h5", import.meta.url);
  const { axes, warnings } = await open(source, { array: "/nexus/edges/counts" });
  assertEquals(axes[1], { name: "x", kind: "space", size: 4, scale: 0.5, offset: 0.25, unit: "nm" });
  assertEquals(warnings, []);
});

Deno.test("axes and samples of one name are not chosen by it", async () => {
  const data = new Uint8Array(12);
  const twice = { data, shape: [3, 4], axes: [{ name: "x" }, { name: "x" }] };
  await assertRejects(() => open(twice, { select: { x: 0 } }), TilewiseError, "several axes are called x");
  await assertRejects(() => open(twice, { navAxes: ["x"] }), TilewiseError, 'several axes are called "x"');
  const channels = { data, shape: [3, 4], axes: [{ name: "c", names: ["DAPI", "GFP", "DAPI"] }, {}] };
  assertMatch((await open(channels)).warnings.join(), /several samples called "DAPI"/);
  await assertRejects(() => open(channels, { select: { c: "DAPI" } }), TilewiseError, "several samples of c");
  assertEquals((await open(channels, { select: { c: 2 } })).shape, [4]);
});

Deno.test("what an axis says stays where only a part of it cannot be", () => {
  const axis = { name: "x", kind: "space", unit: "nm", scale: 0.5, offset: NaN } as const;
  assertEquals(axesThatFit("a", [3], [axis]), {
    axes: [{ name: "x", kind: "space", unit: "nm", scale: 0.5 }],
    warnings: ["a says that axis x has its first sample at NaN nm, which is not a place: it is not used"],
  });
  const { axes } = axesThatFit("a", [2], [{ name: "c", names: ["a"], positions: [1, 2, 3] }]);
  assertEquals(axes, [{ name: "c" }]);
});

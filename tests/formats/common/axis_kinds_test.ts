/**
 * What every format says of its axes: kinds, names, and which of them make a frame. The right values are those of RosettaSciIO,
 * HyperSpy, mrcfile and h5py for these files. A new format needs a line here.
 *
 * @module
 */

import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { unzipSync } from "fflate";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { TilewiseError } from "../../../src/errors.ts";
import { axesOver } from "../../../src/formats/common/kinds.ts";
import { kindOfUnit, kindsBySignal } from "../../../src/space/meaning/said_kinds.ts";
import { frameOf } from "../../../src/space/meaning/kinds.ts";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import { type OpenOptions, openStored as open } from "../../../src/formats/open.ts";
import { FORMATS } from "../../../src/formats/registry.ts";
import { box, wholeBox } from "../../../src/space/box.ts";
import type { AxisFacts, AxisKind } from "../../../src/space/axes.ts";
import { AXIS_KINDS } from "../../../src/space/meaning/kinds.ts";
import { cli, withFolder } from "../../cli/harness.ts";
import { ENTRIES, FOLDER } from "../conformance/samples.ts";
import { reportTest } from "../conformance/reports.ts";

/** Axes as text, the scan before the bar: `scan y, scan x | energy Energy`; `?` for a kind that is not known. */
function axesText({ axes, navShape }: StoredDataset): string {
  const text = axes.map(({ kind, name }) => `${kind ?? "?"} ${name}`);
  return `${text.slice(0, navShape.length).join(", ")} | ${text.slice(navShape.length).join(", ")}`;
}

const SCAN = "scan y, scan x | detector ky, detector kx";
const RAW: OpenOptions = { dtype: "float32", nav: [3, 5], sig: [96, 112] };
/** A file of each format, or `""` where another test has one, and what its axes are. */
const SAID: Readonly<Record<string, readonly [file: string, said: string, options?: OpenOptions][]>> = {
  npy: [["npy/w_4d_big_endian_i2.npy", "? y, ? x | ? ky, ? kx"]],
  mib: [["mib/001_4x2_6bit.mib", SCAN], [
    "mib/Single_9_Frame_CounterDepth_6_Rows_256.mib",
    "scan x | detector ky, detector kx",
  ]],
  hdf5: [
    ["hspy/example2_v3.1.hspy", " | detector y, detector x"],
    ["hspy/example1_v1.0.hdf5", " | energy Energy"],
    ["hspy/test_rgba16.hdf5", "? stack_element | space y, space x, colour sample"],
    ["emd/Si100_4D.emd", "scan R_x, scan R_y | detector Q_x, detector Q_y"],
    ["emd/py4DSTEM_size2x3x4x5.h5", "scan Rx, scan Ry | detector Qx, detector Qy"],
    ["emd/de_like_4dstem.de5", SCAN],
    ["emd/fei_example_tem_stack.emd", "series image | space y, space x"],
    ["nexus/AgBehenate_228.hdf5", " | detector ky, detector kx"],
    ["nexus/simple3D.h5", "? x | ? ky, ? kx"],
  ],
  k2is: [["k2is/stem_1x2_/stem_1x2_.gtg", SCAN]],
  dm: [
    ["dm/2D_test_STEM_image.dm3", " | space y, space x"],
    ["dm/2D_test-8.dm3", " | space y, space x, colour sample"],
    ["dm/3D_EELS_SI.dm4", "scan y, scan x | energy energy"],
    ["dm/4d_stem_uint16_c_order.dm4", SCAN],
    ["dm/test_stackbuilder_imagestack.dm3", "series image | space y, space x"],
    ["dm/dmTest_3D_int16_64_65_66.dm3", "space z | space y, space x"],
  ],
  ser: [
    ["ser/16x16-spectrum_image-5x5x1024_1.ser", "scan y, scan x | energy energy"],
    ["ser/16x16-line_profile_horizontal_5x128x128_EDS_2.ser", "scan x | detector ky, detector kx"],
    ["ser/64x64x5_TEM_preview_1.ser", "series image | space y, space x"],
  ],
  blo: [["blo/test1.blo", SCAN], ["blo/test1.blo", " | space y, space x", { array: "vbf" }]],
  mrc: [
    ["mrc/EMD-3197.map", "space z | space y, space x"],
    ["mrc/ncempy_temp.mrc", "series image | space y, space x"],
    ["mrc/HAADFscan.mrc", " | space y, space x"],
    ["mrc/Custom_movie.mrc", SCAN, { nav: [5, 6] }],
  ],
  tiff: [["", ""]],
  tvips: [["tvips/v2_uint8_96x112_000.tvips", "scan x | detector ky, detector kx"]],
  fits: [["", ""]],
  seq: [["seq/v5_uint16_12bit.seq", "scan x | detector ky, detector kx"]],
  frms6: [["frms6/frms6_bin1/frms6_bin1.hdr", SCAN, { array: "signal" }]],
  empad: [["empad/map4x4/map4x4.xml", SCAN], ["empad/raw_only/scan_x3_y5.raw", SCAN]],
  ripple: [
    ["raw/test_ripple_sdim-1_ndim-2_int32.rpl", "scan 1, scan 2 | energy 3"],
    ["raw/test_ripple_sdim-2_ndim-1_uint16.rpl", "series 1 | energy 2, energy 3"], // its units are eV
  ],
  raw_csr: [["", ""]],
  zarr: [
    ["zarr/zarr-java/ome_v0.4", "time t, channel c, space z | space y, space x"],
    ["zarr/zspy/signal1d_10x10-NestedDirectoryStore.zspy", "scan x | other k"],
    ["zarr/written/v3_4d_sharded_zstd.zarr", "scan y, scan x | detector ky, detector kx"],
  ],
  casacore: [["", ""]],
  raw: [["raw/scan_3x5_96x112_float32.raw", "? y, ? x | ? ky, ? kx", RAW]],
};

Deno.test("for every format is written what it says of axes", () => {
  assertEquals(Object.keys(SAID).toSorted(), FORMATS.map(({ id }) => id).toSorted());
});

for (const [id, files] of Object.entries(SAID)) {
  Deno.test({
    name: `${id}: kinds of axes, and the frame`,
    ignore: ENTRIES.length === 0, // ../shared is not beside this checkout
    fn: async () => {
      for (const [file, said, options] of files.filter(([name]) => name !== "")) {
        const dataset = await open(fromFileUrl(new URL(file, FOLDER)), options);
        assertEquals([file, dataset.detection.format, axesText(dataset)], [file, id, said]);
      }
    },
  });
}

const made = (name: string) => fromFileUrl(new URL(`../../data/axes/${name}`, import.meta.url));

Deno.test("uneven axes are positions of their axis, and no array of their own", async () => {
  const dataset = await open(made("uneven.hspy"));
  assertEquals(axesText(dataset), "scan x | energy Energy");
  assertEquals(dataset.axes[0], { name: "x", size: 3, kind: "scan", scale: 2, offset: 1, unit: "nm" });
  assertEquals(dataset.axes[1]!.positions, [1, 2, 4, 8, 16]);
  const { out } = await cli(["info", made("uneven.hspy"), "--array", "/Experiments/made/data"]);
  assertStringIncludes(out, "5 samples at uneven positions from 1 to 16 eV, energy");
});

/** Calls `check` with a store in an archive, and in a folder. */
async function inBoth(
  archive: string,
  check: (dataset: StoredDataset) => Promise<void> | void,
): Promise<void> {
  await withFolder(async (folder) => {
    const entries = unzipSync(await Deno.readFile(archive));
    for (const [name, bytes] of Object.entries(entries).filter(([name]) => !name.endsWith("/"))) {
      await Deno.mkdir(`${folder}/a.zspy/${name.replace(/[^/]*$/, "")}`, { recursive: true });
      await Deno.writeFile(`${folder}/a.zspy/${name}`, bytes);
    }
    for (const path of [archive, `${folder}/a.zspy`]) await check(await open(path));
  });
}

Deno.test("colours of zspy, which are records, are a last dimension", () =>
  inBoth(made("colours.zspy.zip"), async (film) => {
    assertEquals(axesText(film), "time t | space y, space x, colour sample");
    const { data } = await readBox(film, wholeBox(film.shape));
    assertEquals([film.shape, data], [[2, 3, 4, 3], Uint8Array.from({ length: 72 }, (_, i) => i)]);
  }));

Deno.test("uneven axes of zspy are positions, in archives and in folders", () =>
  inBoth(made("uneven.zspy.zip"), (dataset) => {
    assertEquals(axesText(dataset), "scan x | energy Energy");
    assertEquals(dataset.axes[1], {
      name: "Energy",
      size: 5,
      kind: "energy",
      unit: "eV",
      positions: [1, 2, 4, 8, 16],
    });
  }));

Deno.test("spectra of energy losses of Velox have their places and energies (em11)", async () => {
  const dataset = await open(made("velox_eels.emd"));
  assertEquals([dataset.navShape, dataset.sigShape], [[3, 4], [5]]);
  assertEquals(dataset.axes, [
    { name: "y", size: 3, kind: "scan", scale: 1e-9, offset: -3e-9, unit: "m" },
    { name: "x", size: 4, kind: "scan", scale: 2e-9, offset: -4e-9, unit: "m" },
    { name: "energy", size: 5, kind: "energy", signal: "EELS", scale: 0.25, offset: 800, unit: "eV" },
  ]);
  const { data } = await readBox(dataset, box([2, 1, 0], [1, 1, 5])); // stored as x, energy, y
  assertEquals(Array.from(data, Number), [0, 1, 2, 3, 4].map((energy) => (1 * 5 + energy) * 3 + 2));
  const spectrum = await open(made("velox_eels.emd"), { array: "/Data/Spectrum/3/Data" });
  assertEquals(spectrum.axes[1], {
    name: "energy",
    size: 6,
    kind: "energy",
    signal: "EDS_TEM",
    scale: 10,
    offset: -20,
    unit: "eV",
  });
});

Deno.test("packed events of X-rays are refused by their name, and told beside other arrays", async () => {
  for (const array of ["/Data/SpectrumStream/4/Data", "/Data/SpectrumImage/2/Data"]) {
    const error = await assertRejects(() => open(made("velox_eels.emd"), { array }), TilewiseError);
    assertEquals(error.code, "unsupported");
    assertStringIncludes(error.message, `${array} of velox_eels.emd: the events of X-rays of Velox`);
    assertStringIncludes(error.message, "export the spectrum image");
  }
  const { warnings } = await open(made("velox_eels.emd"));
  assertStringIncludes(warnings.join(), "the events of X-rays of Velox");
});

Deno.test("info relates the rotation of a scan to that of centres of mass", async () => {
  const { out } = await cli(["info", made("velox_eels.emd"), "--array", "/Data/EelsSpectrumImage/1/Data"]);
  assertStringIncludes(out, "scan rotation  30°; com:scanRotation=-30 turns shifts");
  const { out: help } = await cli(["run", "--help", "com"]);
  assertStringIncludes(help, "minus the scan rotation of info");
});

Deno.test("signals before the scan become frames, and sums stay in the order of storage", async () => {
  const dataset = await open(made("signal_first.hspy"));
  assertEquals([dataset.navShape, dataset.sigShape], [[3], [4]]);
  assertEquals(axesText(dataset), "scan x | energy Energy");
  const { data } = await readBox(dataset, wholeBox(dataset.shape));
  assertEquals([...data].map(Number), [0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11]);
  const [stats] = (await cli(["stats", "--json", "--sha256", made("signal_first.hspy"), "-q"])).json();
  const plain = await crypto.subtle.digest("SHA-256", Uint16Array.from({ length: 12 }, (_, i) => i));
  assertEquals([stats!.shape, stats!.sha256], [[4, 3], new Uint8Array(plain).toHex()]);
  const { out } = await cli(["info", made("signal_first.hspy")]);
  assertStringIncludes(out, "in the file  4 × 3: Energy, x");
});

Deno.test("an image of DM5 is one, also with energies along its columns", async () => {
  const image = await open(made("camera.dm5"));
  assertEquals([image.navShape, image.sigShape, image.axes[1]?.kind], [[], [6, 4], "energy"]);
});

Deno.test("dimensions that are all navigation keep their order", async () => { // hyperspy: shape (2, 3, 4)
  const { navShape, sigShape } = await open(made("scan_only.hspy"));
  assertEquals([navShape, sigShape], [[2], [3, 4]]);
});

Deno.test("the caller decides before the file does", async () => {
  const shapes = async (options: OpenOptions) => {
    const { navShape, sigShape } = await open(made("signal_first.hspy"), options);
    return [navShape, sigShape];
  };
  assertEquals(await shapes({ sigDims: 2 }), [[], [4, 3]]);
  assertEquals(await shapes({ sigDims: 1 }), [[4], [3]]);
  assertEquals(await shapes({ navAxes: ["Energy"] }), [[4], [3]]);
  assertEquals(await shapes({ sig: [12] }), [[], [12]]);
});

Deno.test("Nion Swift counts the dimensions of a datum", async () => {
  const dataset = await open(made("nion.h5"));
  assertEquals(dataset.axes, [
    { name: "y", size: 3, kind: "scan", scale: 2, offset: 0, unit: "nm" },
    { name: "x", size: 4, kind: "scan", scale: 3, offset: 1, unit: "nm" },
    { name: "energy", size: 5, kind: "energy", scale: 0.5, offset: -10, unit: "eV" },
  ]);
  assertEquals(dataset.sigShape, [5]);
  const frames = await open(made("nion_frames.h5"));
  assertEquals([frames.navShape, frames.sigShape, frames.axes[0]?.offset], [[2], [3, 4], 5]);
});

Deno.test("colours of Nion Swift, stored with the blue first, are shown as it exports them", async () => {
  const picture = await open(made("nion_colours.h5"));
  assertEquals(axesText(picture as StoredDataset), " | space y, space x, colour sample");
  const { data } = await readBox(picture, wholeBox(picture.shape));
  assertEquals(data.slice(0, 6), Uint8Array.of(2, 1, 0, 5, 4, 3)); // numpy.flip(get_rgb_view(data), 2)
});

Deno.test("Ripple records images or vectors, with steps and units", async () => {
  const fields = { width: 4, height: 3, depth: 2, "data-length": 1, "data-type": "unsigned" };
  const of = async (more: Readonly<Record<string, string>>) => {
    const lines = Object.entries({ ...fields, ...more }).map(([key, value]) => `${key}\t${value}\n`);
    return await open([new File(lines, "a.rpl"), new File([new Uint8Array(24)], "a.raw")]);
  };
  assertEquals(axesText(await of({ "record-by": "vector" })), "scan y, scan x | energy energy");
  assertEquals(axesText(await of({ "record-by": "image" })), "series image | space y, space x");
  const { axes } = await of({
    "record-by": "vector",
    "ev-per-chan": "10",
    "width-scale": "0.5",
    "width-units": "nm",
  });
  assertEquals(axes[1], { name: "x", size: 4, kind: "scan", scale: 0.5, unit: "nm" });
  assertEquals(axes[2], { name: "energy", size: 2, kind: "energy", scale: 10, unit: "eV" });
});

Deno.test("bytes of IMOD are signed only where its flag says so", async () => {
  const head = new DataView(new ArrayBuffer(1024 + 4));
  for (const [at, value] of [[0, 2], [4, 2], [8, 1], [152, 1146047817], [64, 1], [68, 2], [72, 3]]) {
    head.setInt32(at!, value!, true);
  }
  "MAP DD".split("").forEach((letter, i) => head.setUint8(208 + i, letter.charCodeAt(0)));
  const dtypeOf = async (flags: number) => {
    head.setInt32(156, flags, true);
    return (await open(new Uint8Array(head.buffer))).dtype;
  };
  assertEquals([await dtypeOf(0), await dtypeOf(1), await dtypeOf(6)], ["uint8", "int8", "uint8"]);
});

Deno.test("kinds follow from what the file says, never from places", () => {
  const units = {
    eV: "energy",
    keV: "energy",
    "1/nm": "detector",
    "nm^-1": "detector",
    "Å⁻¹": "detector",
    mrad: "detector",
  };
  for (const [unit, kind] of Object.entries(units)) assertEquals([unit, kindOfUnit(unit)], [unit, kind]);
  assertEquals(["nm", "µm", "A", "s", "GHz", "", "px", undefined].map(kindOfUnit), [
    "length",
    "length",
    "length",
    "time",
    "frequency",
    undefined,
    undefined,
    undefined,
  ]); // deno-fmt-ignore
  const of = (axes: string[], signal: boolean[]) =>
    kindsBySignal(axes.map((unit) => ({ unit })), signal).map(({ kind }) => kind);
  assertEquals(of(["", "nm", "nm"], [false, true, true]), ["series", "space", "space"]);
  assertEquals(of(["s", "1/nm", "1/nm"], [false, true, true]), ["time", "detector", "detector"]);
  assertEquals(of(["", ""], [true, true]), [undefined, undefined]);
});

Deno.test("a frame has each dimension once, whatever the kinds", () => {
  const all = [...AXIS_KINDS];
  for (let n = 0; n < all.length ** 3; n++) {
    const kinds = [n % 11, Math.floor(n / 11) % 11, Math.floor(n / 121)].map((i): AxisKind => all[i]!);
    const frame = frameOf(kinds.map((kind) => ({ kind }))) ?? [];
    assertEquals(frame, [...new Set(frame)].toSorted((a, b) => a - b), kinds.join());
    if (kinds.includes("detector")) {
      assertEquals(frame.includes(kinds.indexOf("detector")), true, kinds.join());
    }
  }
});

/** What `info` says of a file of the reports. */
async function infoOf(path: string): Promise<Record<string, unknown>> {
  const { code, err, json } = await cli(["info", "--json", path]);
  assertEquals(code, 0, err);
  return json()[0]!;
}

reportTest("HyperSpy's navigate decides (em04)", "em/hs/map.hspy", async (path) => {
  const dataset = await open(path);
  assertEquals([dataset.navShape, dataset.sigShape], [[4, 5], [16]]);
});
reportTest("unset names of HyperSpy are not names (em07)", "em/hs/d4.hspy", async (path) => {
  assertEquals(axesText(await open(path)), SCAN);
});
reportTest("frames of Velox come last (em09)", "em/velox/one.emd", async (path) => {
  const dataset = await open(path);
  assertEquals([dataset.navShape, dataset.sigShape, axesText(dataset)], [
    [1],
    [24, 32],
    "series image | space y, space x",
  ]);
});
reportTest("sections of a volume are z (em13)", "em/mrc/voxel.mrc", async (path) => {
  assertEquals((await infoOf(path)).axes, [
    { name: "z", size: 2, kind: "space", scale: 1, unit: "nm" },
    { name: "y", size: 3, kind: "space", scale: 0.3, unit: "nm" },
    { name: "x", size: 4, kind: "space", scale: 0.2, unit: "nm" },
  ]);
});
reportTest("DM5 has steps of its axes (em23)", "em/dm5/image.dm5", async (path) => {
  const axes = (await open(path)).axes.map(({ name, scale, unit, size }) => [name, scale, unit, size]);
  assertEquals(axes, [["y", 0.3, "nm", 12], ["x", 0.2, "nm", 16]]);
});
reportTest(
  "the text beside a movie of Direct Electron has its scan (em25)",
  "em/de/20240101_00001_movie.mrc",
  async (path) => {
    const { navShape, sigShape, axes, why } = await infoOf(path);
    assertEquals([navShape, sigShape], [[4, 8], [4, 6]]);
    assertEquals((axes as StoredDataset["axes"])[0], {
      name: "y",
      size: 4,
      kind: "scan",
      scale: 0.5,
      unit: "nm",
    });
    assertStringIncludes(String(why), "20240101_00001_info.txt");
  },
);
reportTest(
  "lines of a Merlin have as many frames as their times say (em01)",
  "em/mib/skip.mib",
  async (path) => {
    const { navShape, warnings } = await infoOf(path);
    assertEquals(navShape, [3, 5]);
    assertStringIncludes(String(warnings), "skip.hdr says lines of 4 frames, but 15 images are 3 lines of 5");
    assertStringIncludes(String(warnings), ":,0:4");
  },
);
reportTest("a scan of Prismatic (em59)", "em/nion/prismatic.h5", async (path) => {
  assertEquals(axesText(await open(path)), "scan R_x, scan R_y | detector Q_x, detector Q_y");
});
reportTest("the mask of a Dectris detector is told (em27)", "em/arina/s_master.h5", async (path) => {
  const dataset = await open(path, { nav: [3, 4] });
  assertEquals(axesText(dataset), SCAN);
  assertStringIncludes(dataset.warnings.join(), "detectorSpecific/pixel_mask, is not applied");
  const told = /a command takes it as (\S+)/.exec(dataset.warnings.join("\n"))![1]!;
  await withFolder(async (folder) => {
    const out = `${folder}/sums.npy`;
    const { code, err } = await cli([
      ...["run", "sumsig", path, "--nav", "3x4", "-o", out, "-q"],
      ...["--exclude", told],
    ]);
    assertEquals(code, 0, err);
    const { data } = await readBox(await open(out), box([0, 0], [3, 4]));
    const sums = Array.from(data, Number).map(Math.round);
    assertEquals([Math.min(...sums), Math.max(...sums)], [4184, 4640]); // NumPy, with masked pixels from their neighbours
  });
});

Deno.test("axes of a file are of its own scan and frame: others that the caller gives have none of them", () => {
  const axes: AxisFacts[] = [{ name: "z", kind: "space", scale: 3 }, { name: "y", kind: "space", scale: 2 }, {
    name: "x",
    kind: "space",
    scale: 5,
  }];
  const own = { navShape: [4], sigShape: [10, 13] };
  const scan = { kind: "scan" }, detector = { kind: "detector" };
  const cases: [Parameters<typeof axesOver>[0], readonly unknown[]][] = [
    [own, axes],
    [{ ...own, navShape: [3] }, axes],
    [{ navShape: [2, 2], sigShape: [10, 13] }, [scan, scan, { ...detector, scale: 2 }, {
      ...detector,
      scale: 5,
    }]],
    [{ navShape: [4], sigShape: [13, 10] }, [axes[0], detector, detector]],
    [{ navShape: [2, 2], sigShape: [130] }, [scan, scan, detector]], // as many dimensions, and none of them
  ];
  for (const [given, expected] of cases) assertEquals(axesOver(given, own, axes), expected);
});

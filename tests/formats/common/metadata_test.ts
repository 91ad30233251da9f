/**
 * What sample files say of axes and instruments, in one form for all formats. The values are those that other programs
 * (RosettaSciIO, ncempy) show for these files, or the bytes themselves.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { open } from "../../../src/formats/open.ts";
import { ENTRIES, pathOf, READABLE } from "../conformance/samples.ts";

/** Scale, offset (0 where none is known) and unit of an axis; nothing where its scale is not known. */
type Known = readonly [name: string, scale?: number, offset?: number, unit?: string];

interface Facts {
  readonly axes: readonly Known[];
  readonly instrument?: Readonly<Record<string, unknown>>;
  readonly array?: string;
}

const EXPECTED: Readonly<Record<string, Facts>> = {
  "blo/test1.blo": {
    array: "patterns",
    axes: [["y", 12.8, 0, "nm"], ["x", 12.8, 0, "nm"], ["ky", 0.01606168, 0, "cm"], [
      "kx",
      0.01606168,
      0,
      "cm",
    ]],
    instrument: { voltage: 200000, cameraLength: 2, scanRotation: 25, acquired: "2015-12-01T15:40:59" },
  },
  "dm/2D_test_STEM_image.dm3": {
    axes: [["y", 0.24853802, 42.500001, "nm"], ["x", 0.24853802, 51.44737, "nm"]],
    instrument: {
      voltage: 200000,
      magnification: 225000,
      cameraLength: 0.135,
      acquired: "2016-08-08T15:26:37.000Z", // 4:26:37 PM in British summer
    },
  },
  "dm/3D_EELS_SI.dm4": {
    axes: [["y", 0.00199207, 0, "µm"], ["x", 0.00199207, 0, "µm"], ["energy", 1, 300, "eV"]],
    instrument: {
      voltage: 200000,
      magnification: 225000,
      cameraLength: 0.55,
      exposure: 0.020010000676847994,
      acquired: "2019-05-14T20:50:13",
      detector: "US1000FTXP 1",
    },
  },
  "dm/4d_stem_float32.dm3": {
    axes: [["y", 4, 0, "nm"], ["x", 3, 0, "nm"], ["ky", 2, 0, "1/nm"], ["kx", 1, 0, "1/nm"]],
    instrument: { acquired: "2019-11-19T19:39:47.566211" },
  },
  "dm/dmTest_3D_int16_64_65_66.dm3": { axes: [["z", 4, 0, "µm"], ["y", 3, 0, "nm"], ["x", 2, 0, "pm"]] },
  "dm/test_stackbuilder_imagestack.dm3": { // of three dimensions two have a calibration
    axes: [["image"], ["y", 0.0599829, 0, "µm"], ["x", 0.0599829, 0, "µm"]],
  },
  "emd/STEM_HAADF_Diffraction_Micro.emd": {
    array: "/Data/Image/025eee0d3d0d4bafb553b6571ed810af/Data",
    axes: [
      ["image"],
      ["y", 8.7370796142255832e-08, -5.5917309531043732e-06, "m"],
      ["x", 8.7370796142255832e-08, -5.5917309531043732e-06, "m"],
    ],
    instrument: {
      voltage: 300000,
      cameraLength: 0.301,
      exposure: 1e-5,
      acquired: "2020-07-29T16:49:34.000Z",
      detector: "HAADF",
      scanRotation: 0.31764991606267756 * 180 / Math.PI,
    },
  },
  "emd/fei_example_tem_stack.emd": {
    array: "/Data/Image/26f60320a61d4f66a73efd8cde34ffa9/Data",
    axes: [
      ["image"],
      ["y", 8.1728831922978511e-12, -1.6738064777825999e-08, "m"],
      ["x", 8.1728831922978511e-12, -1.6738064777825999e-08, "m"],
    ],
    instrument: {
      voltage: 300000,
      cameraLength: 0.478,
      magnification: 1271519.155,
      exposure: 0.8,
      acquired: "2019-12-05T10:03:44.000Z",
      detector: "BM-Ceta",
      binning: [1, 1],
    },
  },
  "empad/map4x4/map4x4.xml": {
    axes: [["y", 1141.58566, 0, "nm"], ["x", 1141.58566, 0, "nm"], ["ky"], ["kx"]],
    instrument: {
      voltage: 300000,
      cameraLength: 0.7225,
      exposure: 0.001,
      acquired: "2019-06-06T13:30:00.164675",
      detector: "EMPAD",
    },
  },
  "frms6/frms6_bin1/frms6_bin1.hdr": {
    array: "signal",
    axes: [["y"], ["x"], ["ky"], ["kx"]],
    instrument: { exposure: 0.001, binning: [1, 1] },
  },
  "mib/002_merlin_test_roi_sig256x128_nav4x2_hot_pixel_52x_39y.mib": {
    axes: [["y"], ["x"], ["ky"], ["kx"]],
    instrument: {
      detector: "Merlin, chips 1x1",
      exposure: 0.001,
      acquired: "2024-07-02T11:46:44.035393175Z",
    },
  },
  "mrc/EMD-3197.map": { // its first column is number -2 of the cell
    axes: [["z", 1.14, 0, "nm"], ["y", 1.14, 0, "nm"], ["x", 1.14, -2.28, "nm"]],
  },
  "mrc/HAADFscan.mrc": { axes: [["y", 5.679131, 0, "nm"], ["x", 5.679131, 0, "nm"]] },
  "seq/v5_uint16_12bit.seq": { axes: [["x"], ["ky"], ["kx"]], instrument: { frameRate: 400 } },
  "ser/16x16-line_profile_horizontal_5x128x128_EDS_2.ser": {
    axes: [["x", 3.68863641e-9, 0, "m"], ["ky", 174353422.27, 0, "1/m"], ["kx", 174353422.27, 0, "1/m"]],
    instrument: { acquired: "2016-02-22T19:18:23.000Z" },
  },
  "ser/16x16-spectrum_image-5x5x1024_1.ser": {
    axes: [["y", -1.2053969e-10, -8.57918e-11, "m"], ["x", 1.2053969e-10, -3.655093e-10, "m"], [
      "energy",
      0.2,
      -20,
      "eV",
    ]],
    instrument: { acquired: "2016-02-22T10:56:27.000Z" },
  },
  "ser/64x64x5_TEM_preview_1.ser": {
    axes: [["image"], ["y", 6.28183362e-9, 0, "m"], ["x", 6.28183362e-9, 0, "m"]],
    instrument: { acquired: "2016-02-21T16:49:05.000Z" },
  },
  "tvips/v2_uint8_96x112_000.tvips": {
    axes: [["x"], ["ky"], ["kx"]],
    instrument: {
      voltage: 200000,
      binning: [1, 1],
      pixelSize: [7e-9, 7e-9],
      acquired: "2020-09-13T12:26:40.000Z",
      frameRate: 0.993049,
    },
  },
  "hspy/example1_v1.0.hdf5": { axes: [["Energy", 3.1, 520.13, "eV"]], instrument: { voltage: 120000 } },
  "hspy/example2_v3.1.hspy": {
    axes: [["y", 0.17443286, 131.871241, "1/nm"], ["x", 0.17443286, 137.104227, "1/nm"]],
    instrument: {
      voltage: 200000,
      cameraLength: 0.32000000000000006,
      exposure: 0.2,
      acquired: "2014-07-09T18:56:37",
    },
  },
  "hspy/test_rgba16.hdf5": { axes: [["stack_element"], ["y"], ["x"], ["sample"]] },
  "nexus/simple_signal.nxs": {
    array: "/entry1/rocks/data",
    axes: [["yaxis", 2, 20], ["xaxis"], ["ky"], ["kx"]],
  },
  "nexus/nexus_test_datakey.nxs": {
    array: "/entry1/testdata/nexustest_axistest1/data",
    axes: [["y", 1, 6], ["x"], ["kx"]], // the values of x, 3 2.5 1, are not evenly spaced
  },
  "emd/Si100_4D.emd": {
    array: "/4DSTEM_simulation/data/datacubes/CBED_array_depth0000/datacube",
    axes: [
      ["R_x", 0.5, 0, "nm"],
      ["R_y", 0.5, 0, "nm"],
      ["Q_x", 0.18416206, -0.736648, "1/nm"],
      ["Q_y", 0.18416206, -0.736648, "1/nm"],
    ],
  },
  "emd/de_like_4dstem.de5": {
    array: "/data/DE_4DSTEM/data",
    axes: [["y", 0.5, 0, "nm"], ["x", 0.5, 0, "nm"], ["ky", 0.5, 0, "1/nm"], ["kx", 0.5, 0, "1/nm"]],
  },
  "emd/py4DSTEM_size2x3x4x5.h5": {
    array: "/datacube_root/datacube/data",
    axes: [
      ["Rx", 0.126796875, 0, "nm"],
      ["Ry", 0.126796875, 0, "nm"],
      ["Qx", 0.044251567, 0, "1/A"],
      ["Qy", 0.044251567, 0, "1/A"],
    ],
  },
};

for (const [file, { axes, instrument = {}, array }] of Object.entries(EXPECTED)) {
  Deno.test({
    name: `${file}: axes and instrument`,
    ignore: ENTRIES.length === 0, // ../shared is not beside this checkout
    fn: async () => {
      const found = await open(pathOf({ file }), array === undefined ? {} : { array });
      assertEquals(found.axes.map(({ name }) => name), axes.map(([name]) => name));
      for (const [d, [name, scale, offset = 0, unit]] of axes.entries()) {
        const axis = found.axes[d]!;
        assertEquals([axis.size, axis.unit], [found.shape[d], unit], name);
        assertEquals(axis.scale === undefined, scale === undefined, name);
        if (scale === undefined) continue;
        assert(Math.abs(axis.scale! / scale - 1) < 1e-5, `${name}: ${axis.scale}`);
        assert(
          Math.abs((axis.offset ?? 0) - offset) <= 1e-5 * Math.abs(offset),
          `${name}: from ${axis.offset}`,
        );
      }
      assertEquals(found.instrument, instrument);
    },
  });
}

Deno.test({
  name: "all that is known is plain JSON",
  ignore: ENTRIES.length === 0, // ../shared is not beside this checkout
  fn: async () => {
    for (const entry of READABLE.filter(({ file }) => file in EXPECTED)) {
      const { axes, instrument, metadata } = await open(pathOf(entry));
      for (const facts of [axes, instrument]) assertEquals(JSON.parse(JSON.stringify(facts)), facts);
      assert(JSON.stringify(metadata).length > 2);
    }
  },
});

/** A volume of 2 sections of 3 rows of 4 columns, in a cell of 40 × 12 × 72 steps: that of EMD-3001, see EMDB. */
function volume(numbers: Readonly<Record<number, number>>, places: Readonly<Record<number, number>> = {}) {
  const file = new Uint8Array(1024 + 2 * 3 * 4);
  const view = new DataView(file.buffer);
  const fields = { 0: 4, 4: 3, 8: 2, 28: 40, 32: 12, 36: 72, 64: 1, 68: 2, 72: 3, 88: 1, ...numbers };
  for (const [at, value] of Object.entries(fields)) view.setInt32(Number(at), value, true);
  const lengths = { 40: 17.93, 44: 4.71, 48: 33.03, 52: 90, 56: 90, 60: 90, ...places };
  for (const [at, value] of Object.entries(lengths)) view.setFloat32(Number(at), value, true);
  file.set(new TextEncoder().encode("MAP DD"), 208);
  return file;
}

const IMOD = { 152: 1146047817 }, ORIGIN = { 196: 10, 200: 20, 204: -30 };

for (
  const [what, file, axes] of [
    ["columns, rows, sections along x, y, z", volume({}), "z 0.045875 0, y 0.03925 0, x 0.044825 0"],
    [
      "columns along z, rows along x, sections along y, from samples 0, -21, -12", // mrcfile has these steps
      volume({ 64: 3, 68: 1, 72: 2, 20: -21, 24: -12 }),
      "y 0.03925 -0.471, x 0.044825 -0.941325, z 0.045875 0",
    ],
    ["no order", volume({ 64: 0, 68: 0, 72: 0 }), "z 0.045875 0, y 0.03925 0, x 0.044825 0"],
    ["an origin, before a start", volume({ 16: 7 }, ORIGIN), "z 0.045875 -3, y 0.03925 2, x 0.044825 1"],
    ["an origin of IMOD", volume(IMOD, ORIGIN), "z 0.045875 3, y 0.03925 -2, x 0.044825 -1"],
    [
      "an origin of IMOD with the usual sign",
      volume({ ...IMOD, 156: 4 }, ORIGIN),
      "z 0.045875 -3, y 0.03925 2, x 0.044825 1",
    ],
  ] as const
) {
  Deno.test(`axes of an MRC file go where its header says: ${what}`, async () => {
    const dataset = await open(new File([file], "x.mrc"));
    const found = dataset.axes.map(({ name, scale, offset = 0 }) => `${name} ${scale} ${offset}`).join(", ");
    assertEquals([found, dataset.warnings], [axes, []]);
  });
}

Deno.test("a cell of an MRC file whose axes are not at right angles is told", async () => {
  const { warnings } = await open(new File([volume({}, { 56: 94.5 })], "x.mrc"));
  assertEquals(warnings, [
    "The axes of the cell are not at right angles, but at 90°, 94.5°, 90°: steps are along the axes",
  ]);
});

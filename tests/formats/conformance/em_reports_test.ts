/**
 * Cases of electron microscopy from other programs' trackers: files and commands with right values by NumPy, RosettaSciIO,
 * mrcfile, ncempy and LiberTEM. Those about kinds of axes are in `tests/formats/common/axis_kinds_test.ts`.
 *
 * @module
 */

import "../../fences/mod.ts";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createContext } from "../../../src/runner/context.ts";
import { centreOfMass } from "../../../src/udf/builtin/centre_of_mass.ts";
import { sumPixels } from "../../../src/udf/builtin/sum_pixels.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { dmBytes } from "../dm/dm_file.ts";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import { openStored as open } from "../../../src/formats/open.ts";
import { box, wholeBox } from "../../../src/space/box.ts";
import { cli, withFolder } from "../../cli/harness.ts";
import { reportPath, reportTest } from "./reports.ts";

const em = (file: string) => reportPath(`em/${file}`);

async function numbers(path: string): Promise<number[]> {
  const dataset = await open(path);
  return Array.from((await readBox(dataset, wholeBox(dataset.shape))).data, Number);
}

/** A test of a command whose only output is the file `out`, from its shape and numbers. */
function fileTest(
  name: string,
  words: readonly string[],
  out: string,
  check: (result: { shape: readonly number[]; data: number[]; path: string }) => void | Promise<void>,
): void {
  const file = words.find((word) => word.startsWith("em/"))!;
  const own = words.map((word) => word.replace(/em\/\S+$/, (path) => reportPath(path)));
  reportTest(name, file, () =>
    withFolder(async (folder) => {
      const path = `${folder}/${out}`;
      const { code, err } = await cli([...own, "-o", path, "-q"]);
      assertEquals(code, 0, err);
      await check({ shape: (await open(path)).shape, data: await numbers(path), path });
    }));
}

reportTest(
  "unset names stay unset in what is written (em07)",
  "em/hs/d4.hspy",
  (path) =>
    withFolder(async (folder) => {
      assertEquals((await cli(["convert", path, `${folder}/a.zarr`, "-q"])).code, 0);
      const text = await Deno.readTextFile(`${folder}/a.zarr/zarr.json`);
      assertEquals(text.includes("_None_"), false);
      assertEquals(JSON.parse(text).dimension_names, ["y", "x", "ky", "kx"]);
    }),
);

fileTest(
  "smaller images have larger pixels (em15)",
  ["map", "downsample:factor=2", "em/dm/image.dm4"],
  "a.ome.zarr",
  async ({ path }) => {
    const axes = (await open(path)).axes.map((axis) => [
      axis.scale!.toFixed(6),
      axis.offset!.toFixed(6),
      axis.unit,
    ]);
    assertEquals(axes, [["0.600000", "0.150000", "nm"], ["0.400000", "0.100000", "nm"]]);
  },
);

reportTest(
  "masks move by the nearest whole pixel (em16)",
  "em/an/shiftsf.npy",
  () =>
    withFolder(async (folder) => {
      const word = `mask:file=${em("an/onemask.npy")},shifts=@${em("an/shiftsf.npy")}`;
      const { code, err } = await cli(["run", word, em("an/clean.npy"), "-o", `${folder}/a.npy`, "-q"]);
      assertEquals(code, 0, err);
      const [frames, mask, shifts] = await Promise.all(
        ["clean", "onemask", "shiftsf"].map((name) => numbers(em(`an/${name}.npy`))),
      ) as [number[], number[], number[]];
      const rint = (value: number) =>
        Math.abs(value % 1) === 0.5 ? 2 * Math.round(value / 2) : Math.round(value);
      const expected = Array.from({ length: 20 }, (_, n) => {
        const [dy, dx] = [rint(shifts[2 * n]!), rint(shifts[2 * n + 1]!)];
        let sum = 0;
        mask.forEach((weight, i) => {
          const [y, x] = [Math.floor(i / 18) + dy, i % 18 + dx];
          if (y >= 0 && y < 16 && x >= 0 && x < 18) sum += weight * frames[(n * 16 + y) * 18 + x]!;
        });
        return sum;
      });
      assertEquals(await numbers(`${folder}/a.npy`), expected);
    }),
);

reportTest(
  "a ring whose inner radius is the larger one is refused (em18)",
  "em/an/clean.npy",
  async (path) => {
    for (const word of ["annular:ri=8,ro=3", "mask:kind=ring,ri=8,ro=3", "fem:ri=8,ro=3"]) {
      const { code, err } = await cli(["run", word, path, "-q"]);
      assertEquals(code === 0, false, `${word} ${err}`);
    }
  },
);

fileTest(
  "counts above 2^24 stay exact in TIFF (em20)",
  ["run", "sumsig", "em/an/counts.npy"],
  "a.tif",
  ({ data }) => assertEquals(data, [16777217, 16777222, 16777217, 16777217]),
);

fileTest(
  "extra triggers at the end are left out (em40)",
  ["run", "sumsig", "em/mib/extra.mib"],
  "a.npy",
  ({ shape }) => assertEquals(shape, [4, 4]),
);

reportTest("no frames per trigger is not a scan shape (em42)", "em/mib/zero.mib", async (path) => {
  const { navShape, sigShape } = await open(path);
  assertEquals([navShape, sigShape], [[12], [16, 16]]);
});

fileTest(
  "the scan of the mode search (em43)",
  ["run", "sumsig", "em/empad/acq.xml"],
  "a.npy",
  ({ shape, data }) => assertEquals([shape, data], [[2, 3], [1, 2, 3, 4, 5, 6].map((n) => n * 16384)]),
);

for (
  const [name, file, shape, sum] of [
    ["a series without dimensions (em46)", "ser/nodims.ser", [6, 8], 1368],
    ["unused space in an extended header (em47)", "mrc/fei2_padded.mrc", [3, 3, 4], 630],
    ["two bytes per voxel of the extended header (em47)", "mrc/ext122.mrc", undefined, undefined],
  ] as const
) {
  reportTest(name, `em/${file}`, async (path) => {
    const [found] = (await cli(["stats", path, "--json", "-q"])).json();
    if (shape) assertEquals([found!["shape"], found!["sum"]], [shape, sum]);
    else assertEquals(found!["error"], undefined);
  });
}

fileTest(
  "unsigned dark frames do not wrap around (em53)",
  ["run", "sum", "em/an/u16.npy", "--dark", "em/an/dark.npy"],
  "a.npy",
  ({ data }) => assertEquals(Math.min(...data), -134),
);

reportTest(
  "the rotation of a field is found in the convention of the help (em55)",
  "em/an/rot30.npy",
  async (path) => {
    const { err } = await cli(["run", "com:guess=true", path]);
    assertStringIncludes(err, "scanRotation=-30,flipY=false");
  },
);

fileTest(
  "a detector whose centre is on the edge of a frame (em57)",
  ["run", "disk:cy=8,cx=17,r=3", "em/an/clean.npy"],
  "a.npy",
  async ({ data }) => {
    const frames = await numbers(em("an/clean.npy"));
    const expected = data.map((_, n) => {
      let sum = 0;
      for (let y = 0; y < 16; y++) {
        for (let x = 0; x < 18; x++) {
          if ((y - 8) ** 2 + (x - 17) ** 2 <= 9) sum += frames[(n * 16 + y) * 18 + x]!;
        }
      }
      return sum;
    });
    assertEquals(data, expected);
  },
);

/** Sums of frames whose excluded pixels are the mean of their good neighbours, as NumPy computes them. */
const MENDED: Readonly<Record<string, readonly number[]>> = {
  "em/an/gap.npy": [
    ...[6845, 6799.75, 6723.166666666666, 7387.5, 6681.375, 7154.958333333334, 7174.625, 6831.541666666666],
    ...[6874.958333333334, 7257.75, 6934.208333333334, 7278.416666666666, 6927.041666666666, 7205.125],
    ...[7087.041666666666, 6966.5, 6547.125, 6839.208333333334, 6993.5, 7191.75],
  ],
  "em/an/nan.npy": [
    ...[
      6969.458333333334,
      6856.333333333334,
      6915.458333333334,
      7236.333333333334,
      6869.125,
      7031.625,
      7257.5,
    ],
    ...[Infinity, 7159.916666666667, 7326.833333333334, 7614.208333333334, 6643.041666666666, 6931.125],
    ...[7088.875, 7515.541666666666, 6911.208333333333, 7086.208333333334, 6878.875, 7185.75, 7287],
  ],
};

for (const [file, sums] of Object.entries(MENDED)) {
  fileTest(
    `${file}: gaps of the largest value and of NaN are filled by good neighbours (em52)`,
    ["run", "sumsig", file, "--exclude", "em/an/mask.npy"],
    "a.npy",
    ({ data }) => {
      const slack = file.includes("nan") ? 1e-2 : 1e-9; // samples of float32 are corrected in float32
      data.forEach((sum, i) =>
        assert(sum === sums[i] || Math.abs(sum - sums[i]!) < slack, `${sum}, ${sums[i]}`)
      );
      assertEquals(data.length, sums.length);
    },
  );
}

Deno.test("chunks of any shape give the bits of plain frames, in little memory (em61)", async () => {
  const source = new URL("../../data/hdf5/chunks.h5", import.meta.url);
  const data = Uint16Array.from({ length: 16 ** 4 }, (_, i) => i * 7 % 61);
  await using plain = createContext({ workers: 0 });
  await using small = createContext({ workers: 0, memory: 2 ** 26 });
  const udfs = { com: centreOfMass(), sums: sumPixels() };
  const expected = await run(
    await plan(await open({ data, shape: [16, 16, 16, 16] }), udfs, { context: plain }),
  );
  for (const array of ["cubes", "strips", "pixels"]) {
    const found = await run(await plan(await open(source, { array }), udfs, { context: small }));
    assertEquals(found.com.raw_com.data, expected.com.raw_com.data, array);
    assertEquals(found.com.field.data, expected.com.field.data, array);
    assertEquals(found.sums.intensity.data, expected.sums.intensity.data, array);
  }
});

Deno.test("frames of a DM4 beyond 4 GiB lie where its dimensions say (em49)", () =>
  withFolder(async (folder) => {
    const dimensions = [256, 256, 128, 300];
    const samples = dimensions.reduce((product, n) => product * n, 1);
    const last = Uint16Array.from({ length: 65536 }, (_, i) => i);
    const bytes = dmBytes({ dimensions, data: last });
    const at = indexOf(bytes, Uint8Array.of(0, 0, 1, 0, 2, 0, 3, 0, 4, 0)); // samples 0, 1, 2 … of little endian
    new DataView(bytes.buffer).setBigUint64(at - 8, BigInt(samples));
    const path = `${folder}/big.dm4`;
    using file = await Deno.open(path, { write: true, create: true });
    await file.write(bytes.subarray(0, at));
    await file.seek(at + 2 * (samples - last.length), Deno.SeekMode.Start); // a gap, which takes no room
    await file.write(bytes.subarray(at));
    const dataset = await open(path);
    assertEquals(dataset.shape, dimensions.toReversed());
    const { data } = await readBox(dataset, box([299, 127, 0, 0], [1, 1, 256, 256]));
    assertEquals(data, last as never);
    const out = `${folder}/frame.npy`, before = Deno.memoryUsage().rss;
    const picked = await cli(["pick", path, "--at", "299,127", "-o", out, "-q"]);
    assertEquals(picked.code, 0, picked.err);
    const grown = Deno.memoryUsage().rss - before;
    assert(grown < 2 ** 28, `${grown} bytes for a frame of a file of 5 GB`);
    const frame = await open(out);
    assertEquals((await readBox(frame, box([0, 0], [256, 256]))).data, last as never);
  }));

function indexOf(bytes: Uint8Array, part: Uint8Array): number {
  for (let at = 0; at + part.length <= bytes.length; at++) {
    if (part.every((byte, i) => bytes[at + i] === byte)) return at;
  }
  return -1;
}

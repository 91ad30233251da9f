/**
 * Cases of electron microscopy from other programs' trackers: files and commands with right values by NumPy, RosettaSciIO,
 * mrcfile, ncempy and LiberTEM. Those about kinds of axes are in `tests/formats/common/axis_kinds_test.ts`.
 *
 * @module
 */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import { open } from "../../../src/formats/open.ts";
import { wholeBox } from "../../../src/space/box.ts";
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

reportTest("no frames per trigger is no scan shape (em42)", "em/mib/zero.mib", async (path) => {
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

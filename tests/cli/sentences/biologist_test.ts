/**
 * A biologist's sentence: nuclei of one channel of an OME-TIFF become labels in OME-Zarr, and a table of another channel in µm,
 * in one command; ome-zarr-py and napari's reader show the labels where there is a Python with them.
 */

import "../../fences/mod.ts";
import { assert, assertAlmostEquals, assertEquals, assertMatch } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { open } from "../../../src/formats/open.ts";
import { createContext } from "../../../src/runner/context.ts";
import { arrayOf } from "../../../src/views/array.ts";
import { mapViews } from "../../../src/views/map/map_views.ts";
import { copySamples } from "../../../src/views/operations/copy_samples.ts";
import { fileSink } from "../../../src/views/sinks/registry.ts";
import { python } from "../../sinks/python.ts";
import { cli, withFolder } from "../harness.ts";

const SCRIPT = fromFileUrl(new URL("biologist.py", import.meta.url));
const CHANNELS = ["DAPI", "GFP", "RFP", "Cy5", "BF", "AF"];
const [ROWS, COLUMNS, STEP] = [96, 128, 0.325];

/** Nuclei: centre and brightness in GFP. */
const NUCLEI = [[20, 20, 500], [30, 80, 1000], [70, 40, 1500], [75, 100, 2000]] as const;

/** Six channels: nuclei in DAPI and, of other brightness, in GFP; a gradient in the others. */
function samples(): Uint16Array<ArrayBuffer> {
  const data = new Uint16Array(6 * ROWS * COLUMNS);
  for (let i = 0; i < data.length; i++) {
    const [c, y, x] = [Math.floor(i / (ROWS * COLUMNS)), Math.floor(i / COLUMNS) % ROWS, i % COLUMNS];
    data[i] = 100 + (c < 2 ? 0 : c * y);
    for (const [cy, cx, bright] of NUCLEI) {
      const blob = Math.exp(-((y - cy) ** 2 + (x - cx) ** 2) / 72);
      if (c < 2) data[i]! += Math.round((c === 0 ? 2000 : bright) * blob);
    }
  }
  return data;
}

/** The OME-TIFF, as Tilewise writes it. */
async function written(path: string): Promise<void> {
  await using context = createContext({ workers: 0 });
  const dataset = await open({ data: samples(), shape: [6, ROWS, COLUMNS] });
  const space = { kind: "space", scale: STEP, unit: "µm" } as const;
  const axes = [{ name: "c", kind: "channel", names: CHANNELS }, { name: "y", ...space }, {
    name: "x",
    ...space,
  }] as const;
  await mapViews({ ...arrayOf(dataset), axes }, copySamples(), { sink: fileSink(path), context });
}

/** The columns of a table. */
function columnsIn(text: string): Record<string, number[]> {
  const [head = "", ...lines] = text.trim().split("\n");
  return Object.fromEntries(
    head.split(",").map((name, c) => [name, lines.map((line) => Number(line.split(",")[c]))]),
  );
}

async function check(folder: string, ofOthers: boolean): Promise<void> {
  const out = `${folder}/nuclei.ome.zarr`;
  const words = [
    "map",
    "gaussian:sigma=2",
    "label:threshold=otsu",
    "--channel",
    "DAPI",
    "--measure",
    "GFP,BF",
  ];
  const told = await cli([...words, "-o", out, `${folder}/cells.ome.tif`]);
  assertEquals(told.code, 0, told.err);
  assertMatch(told.out, /labels +4\n.*picture .*\n.*table +\S+nuclei\.ome\.zarr\.csv, 4 rows\n/);
  const { axes, values, shape } = await open(out);
  assertEquals([shape, values.kind], [[ROWS, COLUMNS], "label"]);
  assertEquals(axes.map(({ name, unit, scale }) => [name, unit, scale]), [["y", "µm", STEP], [
    "x",
    "µm",
    STEP,
  ]]);
  const columns = columnsIn(await Deno.readTextFile(`${out}.csv`));
  assertEquals(columns.label, [1, 2, 3, 4]);
  for (const [n, [y, x, bright]] of NUCLEI.entries()) {
    assertAlmostEquals(columns["centroid_y (µm)"]![n]!, y * STEP, 0.1);
    assertAlmostEquals(columns["centroid_x (µm)"]![n]!, x * STEP, 0.1);
    assertAlmostEquals(columns["area (µm²)"]![n]!, columns.area![n]! * STEP ** 2, 1e-9);
    assertEquals(columns.max_GFP![n], 100 + bright);
    assert(columns.min_BF![n]! <= 100 + 4 * y && columns.max_BF![n]! >= 100 + 4 * y);
  }
  const { results } = JSON.parse(await Deno.readTextFile(`${out}.run.json`));
  assertEquals(results.map((one: { result: string; files: string[] }) => [one.result, one.files.length]), [[
    "image",
    2,
  ], ["measure", 1]]);
  const again = await cli(["replay", `${out}.run.json`]);
  assertEquals([again.code, again.out.match(/same bits/g)?.length], [0, 2]);
  await Deno.remove(`${out}.csv`); // the whole set is replaced, and what it has no more goes
  assertEquals((await cli([...words.slice(0, 5), "-o", out, `${folder}/cells.ome.tif`, "-q"])).code, 0);
  if (ofOthers) await readByOthers(out);
}

/** What ome-zarr-py and napari say, where they are. */
async function readByOthers(path: string): Promise<void> {
  const { out, error } = await python(SCRIPT, "read", path);
  if (/ModuleNotFoundError/.test(error)) return;
  assertEquals(error.includes("Traceback"), false, error);
  const { specs, axes, scale, labels, napari } = JSON.parse(out.trim().split("\n").at(-1)!);
  assertEquals(specs, ["Label", "Multiscales"]);
  assertEquals(axes.map(({ name, unit }: Record<string, string>) => [name, unit]), [["y", "micrometer"], [
    "x",
    "micrometer",
  ]]);
  assertEquals([scale, labels], [[STEP, STEP], [0, 1, 2, 3, 4]]);
  const units = ["micrometer", "micrometer"];
  assertEquals(napari, { kind: "labels", shape: [ROWS, COLUMNS], scale: [STEP, STEP], units });
}

Deno.test("nuclei of a channel become labels, and a table of another channel", () =>
  withFolder(async (folder) => {
    await written(`${folder}/cells.ome.tif`);
    await check(folder, false);
  }));

Deno.test({
  name: "the same of an OME-TIFF of tifffile",
  ignore: (await python("-c", "import tifffile")).error !== "",
  fn: () =>
    withFolder(async (folder) => {
      const { error } = await python(SCRIPT, "make", `${folder}/cells.ome.tif`, samples());
      assertEquals(error, "");
      await check(folder, true);
    }),
});

Deno.test("a channel that cannot be measured is refused, and nothing is written", () =>
  withFolder(async (folder) => {
    await written(`${folder}/cells.ome.tif`);
    for (
      const [words, code, text] of [
        [
          ["label:threshold=500", "--channel", "DAPI", "--measure", "gfp2"],
          1,
          /channel has no "gfp2"; there are 0 "DAPI"/,
        ],
        [
          ["gaussian:sigma=2", "label:threshold=otsu"],
          1,
          /6 channels \(DAPI, .* of \S*cells\.ome\.tif: choose/,
        ],
        [["label:threshold=500", "--measure", "GFP"], 1, /labels have 6 × 96 × 128 samples.*--channel/],
        [
          ["downsample:factor=2", "label:threshold=500", "--channel", "DAPI", "--measure", "GFP"],
          1,
          /no filter that changes/,
        ],
        [["gaussian:sigma=1", "--channel", "DAPI", "--measure", "GFP"], 2, /--measure is for label/],
        [["label", "--channel", "DAPI", "--measure", "GFP,,"], 2, /names or numbers of channels/],
        [["label", "--channel", "DAPI", "--measure", "GFP", "--box", "0:9,0:9"], 2, /without --box/],
      ] as const
    ) {
      const told = await cli(["map", ...words, `${folder}/cells.ome.tif`, "-o", `${folder}/l.npy`, "-q"]);
      assertEquals(told.code, code, told.err);
      assertMatch(told.err, text);
      assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), ["cells.ome.tif"]);
    }
  }));

Deno.test("labels of one channel measure another one, and several at once are refused by name", () =>
  withFolder(async (folder) => {
    const [source, labels, table] = ["cells.ome.tif", "labels.npy", "t.csv"].map((name) =>
      `${folder}/${name}`
    );
    await written(source!);
    const label = ["map", "label:threshold=500", source!, "--channel", "DAPI", "-o", labels!, "-q"];
    assertEquals((await cli(label)).code, 0);
    const measure = ["map", `measure:labels=${labels}`, source!, "-o", table!, "-q"];
    const refused = await cli(measure);
    assertMatch(
      refused.err,
      /Cannot measure the 6 channels \(DAPI, .*choose one with --channel, or .*--measure/,
    );
    assertEquals((await cli([...measure, "--channel", "GFP"])).code, 0);
    const { max } = columnsIn(await Deno.readTextFile(table!));
    assertEquals(max, NUCLEI.map(([, , bright]) => 100 + bright));
  }));

Deno.test("info tells an OME-TIFF of six pages as one image, and names the pages", () =>
  withFolder(async (folder) => {
    await written(`${folder}/cells.ome.tif`);
    const { out } = await cli(["info", `${folder}/cells.ome.tif`]);
    assertMatch(out, /^\S+ \[series0\]\n/);
    assertMatch(out, /shape +6 images of 96 × 128\n/);
    assertMatch(out, /images +"ifd0" to "ifd5"; --array NAME/);
    assertEquals(out.match(/ format /g)?.length, 1);
    assertEquals((await cli(["info", "--json", `${folder}/cells.ome.tif`])).json().length, 7);
  }));

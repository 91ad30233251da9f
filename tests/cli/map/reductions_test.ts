/** Words of `map` whose result is a table or labels. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { REDUCTIONS } from "../../../src/cli/reductions/table.ts";
import { exportDataset } from "@tilewise/tilewise/unstable/results";
import { save } from "../../../src/pictures/save.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import { open } from "../../../src/formats/open.ts";
import { sizeOf } from "../../../src/space/shape.ts";
import { endingsFor } from "../../../src/sinks/registry.ts";
import { level, REGION_ROWS } from "../../views/measure/regions.ts";
import { makeTiff, type Making } from "../../formats/tiff/make.ts";
import { cli, withFolder, writeNpy } from "../harness.ts";

/** Three objects of 2 × 2, 1 × 3 and one sample of 50, 60 and 70, on 1. */
const IMAGE = [
  ...[50, 50, 1, 1, 1, 1],
  ...[50, 50, 1, 60, 60, 60],
  ...[1, 1, 1, 1, 1, 1],
  ...[1, 1, 1, 1, 1, 70],
];

async function withImage(body: (image: string, folder: string) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    await writeNpy(`${folder}/image.npy`, "|u1", [4, 6], Uint8Array.from(IMAGE));
    await body(`${folder}/image.npy`, folder);
  });
}

/** An image of two channels. */
function twoChannels(): Uint8Array<ArrayBuffer> {
  const channels = ["DAPI", "GFP"].map((name) => `<Channel Name="${name}"/>`).join("");
  const xml =
    '<OME><Image><Pixels DimensionOrder="XYCZT" SizeX="6" SizeY="4" SizeC="2" SizeT="1" SizeZ="1" Type="uint8">' +
    `${channels}<TiffData/></Pixels></Image></OME>`;
  const plane: Making = { height: 4, width: 6 };
  return makeTiff([{ ...plane, entries: [[270, 2, xml]] }, plane]);
}

function names(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

async function done(words: readonly string[]) {
  const outcome = await cli(["map", ...words, "--quiet"]);
  assertEquals([outcome.code, outcome.err], [0, ""], words.join(" "));
  return outcome;
}

Deno.test("map histogram and otsu print what they find, as lines or as JSON, and write nothing", async () => {
  await withImage(async (image, folder) => {
    const { out } = await done(["histogram", image]);
    assertStringIncludes(out, "samples      24");
    assertStringIncludes(out, "most         16 at 1");
    const [row] = (await done(["histogram", image, "--json"])).json();
    assertEquals(row!.columns, { value: [1, 50, 60, 70], count: [16, 4, 3, 1] });
    assertEquals([row!.result, row!.samples, row!.mode], ["histogram", 24, 1]);
    const [bins] = (await done(["histogram:bins=2,from=0,to=80", image, "--json"])).json();
    assertEquals(bins!.columns, { start: [0, 40], stop: [40, 80], count: [16, 8] });
    const [otsu] = (await done(["otsu", image, "--json"])).json();
    assertEquals([otsu!.threshold, otsu!.columns], [1, { threshold: [1] }]);
    const [smooth] = (await done(["maximum", "histogram", image, "--json"])).json();
    assertEquals((smooth!.columns as Record<string, number[]>).value, [1, 50, 60, 70]);
    assertEquals(names(folder), ["image.npy"]);
  });
});

Deno.test("map label of an image of several tiles writes the labels of SciPy into every kind of file", async () => {
  const { shape, kind, seed, count, sha256 } = REGION_ROWS[0]!;
  await withFolder(async (folder) => {
    const of = level(kind, shape, seed);
    const image = Uint8Array.from({ length: sizeOf(shape) }, (_, flat) => of(flat));
    await writeNpy(`${folder}/image.npy`, "|u1", shape, image);
    for (const ending of endingsFor("results")) {
      const out = `${folder}/labels${ending}`;
      const [row] = (await done(["label:threshold=50", `${folder}/image.npy`, "-o", out, "--json"])).json();
      const [stats] = (await cli(["stats", out, "--json", "--sha256"])).json();
      assertEquals([row!.count, row!.sha256, stats!.sha256], [count, sha256, sha256], ending);
    }
  });
});

Deno.test("map label writes labels as an image, tells how many there are, and can be replayed", async () => {
  await withImage(async (image, folder) => {
    for (const name of ["labels.npy", "labels.zarr", "labels.tif"]) {
      const out = `${folder}/${name}`;
      const [row] = (await done(["label:threshold=otsu", image, "-o", out, "--json"])).json();
      assertEquals([row!.count, row!.dtype, row!.shape], [3, "uint32", [4, 6]]);
      const [stats] = (await cli(["stats", out, "--json", "--sha256"])).json();
      assertEquals([stats!.sum, stats!.max, stats!.sha256], [4 + 6 + 3, 3, row!.sha256]);
      assertEquals((await cli(["replay", `${out.replace(".npy", "")}.run.json`])).code, 0);
    }
    const corner = await done(["label:connectivity=2", image, "-o", `${folder}/mask.npy`, "--json"]);
    assertEquals(corner.json()[0]!.count, 1);
  });
});

Deno.test("map measure labels what filters leave, measures the source, and removes what it needed", async () => {
  await withImage(async (image, folder) => {
    const table = `${folder}/table.csv`;
    const words = ["maximum:radius=0", "minimum:radius=0", "measure:threshold=40", image];
    const { out } = await done([...words, "-o", table]);
    assertStringIncludes(out, "labels    3");
    assertStringIncludes(out, "area      1 to 4, median 3");
    assertEquals((await Deno.readTextFile(table)).split("\n"), [
      "label,area,centroid_y,centroid_x,origin_y,origin_x,size_y,size_x,mean,min,max",
      "1,4,0.5,0.5,0,0,2,2,50,50,50",
      "2,3,1,4,1,3,1,3,60,60,60",
      "3,1,3,5,3,5,1,1,70,70,70",
      "",
    ]);
    assertEquals(names(folder), ["image.npy", "table.csv", "table.csv.run.json"]);
    const manifest = JSON.parse(await Deno.readTextFile(`${folder}/table.csv.run.json`));
    assertEquals([manifest.reduction, manifest.results[0].shape], [
      { name: "measure", params: { threshold: 40 } },
      [3],
    ]);
    const again = await cli(["replay", `${folder}/table.csv.run.json`, "--quiet"]);
    assertEquals([again.code, again.out], [0, "  measure  same bits\n"], again.err);
  });
});

Deno.test("map measure says areas and places in the unit of the image as well, with the unit in the names", async () => {
  await withFolder(async (folder) => {
    const image = ndarray(Uint8Array.from(IMAGE), [4, 6], "uint8");
    const axes = [{ name: "y", kind: "space", scale: 0.5, unit: "µm" }, {
      name: "x",
      kind: "space",
      scale: 0.25,
      offset: 10,
      unit: "µm",
    }] as const;
    await save({ ...image, axes }, `${folder}/image.hspy`);
    await done(["measure:threshold=40", `${folder}/image.hspy`, "-o", `${folder}/table.csv`]);
    const [head, ...rows] = (await Deno.readTextFile(`${folder}/table.csv`)).trim().split("\n").map((line) =>
      line.split(",")
    );
    assertEquals(head!.slice(-3), ["area (µm²)", "centroid_y (µm)", "centroid_x (µm)"]);
    assertEquals(rows.map((row) => row.slice(-3).map(Number)), [
      [0.5, 0.25, 10.125],
      [0.375, 0.5, 11],
      [0.125, 1.5, 11.25],
    ]);
  });
});

Deno.test("map measure says areas of images in a series, and of smaller images, in the unit of an image", async () => {
  await withFolder(async (folder) => {
    const series = ndarray(Uint8Array.from([...IMAGE, ...IMAGE]), [2, 4, 6], "uint8");
    const space = { kind: "space", scale: 0.5, unit: "µm" } as const;
    const axes = [
      { name: "t", kind: "time", scale: 3, offset: 1, unit: "s" } as const,
      { name: "y", ...space },
      { name: "x", ...space },
    ];
    await save({ ...series, axes }, `${folder}/series.hspy`);
    const table = async (words: readonly string[]) => {
      const [row] = (await done([...words, `${folder}/series.hspy`, "--json"])).json();
      return row!["columns"] as Record<string, number[]>;
    };
    const whole = await table(["measure:threshold=40"]);
    assertEquals(whole["area (µm²)"], whole["area"]!.map((n) => n / 4));
    assertEquals(whole["centroid_t (s)"], whole["centroid_t"]!.map((t) => 1 + 3 * t));
    assertEquals(whole["centroid_x (µm)"], whole["centroid_x"]!.map((x) => x / 2));
    const smaller = await table(["downsample:factor=2", "measure:threshold=20"]);
    assertEquals(smaller["area (µm²)"], smaller["area"]);
    assertEquals(smaller["centroid_x (µm)"], smaller["centroid_x"]!.map((x) => x + 0.25));
    const through = await table(["measure:threshold=40", "--axes", "all"]);
    assertEquals([through["area (µm²)"], through["centroid_x (µm)"]!.length], [
      undefined,
      through["label"]!.length,
    ]);
  });
});

Deno.test("map measure keeps all digits of identifiers of 64 bits", async () => {
  await withFolder(async (folder) => {
    const ids = { data: BigUint64Array.of(0n, 864691135335110001n, 5n, 864691135335110000n), shape: [2, 2] };
    await exportDataset(await open({ ...ids, dtype: "uint64" }), `${folder}/ids.npy`);
    const [row] = (await done(["measure", `${folder}/ids.npy`, "--json"])).json();
    const { columns } = row as { columns: { label: unknown; area: unknown } };
    assertEquals([columns.label, columns.area], [[5, "864691135335110000", "864691135335110001"], [1, 1, 1]]);
    await done(["measure", `${folder}/ids.npy`, "-o", `${folder}/ids.csv`]);
    const lines = (await Deno.readTextFile(`${folder}/ids.csv`)).split("\n");
    assertEquals(lines.map((line) => line.split(",")[0]), [
      "label",
      "5",
      "864691135335110000",
      "864691135335110001",
      "",
    ]);
  });
});

Deno.test("map measure takes labels from a file, or is given labels, and writes JSON", async () => {
  await withImage(async (image, folder) => {
    await done(["label:threshold=40", image, "-o", `${folder}/labels.npy`, "--no-manifest", "--no-picture"]);
    const [row] = (await done([`measure:labels=${folder}/labels.npy`, image, "--json"])).json();
    assertEquals((row!.columns as Record<string, number[]>).mean, [50, 60, 70]);
    await done(["measure", `${folder}/labels.npy`, "-o", `${folder}/table.json`]);
    const table = JSON.parse(await Deno.readTextFile(`${folder}/table.json`));
    assertEquals([table.area, table.mean], [[4, 3, 1], undefined]);
  });
});

Deno.test("what a reduction cannot do is a mistake of the command line", async () => {
  await withImage(async (image, folder) => {
    const refused = async (words: readonly string[], text: string, code = 2) => {
      const outcome = await cli(["map", ...words]);
      assertEquals(outcome.code, code, outcome.err);
      assertStringIncludes(outcome.err, text);
    };
    const out = ["-o", `${folder}/x.csv`];
    await refused(["otsu", "median", image, ...out], "otsu must be the last of the filters");
    await refused(["histgram", image, ...out], "did you mean histogram?");
    await refused(["histogram:from=1", image, ...out], "takes from and to together");
    await refused(["histogram:bins=0", image, ...out], "bins", 1);
    await refused(["otsu:bins=1", image, ...out], "it takes none");
    await refused(["label:threshold=high", image, "-o", "x.npy"], "write a number, or otsu");
    await refused(["label", image, ...out], "for labels the name must end with .npy, ");
    await refused(["label", image], "map needs -o OUT");
    await refused(["measure:threshold=1,labels=a.npy", image, ...out], "threshold or labels, not both");
    await refused(["measure:labels=nowhere.npy", image, ...out], "nowhere.npy", 1);
    await refused(["histogram", image, "-o", `${folder}/x.npy`], "the table of histogram");
    assertEquals(names(folder), ["image.npy"]);
  });
});

/** Words that cannot be done on `image.npy`, the file of the result, and why. */
const REFUSED: readonly (readonly [words: string, text: string])[] = [
  ["histogram:from=1 image.npy -o x.csv", "takes from and to together"],
  ["histogram:from=5,to=2 image.npy -o x.csv", "the smaller one first"],
  ["histogram:bins=0 image.npy -o x.csv", '"bins" is 0'],
  ["label:connectivity=3 image.npy -o x.npy", "differ in 3 dimensions"],
  ["label image.npy -o x.ome.zarr --chunk 3x5", "even sizes"],
  ["label image.npy -o x.zarr --chunk 3x5x7", "one size for each dimension"],
  ["label image.npy -o x.zarr --reduce mean", "names have no mean"],
  ["measure image.npy -o x.csv", "labels of float32"],
  ["measure:threshold=1,connectivity=9 image.npy -o x.csv", "differ in 9 dimensions"],
  ["measure:labels=none.npy image.npy -o x.csv", "none.npy"],
  ["measure:labels=labels.npy image.npy -o x.csv", "labels of 2 × 6"],
  ["label:threshold=otsu two.ome.tif -o x.npy", "one threshold for the 2 channels"],
  ["measure:threshold=otsu two.ome.tif -o x.csv", "one threshold for the 2 channels"],
  ["downsample:factor=2 label two.ome.tif --channel 0 --measure GFP -o x.npy", "labels have 2 × 3 samples"],
];

Deno.test("what a reduction refuses is refused before its filters are computed, and in a dry run", async () => {
  await withImage(async (image, folder) => {
    await writeNpy(`${folder}/labels.npy`, "|u1", [2, 6], new Uint8Array(12));
    await Deno.writeFile(`${folder}/two.ome.tif`, twoChannels());
    const before = names(folder);
    const inFolder = (word: string) => word.replace(/^(?=\w+\.[a-z.]+$)|(?<=labels=)/, `${folder}/`);
    for (const [words, text] of REFUSED) {
      const all = ["map", "gaussian:sigma=1", ...words.split(" ").map(inFolder)];
      const planned = await cli([...all, "--dry-run"]);
      assertStringIncludes(planned.err, text, words);
      const run = await cli(all);
      assertEquals([run.code, run.err, names(folder)], [planned.code, planned.err, before]);
    }
    assertEquals((await cli(["map", "gaussian:sigma=1", "label", image, "--dry-run"])).code, 0);
  });
});

Deno.test("every reduction has a page of help, and a line in the list", async () => {
  const { out } = await cli(["help", "map"]);
  for (const { name, example, parameters } of REDUCTIONS) {
    assertStringIncludes(out, `    ${name} `);
    const page = await cli(["help", "map", name]);
    assertEquals(page.code, 0, page.err);
    for (const key of Object.keys(parameters)) assertStringIncludes(page.out, `  ${key} `);
    assertStringIncludes(page.out, `tilewise map ${example}`);
  }
});

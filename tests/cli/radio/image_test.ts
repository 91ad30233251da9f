/** `tilewise image`: a known source is where it is, in all kinds of files, with the coordinates of the sky. */

import "../../fences/mod.ts";
import { assert, assertAlmostEquals, assertEquals, assertMatch } from "@std/assert";
import { radecToLm } from "../../../src/rime/geometry/directions.ts";
import { pathOf } from "../../observations/expected.ts";
import { findText } from "../../pictures/axes/find_text.ts";
import { readPng } from "../../pictures/read_png.ts";
import { open } from "../../../src/formats/open.ts";
import { cli, withFolder } from "../harness.ts";

const DEGREE = Math.PI / 180;
/** A source to the north-east of the phase centre (1.4, −0.52). */
const SOURCE = [80.9, -29.2] as const;

/** Calls `body` with a folder that has `model.zarr`: that source with 2 Jy, on the baselines of a UVH5 file. */
async function withModel(body: (folder: string) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/sky.csv`, `Name,Ra,Dec,I\na,${SOURCE.join()},2\n`);
    const words = ["predict", `${folder}/sky.csv`, pathOf("small.uvh5"), "-o", `${folder}/model.zarr`, "-q"];
    assertEquals((await cli(words)).code, 0);
    await body(folder);
  });
}

/** The cards of a FITS file, as texts. */
function cardsOf(bytes: Uint8Array): Record<string, string> {
  const text = new TextDecoder().decode(bytes.subarray(0, 2880 * 2));
  const cards = Array.from({ length: 72 }, (_, i) => text.slice(80 * i, 80 * i + 80));
  const entries = cards.filter((card) => card[8] === "=").map((
    card,
  ) => [card.slice(0, 8).trim(), card.slice(10).trim()]);
  return Object.fromEntries(entries);
}

Deno.test("a known source is where it is in images, which share a model", async (t) => {
  await withModel(async (folder) => {
    await t.step("FITS has the coordinates of the sky", () => inFits(folder));
    await t.step("pictures have axes in degrees, right ascension to the left", () => inPicture(folder));
  });
});

async function inFits(folder: string): Promise<void> {
  const out = `${folder}/day.fits`;
  const flags = ["--pixels", "64x48", "--cell", "4amin", "--json"];
  const told = await cli(["image", `${folder}/model.zarr`, "-o", out, ...flags]);
  assertEquals(told.code, 0, told.err);
  const { peak, files, shape, cellArcsec, correlation, sumOfWeights } = told.json()[0]! as Record<
    string,
    unknown
  >;
  assertEquals([files, shape, correlation, sumOfWeights], [[out, `${folder}/day.png`], [48, 64], "I", 120]);
  assertAlmostEquals(cellArcsec as number, 240, 1e-9);
  const { value, ra, dec, pixel: [row, column] } = peak as {
    value: number;
    ra: number;
    dec: number;
    pixel: [number, number];
  };
  assert(value > 1.9 && value <= 2.0001, String(value));
  assert(Math.abs(ra / DEGREE - SOURCE[0]) < 0.06 && Math.abs(dec / DEGREE - SOURCE[1]) < 0.06);
  assert(column < 32 && row > 24); // east is left, north has the larger row
  const bytes = await Deno.readFile(out);
  const cards = cardsOf(bytes);
  assertEquals([cards.CTYPE1, cards.CTYPE2, cards.NAXIS1, cards.NAXIS2, cards.CRVAL4], [
    "'RA---SIN'",
    "'DEC--SIN'",
    "64",
    "48",
    "1",
  ]);
  const [l, m] = radecToLm([SOURCE[0] * DEGREE, SOURCE[1] * DEGREE], [1.4, -0.52]).lm;
  const at = (axis: 1 | 2, value: number) =>
    value / DEGREE / Number(cards[`CDELT${axis}`]) + Number(cards[`CRPIX${axis}`]) - 1;
  assert(Math.abs(at(1, l!) - column) <= 0.51 && Math.abs(at(2, m!) - row) <= 0.51);
  assertAlmostEquals(Number(cards.CRVAL1), 1.4 / DEGREE, 1e-12);
  assertAlmostEquals(Number(cards.CRVAL2), -0.52 / DEGREE, 1e-12);
  const view = new DataView(bytes.buffer, bytes.length - 2880 * Math.ceil(64 * 48 * 8 / 2880));
  assertAlmostEquals(view.getFloat64(8 * (row * 64 + column)), value, 1e-12);
}

async function inPicture(folder: string): Promise<void> {
  const out = `${folder}/a.png`;
  const told = await cli([
    "image",
    `${folder}/model.zarr`,
    "-o",
    out,
    "--pixels",
    "64",
    "--cell",
    "4amin",
    "-q",
  ]);
  assertEquals([told.code, told.err], [0, ""]);
  assertMatch(told.out, /image {8}64 × 64 pixels of 4 arcmin, 4\.267 deg × 4\.267 deg/);
  assertMatch(told.out, /centre {7}05h20m51\.38s −29°47′37\.7″/);
  const { width, height, samples } = readPng(await Deno.readFile(out));
  const picture = { width, height, channels: 3, data: Uint8Array.from(samples) } as const;
  const one = (text: string, up = false) => findText(picture, text, 2, up);
  assertEquals([one("right ascension offset (deg)").length, one("declination offset (deg)", true).length], [
    1,
    1,
  ]);
  assert(one("1")[0]!.x < one("−1").at(-1)!.x);
  const yellow = Array.from({ length: width * height }, (_, i) => i).filter((i) =>
    // the highest value: 253, 231, 37
    samples[3 * i] === 253 && samples[3 * i + 1] === 231 && i % width < 0.8 * width
  );
  const [x, y] = [yellow[0]! % width, Math.floor(yellow[0]! / width)];
  assert(x < width / 2.4 && y < height / 2.2, `${x} ${y}`); // north-east: above and to the left
}

Deno.test("image takes any correlation and column, and says what would be imaged", async () => {
  const path = pathOf("small.ms");
  await withFolder(async (folder) => {
    const flags = [
      "--column",
      "MODEL_DATA",
      "--correlation",
      "yx",
      "--weighting",
      "uniform",
      "--pixels",
      "16",
      "-q",
    ];
    const told = await cli(["image", path, ...flags, "-o", `${folder}/a.npy`, "--no-picture", "--json"]);
    assertEquals(told.code, 0, told.err);
    const { files, correlation, weighting, losses } = told.json()[0]!;
    assertEquals([files, correlation, weighting], [[`${folder}/a.npy`], "YX", "uniform"]);
    const lost = "name of declination, right ascension; kind of declination, right ascension; " +
      "scale and unit of declination, right ascension; " +
      "offset of declination, right ascension; the unit of samples";
    assertEquals(losses, lost);
    const plain = await cli(["image", path, ...flags, "-o", `${folder}/a.npy`, "--no-picture"]);
    assertEquals(plain.out.split("\n").filter((line) => line.endsWith(lost)).length, 1);
    const whole = await cli(["image", path, ...flags, "-o", `${folder}/a.fits`, "--no-picture", "--json"]);
    assertEquals(whole.json()[0]!.losses, undefined);
    const types = await Promise.all(
      ["fits", "npy"].map(async (kind) => (await open(`${folder}/a.${kind}`)).dtype),
    );
    assertEquals(types, ["float64", "float64"], "pixels are written as they are");
    await Deno.remove(`${folder}/a.fits`);
    const single = [...flags, "--precision", "mixed", "-o", `${folder}/a.npy`, "--no-picture"];
    assertEquals((await cli(["image", path, ...single])).code, 0);
    assertMatch(await Deno.readTextFile(`${folder}/a.run.json`), /"dtype": ?"float32"/);
    assertEquals((await open(`${folder}/a.npy`)).dtype, "float32");
    const dry = await cli(["image", path, "--dry-run", "-q"]);
    assertMatch(dry.out, /^image\.png\n {2}image {8}512 × 512 pixels of [\d.]+ arcsec/);
    assertMatch(dry.out, /\nmemory: .* for planes of .* for reading rows .*, of a budget of /);
    const bands = ["--bands", "2", "--memory", "48MiB", "-o", "x.fits", "--dry-run", "--json"];
    const { peakBytes, explain } = (await cli(["image", path, ...bands])).json()[0]!;
    assert((peakBytes as number) > 2 ** 20 && (peakBytes as number) <= 48 * 2 ** 20, `${peakBytes}`);
    assertMatch(String(explain), /planes of w; the rows are read/);
    const written = [...Deno.readDirSync(folder)].map(({ name }) => name).toSorted();
    assertEquals(written, ["a.fits.run.json", "a.npy", "a.run.json"]);
  });
});

Deno.test("image refuses what it does not know, before it reads", async () => {
  const bad: [string[], number, RegExp][] = [
    [["-o", "x.tif"], 2, /must end with \.png, \.fits or \.npy/],
    [["--pixels", "0"], 2, /--pixels 0: write one or two sizes/],
    [["--cell", "2"], 2, /--cell 2: write an angle such as 2asec/],
    [
      ["--weighting", "robust"],
      2,
      /--weighting robust: write natural, uniform or briggs:R with R from -2 to 2/,
    ],
    [["--weighting", "briggs:2.1"], 2, /--weighting briggs:2\.1: write natural/],
    [["--weighting", "briggs:"], 2, /--weighting briggs:: write natural/],
    [["--bands", "0"], 2, /--bands 0: write a whole number from 1, or each/],
    [["--correlation", "RR"], 1, /Cannot take RR of .*: it has XX, XY, YX, YY, I, Q, U, V/],
    [["--column", "OTHER"], 1, /OTHER/],
    [["--pixels", "70000"], 2, /--pixels 70000: write one or two sizes of at most 65536/],
    [["--cell", "1deg", "--pixels", "512"], 2, /512 × 512 pixels of 60 arcmin: its corners are beyond/],
  ];
  for (const [flags, code, text] of bad) {
    const told = await cli(["image", pathOf("small.ms"), "-q", ...flags]);
    assertEquals(told.code, code, told.err);
    assertMatch(told.err, text);
  }
});

for (const [verb, file] of [["image", "day.fits"], ["uvplot", "uv.png"]] as const) {
  Deno.test(`${verb} that is interrupted at any time writes all or nothing`, async () => {
    const codes = new Set<number>();
    for (const delay of [0, 2, 5, 10, 20, 40]) {
      await withFolder(async (folder) => {
        const controller = new AbortController();
        const timer = setTimeout(() => controller.abort(new Error("interrupted")), delay);
        const words = [verb, pathOf("small.ms"), "-q", "-o", `${folder}/${file}`, "--no-picture"];
        const { code } = await cli(verb === "image" ? words : words.slice(0, -1), controller);
        clearTimeout(timer);
        codes.add(code);
        const left = [...Deno.readDirSync(folder)].map(({ name }) => name);
        assertEquals(left, code === 130 ? [] : [file]);
      });
    }
    assert(codes.has(130) && [...codes].every((code) => code === 0 || code === 130), String([...codes]));
  });
}

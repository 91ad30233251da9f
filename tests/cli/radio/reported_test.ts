/**
 * Every reported case of observations on the command line, with the value that other programs found for it. A case without a
 * check here fails, so that new ones are not forgotten.
 */

import "../../fences/mod.ts";
import { assert, assertAlmostEquals, assertEquals, assertMatch } from "@std/assert";
import { openObservation } from "../../../src/observations/open.ts";
import { directImage } from "../../oracles/direct_image.ts";
import { predict } from "@tilewise/tilewise/rime";
import { feedRotation } from "@tilewise/tilewise/unstable/rime";
import { readSky } from "../../../src/skies/read.ts";
import { allSamples } from "../../observations/expected.ts";
import { errorOf } from "../../rime/image/data.ts";
import { reportCases } from "../../formats/conformance/reports.ts";
import { reportedPath, reportedTable } from "../../observations/packed.ts";
import { cli, withFolder } from "../harness.ts";

/** A case as it is reported, and where its files are. */
interface Reported {
  readonly id: string;
  // deno-lint-ignore no-explicit-any -- each case has its own form
  readonly expected: any;
  /** The path of a file, or of an unpacked table. */
  readonly at: (name: string) => string;
  /** A folder for what is written. */
  readonly folder: string;
}

/** Tables that a check needs besides those of its case. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  "gaussian-angles": ["sk.ms.tgz"],
  "xradio-both-ways": ["plain.ms.tgz"],
};

type Check = (reported: Reported) => Promise<void>;

/** The values of a `.npy` of complex128 that a prediction gives, and its shape. */
async function predicted(sky: string, set: string, { at, folder }: Reported, ...flags: string[]) {
  const out = `${folder}/out.npy`;
  const told = await cli(["predict", at(sky), at(set), "-o", out, "--json", ...flags]);
  assertEquals(told.code, 0, told.err);
  const shape = told.json().at(-1)!["shape"] as [number, number, number];
  const bytes = await Deno.readFile(out);
  const count = 2 * shape[0] * shape[1] * shape[2];
  return { shape, data: new Float64Array(bytes.slice(bytes.length - 8 * count).buffer), err: told.err };
}

/** The first correlation of the first channel of the first rows is what the case says, to `tolerance`. */
function firstRows(set: string, sky = "sky.txt", tolerance = 1e-12): Check {
  return async (reported) => {
    const { shape: [rows, channels, correlations], data } = await predicted(sky, set, reported);
    const values = reported.expected.or?.[1] ?? reported.expected;
    const name = Object.keys(values).find((key) => key.startsWith("first correlation"))!;
    const expected: number[][] = values[name], each = 2 * channels * correlations;
    assertEquals(expected.length, Math.min(6, rows));
    expected.forEach((pair, row) => near(data.subarray(row * each, row * each + 2), pair, tolerance));
  };
}

/** The command is refused, with these words, and no file is left. */
function refused(message: RegExp, ...words: readonly string[]): Check {
  return async ({ at, folder }) => {
    const placed = words.map((word) =>
      /\.(txt|uvh5)$/.test(word) ? at(word) : word.replace(/^out/, `${folder}/out`)
    );
    const told = await cli(placed);
    assertEquals(told.code, 1);
    assertMatch(told.err, message);
    assertEquals([...Deno.readDirSync(folder)].filter(({ name }) => name.startsWith("out")), []);
  };
}

/** The source of a prediction is at l, m, with the baselines that pyuvdata wrote. */
function oneSource(file: string, sky = "skys.txt"): Check {
  return async (reported) => {
    const { shape: [rows, channels, correlations], data } = await predicted(sky, file, reported);
    await using observation = await openObservation(reported.at(file));
    const uvw = await observation.uvw(0, rows),
      [ra, dec] = [0.01, -0.51],
      [s, c] = [Math.sin(-0.5), Math.cos(-0.5)];
    const l = Math.cos(dec) * Math.sin(ra), m = Math.sin(dec) * c - Math.cos(dec) * s * Math.cos(ra);
    const n = Math.sqrt(1 - l * l - m * m);
    for (let row = 0; row < rows; row++) {
      for (let channel = 0; channel < channels; channel++) {
        const [u, v, w] = uvw.subarray(3 * row, 3 * row + 3) as unknown as [number, number, number];
        const angle = 2 * Math.PI * (u * l + v * m + w * (n - 1)) * observation.frequencies[channel]! /
          299792458;
        const from = 2 * correlations * (row * channels + channel);
        near(data.subarray(from, from + 2), [Math.cos(angle), Math.sin(angle)], 1e-10);
      }
    }
  };
}

/** The flags of the rows are seen by an image. */
function flagged(set: string, warning: RegExp): Check {
  return async ({ at, folder }) => {
    const flags = ["--json", "--no-picture", "--pixels", "64", "--cell", "4asec"];
    const told = await cli(["image", at(set), "-o", `${folder}/out.npy`, ...flags]);
    assertEquals(told.code, 0, told.err);
    const { sumOfWeights, peak } = told.json().at(-1)! as { sumOfWeights: number; peak: { value: number } };
    assertEquals(sumOfWeights, 136);
    assertAlmostEquals(peak.value, 1, 1e-4);
    assertMatch(told.err, warning);
  };
}

/** An image as an array of rows. */
async function imaged(set: string, { at, folder }: Reported, pixels: number, ...flags: string[]) {
  const out = `${folder}/out.npy`, size = ["--no-picture", "--pixels", String(pixels)];
  const told = await cli(["image", at(set), "-o", out, "--json", ...size, ...flags]);
  assertEquals(told.code, 0, told.err);
  const bytes = await Deno.readFile(out);
  return new Float64Array(bytes.slice(bytes.length - 8 * pixels * pixels).buffer);
}

/** The numbers in the header of a FITS file that an image becomes, and what the command says of it. */
async function inFits(set: string, { at, folder }: Reported, ...flags: string[]) {
  const out = `${folder}/out.fits`;
  const told = await cli(["image", at(set), "-o", out, "--json", "--no-picture", ...flags]);
  assertEquals(told.code, 0, told.err);
  const text = new TextDecoder().decode((await Deno.readFile(out)).subarray(0, 5760));
  const card = (name: string) => Number(text.match(new RegExp(`${name.padEnd(8)}= *([-+0-9.E]+)`))![1]);
  return { card, peak: told.json().at(-1)!["peak"] as { pixel: number[]; ra: number } };
}

/** The image of two rows with equal w below 0 is the sum over its samples. */
async function oneHeight(reported: Reported): Promise<void> {
  const data = await imaged("onew_neg.ms", reported, 64, "--cell", "60asec");
  await using observation = await openObservation(reported.at("onew_neg.ms"));
  const { rows, frequencies, correlations } = observation, cell = 60 * Math.PI / 648000;
  const uvw = await observation.uvw(0, rows), channels = frequencies.length;
  const samples = await allSamples(observation.visibility!) as Float64Array;
  const pairs = Array.from({ length: rows * channels }, (_, k) => {
    const at = 2 * k * correlations.length, last = at + 2 * (correlations.length - 1);
    return [0, 1].map((part) => (samples[at + part]! + samples[last + part]!) / 2);
  });
  const grid = { pixels: [64, 64], cell: [-cell, cell], centre: [0, 0] } as const;
  const options = { convention: "casa", wTerm: true } as const;
  const sum = directImage({ uvw, frequency: frequencies }, pairs.flat(), undefined, grid, options);
  const expected = sum.map((value) => value / pairs.length); // weights are equal
  assert(errorOf(data, expected) <= 1e-5);
  assertAlmostEquals(data[47 * 64 + 52]!, 1, 1e-4);
}

/** Angles of receptors belong to X and Y, whichever is first. */
function receptors(set: string): Check {
  return async ({ at, expected }) => {
    const sky = await readSky(new TextEncoder().encode("Name,l,m,I,Q,U,V\na,0.001,0.002,1,0.3,0.2,0.1\n"));
    await using observation = await openObservation(at(set));
    const parallactic_angles = new Float64Array(observation.times.length * observation.antennas.length);
    const options = { terms: [feedRotation("linear")], termInputs: { parallactic_angles } };
    const { data } = await predict(sky, observation, options);
    near(data.subarray(0, 8), expected["row 0, channel 0: XX, XY, YX, YY as [re, im]"].flat(), 1e-10);
  };
}

/** Gaussians of 120 × 40, 200 × 20 and 20 × 200 seconds of arc, by africanus.model.shape.gaussian. */
const GAUSSIANS = [
  ["0.001,0.002,1,120,40,30", [
    -0.11235810816522988,
    -0.9760660023664521,
    -0.8917901914020779,
    0.263293751127797,
  ]],
  ["-0.003,0.001,1,200,20,150", [
    -0.5886903961310089,
    -0.6812735589332152,
    -0.12935121269757408,
    0.6435234002785559,
  ]],
  ["0.002,-0.002,1,20,200,30", [
    -0.9119321031943373,
    0.21150325971057063,
    0.687753626895142,
    -0.34758455905161584,
  ]],
] as const;

async function gaussians(reported: Reported): Promise<void> {
  for (const [i, [values, expected]] of GAUSSIANS.entries()) {
    const sky = `${reported.folder}/gaussian${i}.txt`;
    const head = "Format = Name, Type, l, m, I, MajorAxis, MinorAxis, Orientation\n";
    await Deno.writeTextFile(sky, `${head}a,GAUSSIAN,${values}\n`);
    const at = (name: string) => name === "own" ? sky : reported.at(name);
    const { shape: [, channels, correlations], data } = await predicted("own", "sk.ms", { ...reported, at });
    const each = 2 * channels * correlations;
    near([...data.subarray(0, 2), ...data.subarray(each, each + 2)], expected, 1e-11);
  }
}

/** What a case is checked by, or where its random inputs are drawn, or its kind is tested. */
const CHECKS: Readonly<Record<string, Check | URL>> = {
  "flag-row-image": flagged("flagrow.ms", /^(?![^]*FLAG)/),
  "flag-hole": flagged("flag_hole.ms", /Row 18 has no value in the column FLAG/),
  "frame-b1950": firstRows("b1950.ms", "sky.txt", 1e-6),
  "uvh5-fk4": firstRows("s_fk4.uvh5", "sky_fk4.txt", 1e-8),
  "uvh5-unprojected": refused(
    /unprojected.*altaz/,
    "predict",
    "skyz.txt",
    "unprojected.uvh5",
    "-o",
    "out.npy",
  ),
  "uvh5-old-drift": async (reported) => {
    const told = await cli(["info", reported.at("old.uvh5")]);
    assertMatch(told.out, /observation +cannot be read: .*drift \(phase_type\)/);
    await refused(/drift \(phase_type\)/, "predict", "skys.txt", "old.uvh5", "-o", "out.npy")(reported);
  },
  "uvh5-field-number": async (reported) => {
    const { shape: [rows] } = await predicted("skys.txt", "many.uvh5", reported, "--field", "2");
    assertEquals(rows, 15);
    const flags = ["--field", "2", "--no-picture", "--pixels", "32", "--json"];
    const told = await cli(["image", reported.at("many.uvh5"), "-o", `${reported.folder}/f02.npy`, ...flags]);
    assertEquals((told.json().at(-1)!["phaseCentre"] as number[])[0], 0.32);
  },
  "units-deg": firstRows("deg.ms"),
  "units-km": firstRows("km.ms"),
  "foreign-predict": firstRows("foreign.ms"),
  "stman-aipsio": firstRows("aips.ms"),
  "dysco": async (reported) => {
    await firstRows("dysco.ms")(reported);
    assertEquals((await cli(["uvplot", reported.at("dysco.ms"), "-o", `${reported.folder}/uv.png`])).code, 0);
  },
  "reftable": async (reported) => {
    const whole = await predicted("sky.txt", "plain.ms", reported);
    const some = await predicted("sky.txt", "ref.ms", reported);
    await using all = await openObservation(reported.at("plain.ms"));
    const first = await all.antenna1(0, all.rows), each = whole.data.length / whole.shape[0];
    const rows = [...first.keys()].filter((row) => first[row] === 0);
    assertEquals([some.shape[0], rows.length], [9, 9]);
    assertEquals(
      [...some.data],
      rows.flatMap((row) => [...whole.data.subarray(row * each, (row + 1) * each)]),
    );
  },
  "uvfits": async (reported) => {
    assertEquals((await predicted("skys.txt", "x.uvfits", reported)).shape[0], 45);
    await oneSource("x.uvfits")(reported);
  },
  "uvh5-desc": oneSource("desc.uvh5"),
  "uvh5-conj": oneSource("conj.uvh5"),
  "sky-wsclean-negative-ra": firstRows("sk.ms", "sky_wsclean-negative-ra.txt"),
  "sky-sixty-seconds": firstRows("sk.ms", "sky_sixty-seconds.txt"),
  "sky-oskar-header": firstRows("sk.ms", "sky_oskar-header.txt"),
  "sky-orientation-absolute": firstRows("sk.ms", "sky_orientation-absolute.txt"),
  "sky-mixed-spectra": firstRows("sk.ms", "sky_mixed-spectra.txt"),
  "sky-behind": async (reported) => {
    const { at, folder } = reported, words = ["predict", at("sky_behind.txt"), at("sk.ms"), "-o"];
    const told = await cli([...words, `${folder}/refused.npy`]);
    assertEquals(told.code, 1);
    assertMatch(told.err, /component 1, "b".*more than 90° from the phase centre.*--behind skip/);
    const skipping: Reported = {
      ...reported,
      at: (name) => name === "skip" ? at("sky_behind.txt") : at(name),
    };
    const { shape: [, channels, correlations], data } = await predicted(
      "skip",
      "sk.ms",
      skipping,
      "--behind",
      "skip",
    );
    const [pairs] = Object.values(reported.expected) as [number[][]], each = 2 * channels * correlations;
    pairs.forEach((pair, row) => near(data.subarray(row * each, row * each + 2), pair, 1e-12));
  },
  "image-one-w-neg": oneHeight,
  "dirty-rms-one-row": new URL("../../rime/image/image_test.ts", import.meta.url),
  "image-epsilon": new URL("../../compare/images/main.ts", import.meta.url),
  "fits-pole-N": async (reported) => {
    const { card, peak: { pixel, ra } } = await inFits(
      "poleN.ms",
      reported,
      "--pixels",
      "256",
      "--cell",
      "41.25asec",
    );
    assertEquals([card("LONPOLE"), card("CRVAL2"), pixel], [180, 90, [133, 118]]);
    // FITS WCS II, 2.4: with LONPOLE 180 at the pole, right ascension grows from that of the reference by the angle of the pixel
    const [x, y] = [(118 + 1 - card("CRPIX1")) * card("CDELT1"), (133 + 1 - card("CRPIX2")) * card("CDELT2")];
    const seen = card("CRVAL1") * Math.PI / 180 + Math.atan2(x, -y);
    assertAlmostEquals(Math.cos(seen - 2.3344), 1, 1e-4);
    assertAlmostEquals(Math.cos(seen - ra), 1, 1e-9);
  },
  "fits-freq-negw": async (reported) => {
    const { card } = await inFits("negw.ms", reported, "--pixels", "32");
    assertEquals([card("CRVAL3"), Math.abs(card("CDELT3"))], [1398000000, 5000000]);
  },
  "feeds-yx": receptors("feed_yx.ms"),
  "feeds-xy": receptors("feed_xy.ms"),
  "xradio-both-ways": async (reported) => {
    const [own, plain] = [
      await predicted("sky.txt", "xr.ps.zarr", reported),
      await predicted("sky.txt", "plain.ms", reported),
    ];
    assertEquals(own.shape, plain.shape);
    near(own.data, plain.data, 1e-9);
  },
  "random-predictions": new URL("../../observations/meant_test.ts", import.meta.url),
  "random-beams": new URL("../../observations/beams/beam_test.ts", import.meta.url),
  "budget-dry-run": new URL("../../rime/observed/predict_observation_test.ts", import.meta.url),
  "gaussian-angles": gaussians,
  "info-length": async ({ at }) => {
    const told = await cli(["info", at("flagrow.ms")]);
    assertEquals(told.code, 0, told.err);
    const text = told.out + told.err;
    assertEquals(text.split("FLAG_CATEGORY of").length - 1, 1);
    assert(text.split("\n").length < 25, text);
  },
};

for (const { id, files, expected } of reportCases("radio")) {
  Deno.test(`reported: ${id}`, async () => {
    const check = CHECKS[id];
    assert(check !== undefined, `no check of the case ${id}`);
    if (check instanceof URL) return assert((await Deno.stat(check)).isFile);
    await withFolder(async (folder) => {
      for (const file of [...files, ...ALSO[id] ?? []].filter((name) => name.endsWith(".tgz"))) {
        const name = file.replace(/\.tgz$/, "");
        await using table = await reportedTable(name);
        await Deno.rename(table.path, `${folder}/${name}`);
      }
      const at = (name: string) => /\.(ms|zarr)$/.test(name) ? `${folder}/${name}` : reportedPath(name);
      await check({ id, expected, at, folder });
    });
  });
}

function near(found: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number): void {
  assertEquals(found.length, expected.length);
  for (let i = 0; i < found.length; i++) assertAlmostEquals(found[i]!, expected[i]!, tolerance);
}

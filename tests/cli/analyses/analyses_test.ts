/** The table of analyses: complete, true, and each of them at work. */

import { assert, assertAlmostEquals, assertEquals, assertMatch } from "@std/assert";
import { ANALYSES, findAnalysis } from "../../../src/analyses/words.ts";
import { BUILTINS } from "../../../src/udf/worker/builtins.ts";
import { extension, SCAN, SIDE, WORDS, writeCrystal } from "./crystal.ts";
import { cli, withFolder, writeNpy } from "../harness.ts";

/** Built-in UDFs that have no word of their own, and why. */
const OTHERWISE: Readonly<Record<string, string>> = {
  kernel: "a compiled kernel: a module exports kernelUdf(…)",
  family: "kernels by the name of their family: a module exports kernelUdf(…)",
  map_frames: "the word map:PATH",
  record_frames: "the verb convert",
};

Deno.test("every built-in UDF is in the table, or has another way", () => {
  const known = ANALYSES.map(({ name }) => name);
  const missing = Object.keys(BUILTINS).filter((name) => !known.includes(name) && !(name in OTHERWISE));
  assertEquals(missing, []);
  const own = ANALYSES.filter(({ name, make }) => !(name in BUILTINS) && !make).map(({ name }) => name);
  assertEquals(own, []);
  const names = ANALYSES.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  assertEquals(new Set(names).size, names.length);
});

Deno.test("the help lists every analysis, and has a page of each with all parameters and results", async () => {
  const { out: list } = await cli(["run", "--help"]);
  for (const { name, parameters, results } of ANALYSES) {
    assertMatch(list, new RegExp(`^ {4}${name} `, "m"));
    for (const words of [["help", "run", name], ["run", name, "--help"]]) {
      const { code, out, err } = await cli(words);
      assertEquals([code, err], [0, ""]);
      for (const word of [...Object.keys(parameters), ...Object.keys(results)]) {
        assertMatch(out, new RegExp(`^  ${word.replace(/[^\w ,]/g, ".")} `, "m"), `${name}: ${word}`);
      }
    }
  }
  const { out } = await cli(["help", "run", "com"]);
  assertMatch(
    out,
    /scanRotation +turns shifts into directions of the scan, clockwise: minus the scan rotation of info, .*, in °; default 0/,
  );
  assertMatch((await cli(["help", "run", "sum_pixel"])).err, /did you mean sum_pixels\?/);
  assertEquals((await cli(["help", "run", "masks"])).out, (await cli(["help", "run", "mask"])).out);
});

Deno.test("an unknown parameter is refused, naming those that exist, for every analysis", async () => {
  for (const { name, parameters } of ANALYSES.filter(({ name }) => name !== "expression")) {
    const { code, err } = await cli(["run", `${name}:oddity=1`, "none.npy"]);
    const all = Object.keys(parameters);
    assertEquals(code, 2);
    const takes = all.length > 0 ? `it takes ${all.join(", ")}` : "it takes none";
    assert(err.includes(`has no parameter "oddity"; ${takes}`), err);
  }
});

Deno.test("every analysis runs on a small crystal, and gives the results that the table names", async () => {
  await withFolder(async (folder) => {
    const scan = await writeCrystal(folder);
    const positions = new Float64Array(SCAN[0] * SCAN[1] * 2).fill(48);
    await writeNpy(`${folder}/at.npy`, "<f8", [...SCAN, 1, 2], new Uint8Array(positions.buffer));
    const integrate = `integrate_peaks:radius=3,positions=@${folder}/at.npy`;
    const analyses = ANALYSES.filter(({ name }) => name !== "fft_of_frames"); // as many numbers as the scan has
    const words = analyses.map(({ name }) => name === "integrate_peaks" ? integrate : WORDS[name] ?? name);
    const { code, err, json } = await cli(["run", ...words, scan, "--json", "--quiet", "--workers", "0"]);
    assertEquals([code, err], [0, ""]);
    const rows = json().filter((row) => "result" in row);
    for (const [i, { name, results }] of analyses.entries()) {
      const found = rows.filter(({ udf }) => udf === words[i]!.replace(/:.*/s, "")).map(({ result }) =>
        result
      );
      const named = Object.keys(results).filter((result) => result !== "calibrated"); // the file has no unit
      const expected = name === "expression" ? ["bright", "image"] : named;
      assertEquals(found.toSorted(), expected.toSorted(), name);
    }
    const told = json().filter((row) => !("result" in row));
    assertEquals(told.map(({ udf }) => udf), ["cluster_frames", "strain_map"]);
    const pick = await cli([
      "run",
      "fftpick",
      scan,
      "--roi",
      "1:2,2:3",
      "--json",
      "--quiet",
      "--workers",
      "0",
    ]);
    assertEquals(pick.json()[0]!.shape, [1, SIDE, SIDE]);
  });
});

Deno.test("strainmap finds the lattice by itself and gives the known strain", async () => {
  await withFolder(async (folder) => {
    const scan = await writeCrystal(folder);
    const run = await cli(["run", "strainmap:radius=6", scan, "-o", `${folder}/s/`, "--workers", "0"]);
    assertEquals(run.code, 0, run.err);
    assertMatch(
      run.err,
      /strain_map: found zero=4[78].*,a=2[45][.\d]*:.*,b=.*:2[56].*, which \d+ of \d+ peaks fit/,
    );
    const words = ["pick", `${folder}/s/strainmap-e_xx.npy`, "--box", `0:${SCAN[0]},0:${SCAN[1]}`, "--json"];
    const values = (await cli(words)).json()[0]!.values as number[][];
    values.flat().forEach((value, n) => assertAlmostEquals(value, extension(n), 2e-3));
    const png = await Deno.readFile(`${folder}/s/strainmap-e_xx.png`);
    assert(png.length > 0);
  });
});

Deno.test("strainmap takes its reference from ranges of the scan, or from the same positions of a mask", async () => {
  await withFolder(async (folder) => {
    const scan = await writeCrystal(folder);
    const [rows, columns] = SCAN as readonly [number, number];
    const inside = (n: number) => Math.floor(n / columns) < 2 && n % columns >= columns - 2;
    const mask = Uint8Array.from({ length: rows * columns }, (_, n) => inside(n) ? 1 : 0);
    await writeNpy(`${folder}/mask.npy`, "|b1", SCAN, mask);
    const strain = async (more: string) => {
      const word = `strainmap:radius=6${more}`;
      const out = `${folder}/s.npz`;
      const { code, err } = await cli(["run", word, scan, "-o", out, "--workers", "0", "--quiet"]);
      assertEquals(code, 0, err);
      const manifest = JSON.parse(await Deno.readTextFile(`${folder}/s.npz.run.json`));
      return manifest.results.find(({ result }: { result: string }) => result === "e_xx").sha256;
    };
    const part = await strain(",region=0:2,-2:");
    assertEquals(part, await strain(`,region=@${folder}/mask.npy`));
    assert(part !== await strain(""));
    const wrong = await cli(["run", "strainmap:radius=6,region=0:99,:", scan, "--workers", "0", "--quiet"]);
    assertMatch(wrong.err, /0:99 of dimension 0: the scan is/);
  });
});

Deno.test("com:guess=true finds rotation and centre, and uses them where they are not given", async () => {
  await withFolder(async (folder) => {
    const [rows, columns, side] = [9, 9, 16];
    const frames = new Uint16Array(rows * columns * side * side);
    for (let n = 0; n < rows * columns; n++) {
      const [y, x] = [Math.floor(n / columns) - 4, n % columns - 4];
      const pull = 3 * Math.exp(-(y * y + x * x) / 4);
      const at = [7 + x * pull, 8 - y * pull]; // turned by a quarter
      for (let i = 0; i < side * side; i++) {
        const square = (Math.floor(i / side) - at[0]!) ** 2 + (i % side - at[1]!) ** 2;
        frames[n * side * side + i] = Math.round(20000 * Math.exp(-square / 2));
      }
    }
    const scan = `${folder}/scan.npy`;
    await writeNpy(scan, "<u2", [rows, columns, side, side], new Uint8Array(frames.buffer));
    const { json, err } = await cli(["run", "com:guess=true", scan, "--json", "--quiet", "--workers", "0"]);
    assertEquals(err, "");
    const [told, ...results] = json();
    const guess = told!.guess as Record<string, number>;
    assertAlmostEquals(Math.abs(guess.scanRotation!), 90, 0.01);
    assertAlmostEquals(guess.cy!, 7, 0.05);
    const curl = results.find(({ result }) => result === "curl") as { min: number; max: number };
    const spread = results.find(({ result }) => result === "divergence") as { min: number; max: number };
    assert(curl.max - curl.min < (spread.max - spread.min) / 4);
    const own = await cli([
      "run",
      "com:guess=true,scanRotation=0",
      scan,
      "-o",
      `${folder}/c/`,
      "--workers",
      "0",
    ]);
    assertMatch(
      own.err,
      /centre_of_mass: guessed cy=[67][.\d]*,cx=[78][.\d]*,scanRotation=-?90[.\d]*,flipY=(true|false)/,
    );
    const manifest = JSON.parse(await Deno.readTextFile(`${folder}/c/com.run.json`));
    assertEquals(manifest.udfs[0].params.scanRotation, 0);
    assertAlmostEquals(manifest.udfs[0].params.cy, 7, 0.05);
    assertEquals((await cli(["replay", `${folder}/c/com.run.json`, "--quiet"])).code, 0);
  });
});

Deno.test("clusters have the labels of clusterFrames, are saved and replayed; not within a region", async () => {
  await withFolder(async (folder) => {
    const scan = await writeCrystal(folder);
    const words = ["run", "cluster:n=3,features=6", scan, "--workers", "0"];
    const { code, out, err } = await cli([...words, "-o", `${folder}/c.npy`]);
    assertEquals(code, 0, err);
    assertMatch(err, /first pass: 20 frames.*\n.*cluster_frames: compares \d+ pixels: \d+:\d+/s);
    assert(out.includes(`${folder}/c-labels.npy, .png`), out);
    const again = await cli(["replay", `${folder}/c.run.json`, "--quiet", "--json"]);
    assertEquals(again.code, 0, again.err);
    assertEquals(
      again.json().filter(({ same }) => same).length,
      Object.keys(findAnalysis("cluster_frames")!.results).length,
    );
    assertMatch((await cli([...words, "--roi", "0:1,0:1"])).err, /leave --roi out/);
    const many = (await cli(["run", "cluster:n=99", scan])).err; // no line about a first pass
    assertEquals(many, "tilewise: [invalid] Cannot make 99 clusters of 20 positions; ask for 1 to 20\n");
  });
});

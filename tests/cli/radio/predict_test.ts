/** `tilewise predict`: what it writes and says, what it refuses, and that an interrupt leaves nothing. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { openObservation } from "../../../src/observations/open.ts";
import { pathOf } from "../../observations/expected.ts";
import { cli, withFolder } from "../harness.ts";

const SKY = "Name,Ra,Dec,I\na,71.62,-28.65,1.5\nb,71.7,-28.6,0.5\n";

/** Calls `body` with a folder that has a sky. */
async function withSky(body: (folder: string, words: string[]) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/sky.csv`, SKY);
    await body(folder, ["predict", `${folder}/sky.csv`, pathOf("small.ms")]);
  });
}

const names = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();

Deno.test("predict writes a model that info and the library open as an observation", async () => {
  await withSky(async (folder, words) => {
    const out = `${folder}/model.ps.zarr`;
    const told = await cli([...words, "--field", "target", "--data-description", "1", "-o", out]);
    assertEquals([told.code, told.err], [0, ""]);
    assertMatch(told.out, /model\.ps\.zarr {2}2 × 3 × 6 × 2 complex128, /);
    assertMatch(told.out, /correlations {2}RR, LL, phase as in casa/);
    await using found = await openObservation(out);
    assertEquals([found.format, found.rows, found.field.name], ["msv4", 6, "target"]);
    const info = (await cli(["info", out, "--json"])).json()[0]!;
    const { antennas, baselines, channels } = info.observation as Record<string, unknown>;
    assertEquals([antennas, baselines], [["m000", "m001", "a station"], 3]);
    assertEquals(channels, { count: 6, first: 1.4e9, last: 1.45e9, width: 1e7 });
  });
});

Deno.test("predict says in JSON what it wrote, and in a dry run what it would write", async () => {
  await withSky(async (folder, words) => {
    const out = `${folder}/model.npy`;
    const flags = ["--precision", "mixed", "--correlations", "2", "--convention", "fourier", "--json", "-q"];
    const dry = await cli([...words, ...flags, "--dry-run", "-o", out]);
    assertEquals([dry.code, dry.err, names(folder)], [0, "", ["sky.csv"]]);
    const expected = {
      source: pathOf("small.ms"),
      sky: `${folder}/sky.csv`,
      components: { points: 2, gaussians: 0, disks: 0 },
      file: out,
      shape: [6, 4, 2],
      dtype: "complex64",
      correlations: ["XX", "YY"],
      convention: "fourier",
      missing: 0,
      behind: 0,
      sourceVisibilities: 48,
    };
    const { explain, tiles, peakBytes, ...rest } = dry.json()[0]!;
    assertEquals(rest, expected);
    assert(/48 source visibilities of XX, YY/.test(String(explain)) && tiles === 1 && Number(peakBytes) > 0);
    const told = await cli([...words, ...flags, "-o", out]);
    const { bytes, seconds, losses, ...same } = told.json()[0]!;
    const written = { ...expected, manifest: `${folder}/model.run.json` };
    assertEquals([same, bytes, typeof seconds], [written, (await Deno.stat(out)).size, "number"]);
    assertMatch(String(losses), /^name of row, frequency, polarization; .*; the unit of samples$/);
    const line = (await cli([...words, "-o", out, "-q"])).out.split("\n").filter((one) =>
      /not kept/.test(one)
    );
    assertEquals(line.map((one) => one.trim().replace(/^not kept +/, "")), [losses]);
    const whole = await cli([...words, "-o", `${folder}/model.zarr`, "-q", "--json"]);
    assertEquals(whole.json()[0]!.losses, undefined, "a Measurement Set says everything");
  });
});

Deno.test("predict refuses what it cannot write or read, before it computes", async () => {
  await withSky(async (folder, words) => {
    const bad: [string[], number, RegExp][] = [
      [[...words], 2, /predict needs -o OUT/],
      [[...words, "-o", `${folder}/model.fits`], 2, /must end with \.zarr or \.npy/],
      [[...words, "-o", `${folder}/m.npy`, "--precision", "f32"], 2, /--precision f32: write f64 or mixed/],
      [[...words, "-o", `${folder}/m.npy`, "--correlations", "3"], 2, /write 1, 2 or 4/],
      [
        [...words, "-o", `${folder}/m.npy`, "--correlations", "XX,RL"],
        1,
        /cannot predict the correlations|Cannot predict/,
      ],
      [[...words, "-o", `${folder}/m.npy`, "--field", "9"], 1, /field/],
      [["predict", `${folder}/none.csv`, words[2]!, "-o", `${folder}/m.npy`], 1, /not-found/],
      [
        ["predict", words[1]!, words[1]!, "-o", `${folder}/m.npy`],
        1,
        /sky\.csv as an observation: it is a file/,
      ],
      [
        ["predict", folder, words[2]!, "-o", `${folder}/m.npy`],
        1,
        /as a sky: it is a folder; a sky is a list/,
      ],
      [[...words, "-o", `${folder}/sky.csv.zarr/x.zarr`, "--memory", "64KiB"], 1, /over-budget/],
    ];
    for (const [command, code, text] of bad) {
      const told = await cli([...command, "-q"]);
      assertEquals(told.code, code, told.err);
      assertMatch(told.err, text);
      assertEquals(told.err.trimEnd().split("\n").length, 1);
    }
    assertEquals(names(folder), ["sky.csv"]);
    await Deno.mkdir(`${folder}/other.zarr`);
    await Deno.writeTextFile(`${folder}/other.zarr/mine.txt`, "");
    const told = await cli([...words, "-q", "-o", `${folder}/other.zarr`]);
    assertEquals(told.code, 1);
    assertMatch(told.err, /is not a Zarr store/);
  });
});

Deno.test("predict does not replace the observation that it reads, nor a set with it", async () => {
  await withSky(async (folder, words) => {
    const out = `${folder}/model.ps.zarr`;
    assertEquals((await cli([...words, "-q", "-o", out])).code, 0);
    for (const source of [out, `${out}/model_0`]) {
      const told = await cli(["predict", words[1]!, source, "-q", "-o", `${folder}/./model.ps.zarr`]);
      assertEquals(told.code, 1);
      assertMatch(told.err, /Cannot write .*model\.ps\.zarr: .*, which is in it, is being read/);
      await using found = await openObservation(out);
      assertEquals(found.rows, 6);
    }
  });
});

for (const ending of ["npy", "zarr"]) {
  Deno.test(`predict that is interrupted leaves nothing of a .${ending}`, async () => {
    await withSky(async (folder, words) => {
      const lines = Array.from({ length: 60_000 }, (_, i) => `s${i},71.6${i % 10},-28.6,1`);
      await Deno.writeTextFile(`${folder}/many.csv`, `Name,Ra,Dec,I\n${lines.join("\n")}\n`);
      const controller = new AbortController();
      const watch = setInterval(() => {
        if (names(folder).some((name) => name.startsWith(".model"))) {
          controller.abort(new Error("interrupted"));
        }
      }, 1);
      const command = [
        "predict",
        `${folder}/many.csv`,
        words[2]!,
        "-o",
        `${folder}/model.${ending}`,
        "--workers",
        "1",
      ];
      const told = await cli(command, { signal: controller.signal });
      clearInterval(watch);
      assertEquals(told.code, 130, told.err);
      assertMatch(told.err, /interrupted/);
      assertEquals(names(folder), ["many.csv", "sky.csv"]);
    });
  });
}

Deno.test("sources behind the phase centre are refused, or left out and counted", async () => {
  await withSky(async (folder, words) => {
    const out = `${folder}/model.npy`;
    await Deno.writeTextFile(`${folder}/sky.csv`, `${SKY}c,251,28,5\n`);
    const refused = await cli([...words, "-o", out]);
    assertEquals(refused.code, 1);
    assertMatch(refused.err, /component 2, "c".*more than 90°.*--behind skip leaves such components out/);
    const told = await cli([...words, "-o", out, "--behind", "skip", "--json", "-q"]);
    assertEquals([told.code, told.json()[0]!.behind], [0, 1]);
    const skipped = await Deno.readFile(out);
    await Deno.writeTextFile(`${folder}/sky.csv`, SKY);
    assertEquals((await cli([...words, "-o", out, "-q"])).code, 0);
    assertEquals(await Deno.readFile(out), skipped);
  });
});

/** `tilewise predict --column`: what it says, alone and in parts, what it refuses, and that an interrupt leaves nothing. */

import "../../fences/mod.ts";
import { assertEquals, assertMatch } from "@std/assert";
import { cp } from "node:fs/promises";
import { openObservation } from "../../../src/observations/open.ts";
import { readSamples } from "../../../src/rime/observed/product.ts";
import { contents } from "../../io/failing_writes.ts";
import { pathOf } from "../../observations/expected.ts";
import { cli, withFolder } from "../harness.ts";

const SKY = "Name,Ra,Dec,I\na,71.62,-28.65,1.5\nb,71.7,-28.6,0.5\n";

async function withSet(body: (folder: string, ms: string, words: string[]) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const ms = `${folder}/day.ms`;
    await Deno.writeTextFile(`${folder}/sky.csv`, SKY);
    await cp(pathOf("small.ms"), ms, { recursive: true });
    await body(folder, ms, ["predict", `${folder}/sky.csv`, ms, "--column", "MODEL_DATA"]);
  });
}

/** The column of one field and data description, as `openObservation` reads it. */
async function modelOf(ms: string, field: number, dataDescription: number): Promise<ArrayLike<number>> {
  await using observation = await openObservation(ms, { field, dataDescription, column: "MODEL_DATA" });
  return await readSamples(observation.visibility!, 0, observation.rows) as Float32Array;
}

Deno.test("predict --column plans, writes all rows, and says so", async () => {
  await withSet(async (_, ms, words) => {
    const before = contents(ms);
    const dry = await cli([...words, "--dry-run"]);
    assertEquals([dry.code, dry.err, contents(ms)], [0, "", before]);
    assertMatch(dry.out, /MODEL_DATA, which is replaced: complex64, 2\.6 KiB in .*table\.f6\n/);
    assertMatch(
      dry.out,
      /field 1, data description 1: 2 sources × 6 rows × 6 channels = 72 source visibilities of RR, LL/,
    );
    const told = await cli(words);
    assertEquals([told.code, told.err], [0, ""]);
    assertMatch(told.out, /day\.ms {2}MODEL_DATA, complex64, 2\.6 KiB\n {2}column +replaced\n {2}rows +24\n/);
    const { seconds, parts, ...facts } = (await cli([...words, "--json", "--field", "1"])).json()[0]!;
    assertEquals([typeof seconds, (parts as unknown[]).length], ["number", 2]);
    assertEquals(facts, {
      source: ms,
      sky: words[1]!,
      components: { points: 2, gaussians: 0, disks: 0 },
      column: "MODEL_DATA",
      dtype: "complex64",
      replaced: true,
      kept: 12,
      files: ["table.f7", "table.f7_TSM1", "table.f7_TSM2"].map((name) => `${ms}/${name}`),
      bytes: 2688,
      sourceVisibilities: 120,
    });
  });
});

Deno.test("shards of a column, and a merge that alone changes the set", async () => {
  await withSet(async (folder, ms, words) => {
    const store = `dir:${folder}/store`;
    const rows = ["--field", "0", "--data-description", "1"];
    const before = contents(ms), others = await modelOf(ms, 1, 0);
    const all = await cli([...words, "--store", store, "--shard", "1/2"]);
    assertEquals(all.code, 2);
    assertMatch(all.err, /one field and data description, here are 4; name them with --field/);
    for (const shard of ["1/2", "2/2"]) {
      const told = await cli([...words, ...rows, "--store", store, "--shard", shard]);
      assertEquals([told.code, told.err], [0, ""]);
    }
    assertEquals(contents(ms), before);
    const wrong = await cli(["merge", store, "-o", `${folder}/x.npy`]);
    assertMatch(wrong.err, /the parts are of the column MODEL_DATA of .*day\.ms; give its name/);
    const told = await cli(["merge", store, "-o", ms]);
    assertEquals([told.code, told.err, told.out], [0, "", `${ms}  MODEL_DATA\n`]);
    const found = await modelOf(ms, 0, 1);
    assertEquals(await modelOf(ms, 1, 0), others);
    await cp(pathOf("small.ms"), `${folder}/other.ms`, { recursive: true });
    const alone = await cli([...words.with(2, `${folder}/other.ms`), ...rows, "-q"]);
    assertEquals(alone.code, 0, alone.err);
    assertEquals(found, await modelOf(`${folder}/other.ms`, 0, 1));
  });
});

Deno.test("a script for a column names the set for its merge", async () => {
  await withSet(async (folder, ms, words) => {
    const told = await cli(["submit", "slurm", ...words, "--store", `dir:${folder}/store`, "--shards", "4"]);
    assertEquals([told.code, told.err], [0, ""]);
    assertMatch(told.out, /tilewise.* predict .*--column.MODEL_DATA/);
    assertEquals(/--output/.test(told.out.split("\n").find((line) => / predict /.test(line))!), false);
    const merge = told.out.split("\n").find((line) => /tilewise merge /.test(line)) ?? told.out;
    assertEquals(merge.includes(ms), true, merge);
  });
});

Deno.test("predict --column refuses what cannot be written", async () => {
  await withSet(async (folder, ms, words) => {
    const before = contents(ms);
    const bad: [string[], number, RegExp][] = [
      [[...words, "-o", `${folder}/m.npy`], 2, /-o and --column are two places/],
      [[...words, "--correlations", "I"], 2, /has the correlations of the rows/],
      [words.with(4, "DATA"), 1, /a Measurement Set needs it; choose another name, such as MODEL_DATA/],
      [words.with(4, "MY DATA"), 1, /letters, digits and _/],
      [words.with(2, pathOf("small.uvh5")), 1, /only Measurement Sets of casacore get columns/],
      [[...words, "--memory", "64KiB"], 1, /over-budget/],
    ];
    for (const [command, code, text] of bad) {
      const told = await cli([...command, "-q"]);
      assertEquals(told.code, code, told.err);
      assertMatch(told.err, text);
      assertEquals(told.err.trimEnd().split("\n").length, 1);
    }
    assertEquals(contents(ms), before);
  });
});

Deno.test("predict --column that is interrupted leaves the set as it was", async () => {
  await withSet(async (folder, ms, words) => {
    const lines = Array.from({ length: 60_000 }, (_, i) => `s${i},71.6${i % 10},-28.6,1`);
    await Deno.writeTextFile(`${folder}/many.csv`, `Name,Ra,Dec,I\n${lines.join("\n")}\n`);
    const before = contents(ms);
    const controller = new AbortController();
    const watch = setInterval(() => {
      const isWriting = [...Deno.readDirSync(ms)].some(({ name }) => name.startsWith(".table"));
      if (isWriting) controller.abort(new Error("interrupted"));
    }, 1);
    const told = await cli([...words.with(1, `${folder}/many.csv`), "--workers", "1"], {
      signal: controller.signal,
    });
    clearInterval(watch);
    assertEquals(told.code, 130, told.err);
    assertEquals(contents(ms), before);
  });
});

/** `tilewise demo radio`: what is simulated is found, and what it leaves can be used. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { noiseOf, SOURCES } from "../../../src/cli/radio/demo_array.ts";
import { readSky } from "../../../src/skies/read.ts";
import { cli, withFolder } from "../harness.ts";

Deno.test("demo radio finds the sources that it has simulated, and leaves what it made", async () => {
  await withFolder(async (folder) => {
    const out = `${folder}/d`;
    const words = ["demo", "radio", "--workers", "0", "-o", out];
    const told = await cli(words);
    assertEquals([told.code, told.err], [0, ""], told.out);
    assertEquals(told.out.match(/✓/g)?.length, SOURCES.length + 1);
    for (const [name] of SOURCES) assertMatch(told.out, new RegExp(`${name} .*″ off`));
    const names = [...Deno.readDirSync(out)].map(({ name }) => name).sort();
    assertEquals(names, [
      "day.zarr",
      "found.csv",
      "image.fits",
      "image.png",
      "residual.png",
      "sky.csv",
      "uv.png",
    ]);
    const [known, found] = [await readSky(`${out}/sky.csv`), await readSky(`${out}/found.csv`)];
    assertEquals([known.points.length, found.points.length], [4, 4]);
    known.points.forEach(({ stokes: [flux] }, i) =>
      assert(Math.abs(found.points[i]!.stokes[0] - flux) < 0.03)
    );
    const info = (await cli(["info", `${out}/day.zarr`, "--json"])).json()[0]!.observation as Record<
      string,
      unknown
    >;
    assertEquals([info.baselines, info.rows, info.uvwSign], [91, 2184, "antenna2 - antenna1"]);
  });
});

Deno.test("demo radio replaces nothing of others, and refuses what it does not know", async () => {
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/sky.csv`, "mine");
    const told = await cli(["demo", "radio", "-o", folder]);
    assertEquals(told.code, 1);
    assertMatch(told.err, /there is sky\.csv, which is not of a demo/);
    assertEquals(await Deno.readTextFile(`${folder}/sky.csv`), "mine");
    for (
      const [words, text] of [[["television"], /no demo "television"/], [
        ["radio", "--scan", "8x8"],
        /--scan/,
      ]] as const
    ) {
      const refused = await cli(["demo", ...words, "-o", folder]);
      assertEquals(refused.code, 2);
      assertMatch(refused.err, text);
    }
  });
});

Deno.test("noise is the same for the same seed, independent of its neighbours, and normal", () => {
  const all = Array.from({ length: 20_000 }, (_, i) => noiseOf(3, i)).flat();
  assertEquals(noiseOf(3, 7), noiseOf(3, 7));
  const mean = (values: number[]) => values.reduce((a, b) => a + b, 0) / values.length;
  const variance = mean(all.map((x) => x * x));
  assert(Math.abs(mean(all)) < 0.02 && Math.abs(variance - 1) < 0.02);
  assert(Math.abs(mean(all.map((x) => x ** 4)) - 3) < 0.15);
  for (const step of [1, 2, 8]) {
    assert(Math.abs(mean(all.slice(step).map((x, i) => x * all[i]!))) < 0.02);
  }
  assert(
    Math.abs(mean(Array.from({ length: 20_000 }, (_, i) => noiseOf(3, i)[0] * noiseOf(4, i)[0]))) < 0.03,
  );
});

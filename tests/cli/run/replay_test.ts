import { assert, assertEquals, assertMatch } from "@std/assert";
import { open, plan, run, sumPixels } from "../../../mod.ts";
import { runManifest } from "@tilewise/tilewise/results";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import { openStored } from "../../../src/formats/open.ts";
import { wholeBox } from "../../../src/space/box.ts";
import { cli, withFolder, writeNpy } from "../harness.ts";

/** A scan of 4 × 4 frames of 4 × 4 pixels in `folder`. */
async function writeScan(folder: string, add = 0): Promise<string> {
  const samples = Uint16Array.from({ length: 256 }, (_, i) => (7 * i * i + 3 * i) % 31 + add);
  await writeNpy(`${folder}/scan.npy`, "<u2", [4, 4, 4, 4], new Uint8Array(samples.buffer));
  return `${folder}/scan.npy`;
}

Deno.test("run leaves a manifest beside its results, and replay finds the same bits", async () => {
  await withFolder(async (folder) => {
    const scan = await writeScan(folder);
    const made = await cli(["run", "sum", "com:r=2", scan, "--roi", "0:2,1:4", "-o", `${folder}/out/`]);
    assertEquals(made.code, 0, made.err);
    const path = `${folder}/out/sum+com.run.json`;
    const manifest = JSON.parse(await Deno.readTextFile(path));
    assertEquals([manifest.manifest, manifest.inputs.length, manifest.inputs[0].name], [
      "tilewise-run-1",
      1,
      scan,
    ]);
    assertEquals(manifest.udfs.map(({ key }: { key: string }) => key), ["sum", "com"]);
    assertEquals(manifest.udfs[1].params.r, 2);
    assertEquals(manifest.roi.selected, 6);
    assertMatch(manifest.kernels, /^[0-9a-f]{64}$/);
    for (const extra of [[], ["--workers", "2"], ["--memory", "64MiB"]]) {
      const again = await cli(["replay", path, "--json", ...extra]);
      assertEquals(again.code, 0, again.err);
      assertEquals(again.json().length, manifest.results.length);
      assert(again.json().every(({ same }) => same === true));
    }
  });
});

Deno.test("replay notices other data and other results", async () => {
  await withFolder(async (folder) => {
    const scan = await writeScan(folder);
    assertEquals((await cli(["run", "sum", scan, "-o", `${folder}/sum.npy`])).code, 0);
    await writeScan(folder, 1);
    const again = await cli(["replay", `${folder}/sum.run.json`]);
    assertEquals(again.code, 1);
    assertMatch(again.err, /scan.npy is not the file that the run read/);
    assertMatch(again.out, /sum.intensity\s+differs/);
  });
});

Deno.test("replay refuses what is not a manifest, in one line", async () => {
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/a.json`, "{}");
    await Deno.writeTextFile(`${folder}/b.json`, "no");
    await Deno.writeTextFile(`${folder}/c.json`, '{"manifest":"tilewise-run-1","results":[]}');
    const cases = [
      ["a", /malformed.*not a run manifest/],
      ["b", /malformed.*not JSON/],
      ["c", /has no command/],
      [
        "d",
        /not-found/,
      ],
    ] as const;
    for (const [name, words] of cases) {
      const { code, err } = await cli(["replay", `${folder}/${name}.json`]);
      assertEquals(code, 1);
      assertMatch(err, words);
      assertEquals(err.trimEnd().split("\n").length, 1);
    }
  });
});

Deno.test("a run over an array in memory cannot be replayed, and replay says why", async () => {
  await withFolder(async (folder) => {
    const scan = await open({ data: Uint8Array.of(1, 2, 3, 4), shape: [2, 1, 2] });
    const job = await plan(scan, { it: sumPixels() });
    const path = `${folder}/run.json`;
    await Deno.writeTextFile(path, JSON.stringify(await runManifest(job, await run(job))));
    const { code, err } = await cli(["replay", path]);
    assertEquals(code, 1);
    assertMatch(err, /array in memory, which has no path.*run over the file/);
  });
});

Deno.test("run writes several results into one .npz or .hspy, and pages into .tif", async () => {
  await withFolder(async (folder) => {
    const scan = await writeScan(folder);
    const npz = await cli(["run", "sum", "com", scan, "-o", `${folder}/all.npz`]);
    assertEquals(npz.code, 0, npz.err);
    assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name).sort(), [
      "all.npz",
      "all.npz.run.json",
      "scan.npy",
    ]);
    const hspy = await cli(["run", "sum", "com", scan, "-o", `${folder}/all.hspy`, "-q", "--json"]);
    assertEquals(
      hspy.json().map(({ files }) => files),
      hspy.json().map(() => [`${folder}/all.hspy`]),
      hspy.err,
    );
    for (const { udf, result, shape, min, max } of hspy.json()) {
      const name = udf === "sum" ? "sum" : `${udf}-${result}`;
      const found = await openStored(`${folder}/all.hspy`, { array: `Experiments/${name}/data` });
      const data = Array.from((await readBox(found, wholeBox(found.shape))).data, Number);
      if (found.shape.length === 3) assertEquals(found.sigShape, [2], "components are the signal");
      assertEquals([found.shape, Math.min(...data), Math.max(...data)], [shape, min, max], name);
    }
    assertEquals((await cli(["replay", `${folder}/all.hspy.run.json`])).code, 0);
    const tif = await cli(["run", "sum", scan, "-o", `${folder}/sum.tif`]);
    assertEquals(tif.code, 0, tif.err);
    assertEquals((await cli(["replay", `${folder}/all.npz.run.json`, `${folder}/sum.tif.run.json`])).code, 0);
  });
});

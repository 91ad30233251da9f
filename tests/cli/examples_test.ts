/** The examples of every help text run as they stand there, in a shell, on a scan that is smaller than theirs. */

import { assert } from "@std/assert";
import { VERBS } from "../../src/cli/main.ts";
import { writeObservation } from "../observations/expected.ts";
import { cli, cliChild, withFolder, wordsInShell } from "./harness.ts";

/** Sizes and places of the examples, and what they are here: 12 × 16 frames of 64 × 64 pixels. */
const SMALLER: readonly (readonly [string, string])[] = [
  ["256x256", "12x16"],
  ["--at 12,40", "--at 3,5"],
  ["60:68", "20:28"],
  ["0:16,0:16", "0:8,0:8"],
  ["ri=40,ro=110", "ri=10,ro=30"],
  ["scan.dm4", "scan.mib"],
  ["stack.mrc", "scan.mib"],
  ["image.ome.tif --level 2", "a.npy"],
  ["image.ome.tif -o", "a.npy -o"],
  ["image.tif -o", "a.npy -o"],
  ["otsu image.tif", "otsu a.npy"],
  ["image.zarr --dry", "a.npy --dry"],
  ["im_1.dm4 im_2.dm4 im_3.dm4", "images/x.npy images/y.npy"],
  ["a.dm4 b.dm4 c.dm4", "scans/scan.npy scans/more.npy"],
  ["dir:/scratch/run7", "dir:run7"],
  ["dir:/scratch/c1", "dir:c1"],
  ["dir:c1 -o scan.ome.zarr", "dir:c1 -o merged.ome.zarr"], // that of an example of convert has a manifest
  ["--shard 3/16", "--shard 1/1"],
  ["--pixels 1024", "--pixels 128"],
  ["--bands 4", "--bands 4 --pixels 64"],
];

const MINE = `export default {
  name: "mine",
  buffers: { most: { kind: "nav", dtype: "float32" } },
  processFrame({ data }, { most }) { most[0] = Math.max(...data); },
};
`;

/** The examples of all verbs but those that make a scan, run until they are ended, or need a server: these have tests of their own. */
async function commands(): Promise<string[]> {
  const verbs = await Promise.all(
    VERBS.filter(({ name }) => !["demo", "view"].includes(name)).map((entry) => entry.load()),
  );
  const all = verbs.flatMap(({ examples }) => examples.map(([command]) => command));
  return all.map((command) => SMALLER.reduce((text, [from, to]) => text.replaceAll(from, to), command))
    .filter((command) => !command.includes("redis") && command !== "tilewise new udf peaks --kernel"); // peaks is there already
}

Deno.test("every example of the help runs", async () => {
  await withFolder(async (folder) => {
    await cli(["demo", "--scan", "12x16", "--side", "64", "--quiet", "--workers", "0", "-o", `${folder}/x`]);
    for (const { name } of Deno.readDirSync(`${folder}/x`)) {
      if (/^scan/.test(name)) await Deno.rename(`${folder}/x/${name}`, `${folder}/${name}`);
    }
    await Deno.rename(`${folder}/scan_000.mib`, `${folder}/scan.mib`);
    await Deno.writeTextFile(`${folder}/mine.ts`, MINE);
    await Deno.writeFile(`${folder}/scan.raw`, new Uint8Array());
    await Deno.truncate(`${folder}/scan.raw`, 64 * 64 * 128 * 128 * 2);
    await writeObservation(folder);
    for (const name of ["a", "b", "flat"]) {
      await Deno.copyFile(`${folder}/x/sum.npy`, `${folder}/${name}.npy`);
    }
    for (const name of ["images", "scans"]) await Deno.mkdir(`${folder}/${name}`);
    for (const name of ["x", "y"]) await Deno.copyFile(`${folder}/x/sum.npy`, `${folder}/images/${name}.npy`);
    // scan.npy is written by an example of convert, com.npy by one of run, model.zarr by one of predict: these come first.
    const order = ["convert", "run", "predict"];
    const rank = (command: string) => order.indexOf(command.split(" ")[1]!) + 1 || 9;
    const sorted = (await commands()).toSorted((a, b) => rank(a) - rank(b));
    assert(sorted.length >= 15);
    const before = [
      "tilewise run ./mine.ts scan.mib --quiet -o mine.npy", // mine.run.json is replayed
      ...["image", "dark"].map((name) => `tilewise convert a.npy ${name}.tif --quiet`),
      ...["scan", "more"].map((name) => `tilewise convert scan.mib scans/${name}.npy --quiet`),
    ];
    const lines = [...before, ...sorted];
    const outcomes = await cliChild(folder, ["-A"], await wordsInShell(lines, folder));
    for (const [i, { code, err }] of outcomes.entries()) assert(code === 0, `${lines[i]}\n${err}`);
  });
});

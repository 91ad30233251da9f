/**
 * Every verb with an input of 3 GiB, which is sparse, and a budget of 64 MiB: it runs within its memory, or refuses by name.
 *
 * @module
 */

import { VERBS } from "../../../src/cli/main.ts";
import { writeNpy } from "../../cli/harness.ts";
import { type Outcome, type Part, type SoakOptions, Tally, withFolder } from "../part.ts";
import { type Size, writeGiant } from "../../observations/giant.ts";
import { inMiB, measure, MORE, wrongIn } from "./memory.ts";

const BUDGET = 64 * 2 ** 20;
/** The sizes of the scan and of the image: 3 GiB each. */
const SCAN = [192, 512, 128, 128], IMAGE = [24_576, 32_768];
/** The same with 3 MiB. */
const SMALL_SCAN = [6, 16, 128, 128], SMALL_IMAGE = [768, 1024];
/** Times and channels of an observation of as many bytes. */
const OBSERVED: Size = [65_536, 1024], SMALL_OBSERVED: Size = [256, 256];

/** Verbs that have no large input: those of engines, and what writes its own. */
const WITHOUT = ["worker", "status", "cancel", "new", "view", "demo", "doctor", "completions"];

type Words = (folder: string) => readonly string[];

/** What is asked of each verb, in this order; later ones find what earlier ones have written. */
const ASKED: Readonly<Record<string, readonly Words[]>> = {
  info: [(at) => [`${at}/scan.npy`], (at) => [`${at}/image.npy`]],
  stats: [(at) => [`${at}/scan.npy`]],
  pick: [
    (at) => [`${at}/scan.npy`, "--at", "3,5", "-o", `${at}/out/frame.npy`],
    (at) => [`${at}/image.npy`, "--box", "700:,5:15", "-o", `${at}/out/box.npy`],
    (at) => [`${at}/image.npy`, "--box", ":,:", "-o", `${at}/out/all.npy`],
  ],
  run: [
    (at) => ["sum", "stddev", "sumsig", `${at}/scan.npy`, "-o", `${at}/out/`, "--memory", "64MiB"],
    (at) => ["com", `${at}/scan.npy`, "-o", `${at}/com.npy`, "--memory", "64MiB", "--store", `${at}/store`],
  ],
  merge: [(at) => [`${at}/store`, "-o", `${at}/out/merged.npy`]],
  submit: [(at) => ["slurm", "sum", `${at}/scan.npy`, "--store", `${at}/other`, "-o", `${at}/out/x.npy`]],
  map: [
    (at) => ["gaussian:sigma=1", `${at}/image.npy`, "-o", `${at}/out/map.npy`, "--memory", "64MiB"],
    (at) => ["box:radius=3", `${at}/image.npy`, "-o", `${at}/out/map.zarr`, "--memory", "64MiB"],
    (
      at,
    ) => ["median", "downsample:factor=4", `${at}/image.npy`, "-o", `${at}/out/map.tif`, "--memory", "64MiB"],
  ],
  convert: [
    (at) => [`${at}/image.npy`, `${at}/out/image.zarr`, "--memory", "64MiB"],
    (at) => [`${at}/image.npy`, `${at}/out/image.tif`, "--memory", "64MiB"],
    (at) => [`${at}/scan.npy`, `${at}/out/scan.mib`, "--memory", "64MiB"],
  ],
  predict: [
    (at) => [`${at}/sky.csv`, `${at}/observed.zarr`, "-o", `${at}/out/model.zarr`, "--memory", "64MiB"],
    (at) => [`${at}/sky.csv`, `${at}/observed.zarr`, "-o", `${at}/out/model.npy`, "--memory", "64MiB"],
  ],
  image: [
    (at) => [`${at}/observed.zarr`, "-o", `${at}/out/sky.png`, "--memory", "64MiB"],
    (
      at,
    ) => [
      `${at}/observed.zarr`,
      "-o",
      `${at}/out/sky.fits`,
      "--correlation",
      "RR,LL",
      "--bands",
      "4",
      "--memory",
      "64MiB",
    ],
  ],
  uvplot: [(at) => [`${at}/observed.zarr`, "-o", `${at}/out/uv.png`]],
  replay: [(at) => [`${at}/com.run.json`, "--memory", "64MiB"]],
};

/** The part. */
export const GIANTS: Part = {
  name: "giants",
  help: "every verb with an input of 3 GiB and a budget of 64 MiB",
  run: everyVerb,
};

/** Every verb; with 3 MiB where it is to be quick. */
async function everyVerb({ quick }: SoakOptions): Promise<Outcome> {
  const tally = new Tally();
  const figures = [["verb", "", "peak"]];
  await withFolder(async (folder) => {
    await sparse(`${folder}/scan.npy`, "<u2", quick ? SMALL_SCAN : SCAN, 2);
    await sparse(`${folder}/image.npy`, "<f4", quick ? SMALL_IMAGE : IMAGE, 4);
    await writeGiant(`${folder}/observed.zarr`, quick ? SMALL_OBSERVED : OBSERVED);
    await Deno.writeTextFile(`${folder}/sky.csv`, "Name,Ra,Dec,I\nsource,71.62,-28.65,1.5\n");
    const idle = (await measure(folder, ["--version"])).bytes;
    figures.push(["(idle)", "", inMiB(idle)]);
    for (const { name } of VERBS.filter(({ name }) => !WITHOUT.includes(name))) {
      for (const [i, words] of (ASKED[name] ?? []).entries()) {
        await tally.add(`${name} ${i}`, async () => {
          const flags = name === "info" || name === "submit" ? [] : ["--quiet"];
          const measured = await measure(folder, [name, ...words(folder), ...flags]);
          const named = measured.code !== 0 && /^tilewise: \[[a-z-]+\]/m.test(measured.err);
          const said = named ? ` (refused: ${measured.err.trim().slice(0, 60)}…)` : "";
          const row = [`${name} ${i}`, "", `${inMiB(measured.bytes)}${said}`];
          figures.push(row);
          if (!quick) console.error(row.join(" ")); // the rest takes long
          return wrongIn({ ...measured, refused: named }, BUDGET + idle + MORE);
        });
      }
      if (!(name in ASKED)) await tally.add(name, () => Promise.resolve("nothing is asked of it"));
    }
  });
  return { cases: tally.cases, findings: tally.findings, figures };
}

/** A file of zeros that takes no room. */
async function sparse(path: string, dtype: string, shape: readonly number[], size: number): Promise<void> {
  await writeNpy(path, dtype, shape, new Uint8Array(0));
  const { size: head } = await Deno.stat(path);
  await Deno.truncate(path, head + shape.reduce((a, b) => a * b, size));
}

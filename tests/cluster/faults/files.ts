/**
 * Conversions and predictions on an engine: the files of one machine, also if a worker dies.
 *
 * @module
 */

import { join } from "@std/path";
import { cli, writeNpy } from "../../cli/harness.ts";
import { pathOf } from "../../observations/expected.ts";
import { digestOf } from "../../views/sinks/data.ts";
import type { Case } from "./cases.ts";
import { kill, type Lab } from "./lab.ts";

/** Runs a command on this machine and on the engine; `meanwhile` something happens. What is wrong, if anything is. */
async function same(
  lab: Lab,
  words: (out: string) => readonly string[],
  name: string,
  meanwhile: (store: string) => Promise<void> = () => Promise.resolve(),
): Promise<string | undefined> {
  const [folder, store] = [lab.newStore(), lab.newStore()];
  const [local, engine] = [join(folder, "local", name), join(folder, "engine", name)];
  for (const out of [local, engine]) await Deno.mkdir(join(out, ".."), { recursive: true });
  const alone = await cli([...words(local), "--quiet"]);
  if (alone.code !== 0) return alone.err;
  const together = cli([...words(engine), "--quiet", "--store", store, "--engine", lab.url]);
  together.catch(() => {}); // awaited below
  await meanwhile(store);
  const { code, err } = await together;
  if (code !== 0) return `exit code ${code}: ${err}`;
  return await digestOf(local) === await digestOf(engine) ? undefined : "other bytes";
}

/** The cases. */
export const FILES: readonly Case[] = [
  {
    name: "a conversion into a pyramid, while a worker is killed",
    workers: 3,
    async run(lab, [first]) {
      const image = join(lab.folder, "large.npy");
      const samples = Uint16Array.from({ length: 1500 * 1300 }, (_, i) => (i * 7919 >> 3) % 1013);
      await writeNpy(image, "<u2", [1500, 1300], new Uint8Array(samples.buffer));
      const flags = ["--chunk", "64x64", "--shard-size", "256x256", "--compression", "zstd:19"];
      return await same(lab, (out) => ["convert", image, out, ...flags], "large.ome.zarr", async (store) => {
        await lab.parts(store, 2);
        if (first) await kill(first);
      });
    },
  },
  {
    name: "a prediction of visibilities",
    workers: 2,
    async run(lab) {
      const sky = join(lab.folder, "sky.csv");
      await Deno.writeTextFile(sky, "Name,Ra,Dec,I\na,71.62,-28.65,1.5\nb,71.7,-28.6,0.5\n");
      return await same(lab, (out) => ["predict", sky, pathOf("small.ms"), "-o", out], "model.npy");
    },
  },
];

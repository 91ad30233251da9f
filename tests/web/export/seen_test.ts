/** What is seen of an image, as array, file, command and script: the samples of the image, filtered as in the page. */

import { assertEquals, assertThrows } from "@std/assert";
import "../../fences/mod.ts";
import { createContext, open } from "@tilewise/tilewise";
import { ndarray } from "@tilewise/tilewise/arrays";
import { copySamples } from "@tilewise/tilewise/unstable/views";
import { chain, fileSink, mapViews } from "@tilewise/tilewise/views";
import { tileSource } from "@tilewise/tilewise/web";
import { filterOf } from "../../../src/analyses/mod.ts";
import { storedPieces } from "../../../src/pictures/mod.ts";
import { seenArray, seenCommand, type SeenRecipe, seenScript } from "../../../web/export/seen.ts";
import { cli, runScript, withFolder } from "../../cli/harness.ts";

const [DEPTHS, CHANNELS, HEIGHT, WIDTH] = [2, 3, 40, 52];
const AXES = [
  { name: "z", kind: "space", scale: 1.5, unit: "µm" },
  { name: "c", kind: "channel", names: ["DAPI", "GFP", "Cy5"] },
  { name: "y", kind: "space", scale: 0.5, unit: "µm" },
  { name: "x", kind: "space", scale: 0.5, unit: "µm" },
] as const;
const PART = {
  rows: [7, 29],
  columns: [11, 52],
  selection: { z: 1 },
  all: { label: "channel", size: CHANNELS },
} as const;
const FILTERS = [[], ["gaussian:sigma=0x0x1x2", "expr:x * k;k=0.5"], ["median:radius=0x0x1x1"]];

/** A file with two depths and three channels. */
async function stackIn(folder: string): Promise<string> {
  const data = Uint16Array.from(
    { length: DEPTHS * CHANNELS * HEIGHT * WIDTH },
    (_, i) => (i * 7919) % 60_013,
  );
  const stack = await open({ ...ndarray(data, [DEPTHS, CHANNELS, HEIGHT, WIDTH], "uint16"), axes: AXES });
  await mapViews(stack, copySamples(), { sink: fileSink(`${folder}/cells.ome.tif`) });
  return `${folder}/cells.ome.tif`;
}

Deno.test("what is seen is the same in the page, by command and by script, and as a file", async () => {
  await withFolder(async (folder) => {
    const path = await stackIn(folder);
    await using context = createContext({ memory: "64MiB", workers: 0 });
    const image = await open(path);
    const { data: whole } = await mapViews(image, copySamples(), { context });
    for (const [i, filters] of FILTERS.entries()) {
      const options = filters.length > 0 ? { filters: chain(filters.map((word) => filterOf(word))) } : {};
      await using tiles = await tileSource(image, { context, ...options });
      const seen = await seenArray(tiles, image, PART);
      assertEquals(seen.shape, [CHANNELS, 22, 41]);
      assertEquals(seen.axes?.map(({ offset }) => offset), [undefined, 3.5, 5.5]);
      if (filters.length === 0) {
        const at = (c: number, y: number, x: number) =>
          whole[((CHANNELS + c) * HEIGHT + 7 + y) * WIDTH + 11 + x];
        assertEquals(
          [...seen.data],
          Array.from(
            { length: CHANNELS * 22 * 41 },
            (_, n) => at(Math.floor(n / (22 * 41)), Math.floor(n / 41) % 22, n % 41),
          ),
        );
      }
      const recipe: SeenRecipe = {
        ...PART,
        version: "0",
        source: path,
        isName: true,
        options: {},
        choices: {},
        filters,
        labels: tiles.labels,
        dtype: image.dtype,
      };
      const { code, err } = await cli([...seenCommand(recipe, `${folder}/${i}.npy`).words, "--quiet"]);
      assertEquals(code, 0, err);
      const made = await mapViews(await open(`${folder}/${i}.npy`), copySamples(), { context });
      assertEquals([...made.data], [...seen.data]);
      if (i === 1) await sameByScript(folder, recipe, seen.data as Float32Array);
    }
  });
});

async function sameByScript(folder: string, recipe: SeenRecipe, samples: Float32Array): Promise<void> {
  await Deno.writeTextFile(`${folder}/part.ts`, seenScript(recipe, "part", "@tilewise/tilewise"));
  await runScript(`${folder}/part.ts`, folder);
  for (let c = 0; c < CHANNELS; c++) {
    const { data } = await mapViews(await open(`${folder}/part-${c}.npy`), copySamples());
    assertEquals([...data], [...samples.subarray(c * 22 * 41, (c + 1) * 22 * 41)]);
  }
}

Deno.test("files of arrays in memory have the bytes that are written to disk", async () => {
  await withFolder(async (folder) => {
    const data = Uint16Array.from({ length: 3 * 300 * 310 }, (_, i) => i < 90_000 ? 0 : (i * 31) % 999);
    const axes = AXES.slice(1);
    const image = await open({ ...ndarray(data, [3, 300, 310], "uint16"), axes });
    const array = await mapViews(image, copySamples(), {});
    for (const ending of [".ome.tif", ".tif", ".ome.zarr.zip", ".zarr.zip"]) {
      for (const levels of [1, "auto"] as const) {
        const path = `${folder}/part${ending}`, what = `${ending} ${levels}`;
        await mapViews(image, copySamples(), { sink: fileSink(path, { levels, compression: "none" }) });
        const made = new Uint8Array(await new Blob(await storedPieces(array, path, levels)).arrayBuffer());
        const written = await Deno.readFile(path);
        assertEquals(made.length, written.length, what);
        assertEquals(made.findIndex((byte, i) => byte !== written[i]), -1, what);
      }
    }
  });
});

Deno.test("more than a page holds is refused before it is read", () => {
  const never = { dtype: "float64", labels: ["y", "x"], getRaster: () => assertThrows(() => {}) } as never;
  const part = { rows: [0, 20_000], columns: [0, 20_000], selection: {} } as const;
  return seenArray(never, { axes: [] }, part).then(
    () => Promise.reject(new Error("it was read")),
    (error) => assertEquals(error instanceof RangeError && /3052 MiB/.test(error.message), true),
  );
});

/** Which maps are computed on the calling thread. */

import { fileSink } from "../../../src/views/sinks/registry.ts";
import { assert, assertEquals } from "@std/assert";
import { isLight, LIGHT } from "../../../src/cli/map/request.ts";
import { openStored as open } from "../../../src/formats/open.ts";
import { chain } from "../../../src/views/operations/chain.ts";
import { gaussian } from "../../../src/views/operations/filters/gaussian.ts";
import { sobel } from "../../../src/views/operations/filters/gradients.ts";
import { median } from "../../../src/views/operations/filters/rank.ts";
import { threshold } from "../../../src/views/operations/threshold.ts";
import type { ViewOperation } from "../../../src/views/operations/operation.ts";
import { mapViews } from "../../../src/views/map/map_views.ts";
import { copySamples } from "../../../src/views/operations/copy_samples.ts";
import { operationNamed } from "../../../src/views/registry.ts";
import { createContext } from "../../../src/runner/context.ts";
import { cli, withFolder } from "../harness.ts";

/** A file of 3000 × 2000 samples. */
async function withRaw(body: (file: string, folder: string) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    await Deno.writeFile(`${folder}/image.raw`, new Uint8Array(12e6));
    await body(`${folder}/image.raw`, folder);
  });
}
const RAW = { format: "raw", dtype: "uint16", nav: [], sig: [3000, 2000] } as const;

Deno.test("a map with little work per sample is computed by the calling thread, and no other", async () => {
  await withRaw(async (file) => {
    const image = await open(file, RAW);
    const cases: [ViewOperation, boolean][] = [
      [gaussian({ sigma: 2 }), true],
      [gaussian({ sigma: 9 }), false],
      [median({ radius: 2 }), true],
      [median({ radius: 3 }), false],
      [chain([gaussian({ sigma: 1 }), threshold({ value: 3 })]), true],
      [chain([gaussian({ sigma: 1 }), median({ radius: 9 })]), false],
    ];
    for (const [operation, expected] of cases) {
      assertEquals(await isLight(image, operation, true), expected, operation.name);
      assertEquals(await isLight(image, operation, false), false, "what is compressed is work as well");
    }
  });
});

Deno.test("decoding, and more samples than one thread filters in half a second, are work for several", async () => {
  await withFolder(async (folder) => {
    await Deno.writeFile(`${folder}/image.raw`, new Uint8Array());
    const image = async (rows: number) => {
      await Deno.truncate(`${folder}/image.raw`, rows * 2048 * 2);
      return await open(`${folder}/image.raw`, { ...RAW, sig: [rows, 2048] });
    };
    const light = async (rows: number, ...steps: readonly [ViewOperation, ...ViewOperation[]]) =>
      await isLight(await image(rows), chain(steps), true);
    const once = [sobel(), threshold({ value: 1 }), threshold({ value: 0 })] as const;
    const twice = [sobel(), sobel()] as const;
    assertEquals([await light(32768, ...once), await light(32769, ...once)], [true, false]);
    assertEquals([await light(16384, ...twice), await light(16385, ...twice)], [true, false]);
    await using context = createContext({ workers: 0 });
    for (const compression of ["none", "lzw"] as const) {
      const path = `${folder}/${compression}.tif`;
      const sink = fileSink(path, { compression, tile: 256 });
      await mapViews(await open(new Uint8Array(6e6), { ...RAW, sig: [2000, 1500] }), copySamples(), {
        sink,
        context,
      });
      const packed = await open(path);
      assertEquals(await isLight(packed, threshold({ value: 1 }), true), compression === "none", compression);
    }
  });
});

Deno.test("--workers is obeyed by maps with little work too", async () => {
  await withRaw(async (file, folder) => {
    const words = ["--format", "raw", "--dtype", "uint16", "--nav", "1", "--sig", "3000x2000"];
    const workers = async (...flags: string[]) => {
      const out = ["-o", `${folder}/a.npy`, "--dry-run", "--json", ...words, ...flags];
      return (await cli(["map", "sobel", file, ...out])).json()[0]!.workers;
    };
    assertEquals([await workers(), await workers("--workers", "3")], [1, 3]);
  });
});

Deno.test("the names of filters with little work are those of operations", async () => {
  for (const name of Object.keys(LIGHT)) assert((await operationNamed(name)).name === name, name);
});

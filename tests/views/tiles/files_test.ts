/** Views from tiles of real TIFF and Zarr files, where they lie beside the repository. */

import "../../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import { openAll } from "../../../src/formats/open.ts";
import { createContext } from "../../../src/runner/context.ts";
import { arrayOf } from "../../../src/views/array.ts";
import { planViews } from "../../../src/views/plan.ts";
import { openViews } from "../../../src/views/tiles/open.ts";
import { ViewReader } from "../../../src/views/view.ts";

const FOLDER = new URL("../../../../shared/data/", import.meta.url);

/** Every n-th file that can be read. */
const EVERY = 9;

function files(): string[] {
  try {
    const { entries } = JSON.parse(Deno.readTextFileSync(new URL("expectations.json", FOLDER)));
    const all = (entries as { file: string; expect: string }[])
      .filter(({ file, expect }) => /^(tiff|zarr)\//.test(file) && expect === "read")
      .map(({ file }) => file);
    return [...new Set(all)].filter((_, i) => i % EVERY === 0);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

const FILES = files();

Deno.test({
  name: "views of files in tiles and chunks have the samples that a reader of views gives",
  ignore: FILES.length === 0,
  async fn() {
    await using context = createContext({ memory: "256MiB", workers: 1 });
    let views = 0;
    for (const file of FILES) {
      const [dataset] = await openAll(new URL(file, FOLDER));
      if (!dataset || dataset.shape.length < 2 || dataset.byteLength > 2 ** 20) continue;
      const tile = dataset.shape.map((n, d) => Math.max(1, Math.min(n, d % 2 === 0 ? 61 : 83)));
      const options = { tile, radius: dataset.shape.map((n) => n > 8 ? 2 : 0), border: "wrap", context };
      await using fromTiles = await openViews(dataset, options);
      await using reader = await ViewReader.open(planViews(arrayOf(dataset), options));
      fromTiles.requestAll();
      for await (const expected of reader) {
        using view = (await fromTiles.next())!;
        assertEquals(view.index, expected.geometry.index, file);
        assert(same(view.data, expected.data), `${file} (${view.index})`);
        views++;
      }
    }
    assert(views > 20);
  },
});

function same(a: ArrayBufferView, b: ArrayBufferView): boolean {
  const [first, second] = [a, b].map(({ buffer, byteOffset, byteLength }) =>
    new Uint8Array(buffer, byteOffset, byteLength)
  );
  return first!.length === second!.length && first!.every((byte, i) => byte === second![i]);
}

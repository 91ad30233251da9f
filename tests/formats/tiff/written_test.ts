/**
 * Files that tifffile has written, page by page: containers, sample types, compressions, predictors, tiles and strips, and
 * orders of samples. `tests/data/tiff/make_tiff.py` makes them and the digests.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import { openAllStored as openAll } from "../../../src/formats/open.ts";
import { wholeBox } from "../../../src/space/box.ts";
import { sha256 } from "../read_all.ts";

const FOLDER = new URL("../../data/tiff/", import.meta.url);
const FILES: Readonly<Record<string, readonly [name: string, digest: string][]>> = JSON.parse(
  Deno.readTextFileSync(new URL("pages.json", FOLDER)),
);

for (const [name, pages] of Object.entries(FILES)) {
  Deno.test(`all ${pages.length} pages of ${name} have the samples that tifffile wrote`, async () => {
    const found = await openAll(fromFileUrl(new URL(name, FOLDER)));
    assertEquals(found.length, pages.length);
    for (const [i, dataset] of found.entries()) {
      const { data } = await readBox(dataset, wholeBox(dataset.shape));
      const digest = sha256(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
      assertEquals(digest, pages[i]![1], `page ${i}: ${pages[i]![0]}`);
    }
  });
}

Deno.test("the pages have every compression with every predictor, order of samples and sample type", () => {
  const seen = new Set(
    Object.values(FILES).flat().flatMap(([name]) => {
      const [kind, codec, predictor, where, order] = name.split(" ");
      return [
        kind!,
        `${codec} ${predictor}`,
        `${codec} ${where}`,
        `${kind} ${predictor}`,
        `${codec} ${order}`,
        order!,
      ];
    }),
  );
  assert(seen.size > 50, `${seen.size}`);
});

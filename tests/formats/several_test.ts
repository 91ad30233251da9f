/** Which of several arrays is opened, where some of them correct another. */

import { assertEquals } from "@std/assert";
import { StoredDataset } from "../../src/dataset/dataset.ts";
import { open } from "../../src/formats/open.ts";
import { largestOf } from "../../src/formats/several.ts";

async function arrayOf(
  array: string,
  size: number,
  changes: Partial<StoredDataset> = {},
): Promise<StoredDataset> {
  const dataset = await open({ data: new Uint8Array(size), shape: [size] }) as StoredDataset;
  return new StoredDataset({ ...dataset, array, ...changes });
}

Deno.test("an array that corrects another one is not taken, nor named among the others", async () => {
  const dark = await arrayOf("dark", 9);
  const scan = await arrayOf("scan", 5, { corrections: { dark: dark.layout } as never });
  const other = await arrayOf("other", 3);
  for (const arrays of [[dark, scan, other], [other, scan, dark], [scan, dark, other]]) {
    const found = largestOf({ arrays, left: [] }, "file");
    assertEquals(found.array, "scan");
    assertEquals(found.warnings, ['Took the largest array, "scan"; there are also "other"']);
  }
});

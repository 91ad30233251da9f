/** An array that is asked for by its name is described as it is among all others. */

import { assert, assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { open, openAll } from "../../../src/formats/open.ts";

const factsOf = ({ axes, values, navShape, sigShape, dtype, instrument, levels }: StoredDataset) => ({
  axes,
  values,
  navShape,
  sigShape,
  dtype,
  instrument,
  levels,
});

for (const folder of ["axes", "meaning", "zarr"]) {
  Deno.test(`an array is described in the same way whether it is asked for by its name or not: ${folder}`, async () => {
    const path = fromFileUrl(new URL(`../../data/${folder}/`, import.meta.url));
    let count = 0;
    for (const { name } of Deno.readDirSync(path)) {
      const all = await openAll(path + name).catch(() => []) as StoredDataset[];
      for (const dataset of all.filter(({ array }) => array !== "")) {
        const asked = await open(path + name, { array: dataset.array! }) as StoredDataset;
        assertEquals(factsOf(asked), factsOf(dataset), `${name} ${dataset.array}`);
        count++;
      }
    }
    assert(count > 5, `${count} arrays in ${folder}`);
  });
}

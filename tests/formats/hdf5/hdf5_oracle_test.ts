/**
 * Every array of the HDF5 samples that the HDF5 library, compiled as h5wasm, can read itself: the same bytes.
 *
 * @module
 */

import { assert } from "@std/assert";
import h5wasm, { type Dataset as LibraryDataset } from "h5wasm";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import { openAllStored as openAll } from "../../../src/formats/open.ts";
import { wholeBox } from "../../../src/space/box.ts";
import { ENTRIES, formatIdOf, pathOf } from "../conformance/samples.ts";

const files = ENTRIES.filter((entry) => formatIdOf(entry) === "hdf5" && entry.format !== "malformed");

function same(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

Deno.test({
  name: "arrays are what the HDF5 library reads",
  ignore: files.length === 0, // ../shared is not beside this checkout
  fn: async (t) => {
    const module = await h5wasm.ready;
    module.activate_throwing_error_handler();
    let compared = 0;
    for (const entry of files) {
      await t.step(entry.file, async () => {
        module.FS!.writeFile("/sample.h5", Deno.readFileSync(pathOf(entry)));
        const file = new h5wasm.File("/sample.h5", "r");
        try {
          for (const dataset of await openAll(pathOf(entry))) {
            const other = file.get(dataset.array) as LibraryDataset | null;
            if (!other || dataset.byteLength === 0) continue; // behind a link to another file
            if (dataset.dtype === "float16") continue; // it cannot
            if (other.filters.some(({ id }) => id > 6)) continue; // a plug-in
            const { value } = other;
            if (!ArrayBuffer.isView(value)) continue; // lists of records, single numbers
            const stored = dataset.stored ?? dataset;
            const { data } = await readBox(stored, wholeBox(stored.shape));
            const [found, expected] = [data, value].map((view) =>
              new Uint8Array(view.buffer as ArrayBuffer, view.byteOffset, view.byteLength)
            );
            assert(same(found!, expected!), dataset.array);
            compared++;
          }
        } finally {
          file.close();
        }
      });
    }
    assert(compared > 100, `${compared} arrays were compared`);
  },
});

/**
 * Files of GDAL, libtiff's tools and GraphicsMagick come out as GDAL reads them: `tests/data/tiff/make_gdal.py` wrote them.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import { openAllStored as openAll } from "../../../src/formats/open.ts";
import { wholeBox } from "../../../src/space/box.ts";
import gdal from "../../data/tiff/gdal.json" with { type: "json" };
import { sha256 } from "../read_all.ts";

for (const { name, file, shape, dtype, sha256: expected } of gdal.files) {
  Deno.test(`${name} comes out as GDAL reads it`, async () => {
    const [dataset] = await openAll(Uint8Array.fromBase64(file));
    const { data } = await readBox(dataset!, wholeBox(dataset!.shape));
    assertEquals<unknown>([dataset!.shape, dataset!.dtype], [shape, dtype]);
    assertEquals(sha256(new Uint8Array(data.buffer, data.byteOffset, data.byteLength)), expected);
  });
}

/** Real TIFF files, and what an image of them must be: rows, columns and the samples of the first frame. */

import { assert, assertEquals } from "@std/assert";
import { openImage } from "../../src/channel_images/service.ts";
import { pixelSize } from "../../src/channel_images/common/image.ts";
import { sha256 } from "../../src/io/hash.ts";
import { type ExpectedArray, FOLDER } from "../formats/conformance/samples.ts";

interface Entry {
  readonly file: string;
  readonly expect: string;
  readonly bytes: number;
  readonly arrays?: readonly ExpectedArray[];
}

function entries(): readonly Entry[] {
  try {
    const text = Deno.readTextFileSync(new URL("expectations.json", FOLDER));
    return (JSON.parse(text) as { readonly entries: readonly Entry[] }).entries;
  } catch {
    return [];
  }
}

/** Files of one array, whose frames are images. */
const wanted = entries().flatMap(({ file, expect, arrays = [], bytes }) => {
  const [array] = arrays, shape = array?.sig_shape ?? [], digest = array?.sha256_first_frame;
  const isImage = arrays.length === 1 && (shape.length === 2 || (shape.length === 3 && shape[2]! < 5));
  const isSmall = /\.tiff?$/.test(file) && expect === "read" && bytes < 2 ** 19;
  return isImage && isSmall && digest !== undefined ? [{ file, shape, digest }] : [];
});

Deno.test({
  name: "images of real TIFF files have the shape and the samples that others read",
  ignore: wanted.length === 0,
  fn: async () => {
    assert(wanted.length > 20, `${wanted.length} files`);
    for (const { file, shape: [height = 0, width = 0, samples = 1], digest } of wanted) {
      const image = await openImage(Deno.readFileSync(new URL(file, FOLDER)));
      assertEquals([image.height, image.width, image.samples], [height, width, samples], file);
      const stride = width * pixelSize(image), all = new Uint8Array(stride * height);
      await image.decode((y, row) => all.set(row, y * stride));
      assertEquals(await sha256(all), digest, file);
    }
  },
});

/** JPEG images that contradict their tile, or ask for too much. */

import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { chunkFilter } from "../../../src/codecs/filters/registry.ts";
import { TilewiseError } from "../../../src/errors.ts";
import { CASES, undo } from "./undo.ts";

const jpeg = await chunkFilter("jpeg");
const wide = CASES.find(({ name }) => name === "jpeg 444 of 530 × 9")!;
const [stored, plain] = [Uint8Array.fromBase64(wide.stored), Uint8Array.fromBase64(wide.plain)];

/** The error for an image as a tile with `values`. */
async function errorOf(image: Uint8Array, values: readonly number[]): Promise<TilewiseError> {
  const room = values[0]! * values[1]! * values[2]!;
  return await assertRejects(() => undo(jpeg, { ...wide, values }, image, room), TilewiseError);
}

Deno.test("an image of another size than its tile is refused, and both sizes are said", async () => {
  for (const values of [[529, 9, 3, 1], [531, 9, 3, 1], [530, 9, 1, 1], [530, 9, 4, 1], [265, 18, 3, 1]]) {
    const error = await errorOf(stored, values);
    assertEquals(error.code, "malformed");
    assertMatch(error.message, new RegExp(`of 530 × 9 × 3, not of ${values.slice(0, 3).join(" × ")}`));
  }
});

Deno.test("components of unusual sizes are refused before their rows are written anywhere", async () => {
  const frame = stored.findIndex((byte, i) => byte === 0xff && stored[i + 1] === 0xc0);
  const image = stored.slice();
  [0x14, 0x14, 0x12].forEach((sampling, c) => image[frame + 11 + 3 * c] = sampling);
  assertEquals((await errorOf(image, wide.values)).code, "unsupported");
});

Deno.test("an image that ends anywhere is cut off, or has what is wanted", async () => {
  for (let length = 0; length < stored.length; length += 7) {
    const image = stored.slice(0, length);
    const found = await undo(jpeg, wide, image, plain.length).catch((error) => error.code);
    if (found !== "malformed") assertEquals(found, plain, `${length} bytes`);
  }
});

/** WebP pictures that are cut off, too large or move; and alpha that a tile has no samples for. */

import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { readAlpha, webp } from "../../../src/codecs/filters/webp/webp.ts";
import { TilewiseError } from "../../../src/errors.ts";
import { type Case, CASES, undo } from "./undo.ts";

/** The case of `make_webp.py` with this name. */
function named(name: string): Case {
  return CASES.find((one) => one.name === `lossy webp, ${name}`)!;
}

/** The same file with another length in its first bytes. */
function resized(file: Uint8Array): Uint8Array {
  const copy = file.slice();
  new DataView(copy.buffer).setUint32(4, copy.length - 8, true);
  return copy;
}

async function refused(one: Case, file: Uint8Array, room: number, word: string, code = "malformed") {
  const error = await assertRejects(() => undo(webp, one, file, room), TilewiseError, word);
  assertEquals(error.code, code);
}

Deno.test("a WebP picture that is cut off anywhere is an error, also where its header claims that it is whole", async () => {
  for (const name of ["33 × 17, quality 75", "8 partitions", "33 × 17 with alpha, 1 1"]) {
    const one = named(name);
    const file = Uint8Array.fromBase64(one.stored), room = Uint8Array.fromBase64(one.plain).length;
    for (let n = 0; n < file.length - 1; n++) {
      await refused(one, file.slice(0, n), room, "Cannot undo the filter webp");
      if (n >= 12) await refused(one, resized(file.slice(0, n)), room, "Cannot undo the filter webp");
    }
  }
});

Deno.test("plain alpha has one sample for every pixel, or the input ends too early", () => {
  const input = Uint8Array.of(0, 10, 20, 30, 40, 50, 60);
  assertEquals([...readAlpha(input, { start: 0, stop: 7 }, 3, 2)], [10, 20, 30, 40, 50, 60]);
  assertEquals([...readAlpha(input, { start: 0, stop: 7 }, 5, 1)], [10, 20, 30, 40, 50]); // more is not looked at
  assertThrows(() => readAlpha(input, { start: 0, stop: 6 }, 3, 2), TilewiseError, "ends too early");
  assertThrows(() => readAlpha(input, { start: 1, stop: 1 }, 0, 0), TilewiseError, "unknown kind");
});

Deno.test("a WebP picture with more pixels than its tile is refused", async () => {
  const one = named("33 × 17, quality 75"), file = Uint8Array.fromBase64(one.stored);
  await refused(one, file, 33 * 17 * 3 - 1, "33 × 17 pixels of 3 samples do not fit 1682 bytes");
  file.set([0xff, 0x3f, 0xff, 0x3f], 26);
  await refused(one, file, 33 * 17 * 3, "16383 × 16383 pixels of 3 samples");
  file.set([0, 0], 26);
  await refused(one, file, 33 * 17 * 3, "0 × 16383 pixels");
});

Deno.test("a WebP picture of another size than its canvas is refused, and parts in front of the canvas", async () => {
  const one = named("33 × 17 with alpha, 1 1"), file = Uint8Array.fromBase64(one.stored), room = 33 * 17 * 4;
  file[24]! += 3;
  await refused(one, file, room, "33 × 17 pixels do not fill its canvas of 36 × 17");
  file.set(new TextEncoder().encode("VP8Y"), 12);
  await refused(one, file, room, "parts in front of its canvas");
});

Deno.test("alpha of a WebP picture is left out of three samples, and full in the fourth of one that has none", async () => {
  const clear = named("33 × 17 with alpha, 1 1"), opaque = named("33 × 17, quality 75");
  for (const [one, samples] of [[clear, 3], [opaque, 4]] as const) {
    const [file, plain] = [Uint8Array.fromBase64(one.stored), Uint8Array.fromBase64(one.plain)];
    const found = await undo(webp, { ...one, values: [samples] }, file, 33 * 17 * samples);
    const [had] = one.values;
    assertEquals(
      found,
      Uint8Array.from({ length: found.length }, (_, i) => {
        const sample = i % samples;
        return sample === had ? 255 : plain[(i - sample) / samples * had! + sample]!;
      }),
    );
  }
});

Deno.test("WebP pictures that move are unsupported", async () => {
  const one = named("33 × 17, quality 75"), file = Uint8Array.fromBase64(one.stored);
  file.set(new TextEncoder().encode("ANMF"), 12);
  await refused(one, file, 33 * 17 * 3, "pictures that move", "unsupported");
});

import { assertEquals, assertThrows } from "@std/assert";
import { TilewiseError } from "../../src/errors.ts";
import { checkSyncOffset, visiblePositions } from "../../src/dataset/sync.ts";

/** What a scan shows: images hold 1, 2, 3 …, blanks are 0. */
function shown(frames: number, images: number, syncOffset: number): number[] {
  const values = new Array<number>(frames).fill(0);
  const { start, stop } = visiblePositions({ frames, images, syncOffset });
  for (let n = start; n < stop; n++) values[n] = n + syncOffset + 1;
  return values;
}

Deno.test("sixteen images with sync offsets −3 and +2", () => {
  assertEquals(shown(16, 16, -3), [0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
  assertEquals(shown(16, 16, 2), [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 0, 0]);
});

Deno.test("visible positions agree with a look at every position", () => {
  for (let frames = 1; frames <= 6; frames++) {
    for (let images = 1; images <= 6; images++) {
      for (let syncOffset = 1 - images; syncOffset < images; syncOffset++) {
        for (let start = 0; start <= frames; start++) {
          for (let stop = start; stop <= frames; stop++) {
            const range = visiblePositions({ frames, images, syncOffset }, start, stop);
            const expected = [];
            for (let n = start; n < stop; n++) {
              if (n + syncOffset >= 0 && n + syncOffset < images) expected.push(n);
            }
            const found = Array.from({ length: range.stop - range.start }, (_, i) => range.start + i);
            assertEquals(found, expected);
          }
        }
      }
    }
  }
});

Deno.test("sync offsets as large as the number of images are refused", () => {
  checkSyncOffset(15, 16);
  checkSyncOffset(-15, 16);
  for (const offset of [16, -16, 0.5, NaN]) {
    assertThrows(() => checkSyncOffset(offset, 16), TilewiseError, "sync offset");
  }
});

/** Samples in the order of a file, compared with those that are turned byte by byte. */

import "../fences/mod.ts";
import { assertEquals } from "@std/assert";
import { storedBytes } from "../../src/sinks/rows/layout.ts";
import { dtypeInfo, DTYPES } from "../../src/space/dtype.ts";

for (const dtype of DTYPES) {
  Deno.test(`stored bytes: ${dtype}, in either order, shifted or not, at any place and of any length`, () => {
    const { unitSize: unit, itemSize } = dtypeInfo(dtype);
    for (const byteOrder of ["little", "big"] as const) {
      for (const isShifted of [false, true]) {
        for (const start of [0, 1, 2, 3, 4, 5, 6, 7]) {
          for (const count of [0, 1, 2, 3, 4, 5, 6, 7, 33]) {
            const all = Uint8Array.from(
              { length: start + count * itemSize + 3 },
              (_, i) => (i * 89 + 7) % 256,
            );
            const bytes = all.subarray(start, start + count * itemSize), before = bytes.slice();
            const expected = byteByByte(bytes, unit, byteOrder === "big", isShifted);
            const what = [dtype, byteOrder, isShifted, start, count].join(" ");
            const stored = { byteOrder, isShifted };
            assertEquals(storedBytes(bytes, stored, dtype), expected, what);
            assertEquals(bytes, before, `${what}: what is given stays`);
            const around = all.slice();
            around.set(expected, start);
            storedBytes(bytes, stored, dtype, bytes); // in place
            assertEquals(all, around, what);
          }
        }
      }
    }
  });
}

/** Every sample by itself: its bytes from the last to the first, or as they are, with the highest bit inverted. */
function byteByByte(bytes: Uint8Array, unit: number, isBig: boolean, isShifted: boolean): Uint8Array {
  const out: number[] = [];
  for (let at = 0; at < bytes.length; at += unit) {
    const sample = [...bytes.subarray(at, at + unit)];
    if (isShifted) sample[unit - 1]! ^= 0x80;
    out.push(...isBig ? sample.reverse() : sample);
  }
  return Uint8Array.from(out);
}

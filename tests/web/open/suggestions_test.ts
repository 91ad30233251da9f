/** Suggestions for raw files fit the bytes, and the preview shows what `open` would. */

import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { open } from "@tilewise/tilewise";
import { read } from "@tilewise/tilewise";
import { readOptions, shapeText } from "../../../web/open/options.ts";
import { previewScan, suggestRaw, suggestScans } from "../../../web/open/suggestions.ts";

Deno.test("suggested scans have as many positions as there are images, or a few less", () => {
  fc.assert(fc.property(fc.integer({ min: 1, max: 100_000 }), (images) => {
    const shapes = suggestScans(images);
    assert(shapes.length > 0);
    for (const [rows, columns] of shapes) {
      const left = images - rows * columns;
      assert(
        left === 0 || (rows === columns && left > 0 && left <= 2 * rows),
        `${images}: ${rows} × ${columns}`,
      );
    }
  }));
});

Deno.test("squares come first, then a square with images left over, then one row", () => {
  assertEquals(suggestScans(65_536)[0], [256, 256]);
  assertEquals(suggestScans(128 * 64).slice(0, 2), [[64, 128], [90, 90]]);
  assertEquals(suggestScans(65_536 + 256)[0], [256, 257]);
  assertEquals(suggestScans(127)[0], [11, 11]);
  assertEquals(suggestScans(1), [[1, 1]]);
  assertEquals(suggestScans(0), []);
});

Deno.test("raw suggestions use all bytes", () => {
  const sizes: Record<string, number> = { uint8: 1, uint16: 2, uint32: 4, float32: 4 };
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4096 }), fc.constantFrom(0, 384, 1024), (frames, header) => {
      const bytes = header + frames * 256 * 256 * 2;
      const found = suggestRaw(bytes, "", 500);
      for (const { sig, dtype, headerBytes, frames } of found) {
        assertEquals(headerBytes + frames * sig[0] * sig[1] * (sizes[dtype] ?? NaN), bytes);
      }
      assert(
        found.some(({ sig, dtype, headerBytes }) =>
          sig[0] === 256 && dtype === "uint16" && headerBytes === header
        ),
      );
    }),
  );
  assertEquals(suggestRaw(64 * 64 * 256 * 256 * 2)[0], {
    sig: [256, 256],
    dtype: "uint16",
    headerBytes: 0,
    frames: 4096,
  });
  assertEquals(suggestRaw(7), []);
});

Deno.test("the preview of a scan is what open shows with that shape and sync offset", async () => {
  const sample = fc.tuple(
    fc.integer({ min: 1, max: 5 }),
    fc.integer({ min: 1, max: 5 }),
    fc.integer({ min: -7, max: 7 }),
  );
  await fc.assert(
    fc.asyncProperty(sample, fc.integer({ min: 1, max: 30 }), async ([rows, columns, offset], images) => {
      const perImage = Uint8Array.from({ length: images }, (_, i) => i + 1);
      const preview = previewScan(perImage, [rows, columns], offset);
      const { options, wrong } = readOptions({
        format: "raw",
        dtype: "uint8",
        sig: "1x1",
        nav: shapeText([rows, columns]),
      });
      assertEquals(wrong, {});
      const expected = await open(perImage, { ...options, syncOffset: offset }).then(read, () => undefined);
      if (!expected) return; // no image at all lies in the scan
      const shown = Array.from(preview.values, (value) => Number.isNaN(value) ? 0 : value);
      assertEquals(shown, Array.from(expected.data as ArrayLike<number>));
    }),
    { numRuns: 60 },
  );
});

Deno.test("names of files tell shapes and types, if these use all bytes", () => {
  const bytes = 3 * 5 * 96 * 112 * 4;
  const told = { sig: [96, 112], dtype: "float32", headerBytes: 0, frames: 15, scan: [3, 5] };
  assertEquals(suggestRaw(bytes, "scan_3x5_96x112_float32.raw")[0] as unknown, told);
  assertEquals(suggestRaw(bytes, "scan_3x5_96x112.raw")[0]?.sig, [96, 112]);
  assertEquals(suggestRaw(bytes + 1, "scan_3x5_96x112_float32.raw"), []);
  const same = suggestRaw(64 * 64 * 64 * 2, "scan_8x8_64x64_u16.raw", 500).filter((
    { sig, dtype, headerBytes },
  ) => sig[0] === 64 && dtype === "uint16" && headerBytes === 0);
  assertEquals(same.length, 1);
  const headed = suggestRaw(512 + 6 * 100 * 50 * 2, "2x3 of 100x50 u16.bin")[0];
  assertEquals([headed?.dtype, headed?.headerBytes, headed?.scan] as unknown, ["uint16", 512, [2, 3]]);
});

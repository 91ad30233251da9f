/**
 * TVIPS series that are opened by a later file, or have scans.
 *
 * @module
 */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { readBox } from "../../src/cli/frames.ts";
import { open } from "../../src/formats/open.ts";
import { wholeBox } from "../../src/space/box.ts";
import { failure, join } from "./helpers.ts";

/** The head of a series of frames of 2 × 3 bytes with headers of 80 bytes. */
function head(): Uint8Array {
  const view = new DataView(new ArrayBuffer(256));
  [256, 2, 3, 2, 8, 0, 0, 1, 1, 15500, 200, 50000, 80].forEach((value, i) =>
    view.setInt32(4 * i, value, true)
  );
  return new Uint8Array(view.buffer);
}

/** A frame: its samples count on from `first`, its beam is at (y, x). */
function frame(first: number, y: number, x: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(86));
  view.setFloat32(68, x, true);
  view.setFloat32(72, y, true);
  for (let i = 0; i < 6; i++) view.setUint8(80 + i, first + i);
  return new Uint8Array(view.buffer);
}

const at = [[5, 5], [0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2], [1, 3]] as const;
const frames = at.map(([y, x], i) => frame(6 * i, y, x));
const FILES = [
  new File([join(head(), ...frames.slice(0, 3))], "a_000.tvips"),
  new File([join(...frames.slice(3, 5))], "a_001.tvips"),
  new File([join(...frames.slice(5))], "a_002.tvips"),
];

Deno.test("any file of a series opens all of it", async () => {
  for (const order of [[0, 1, 2], [1, 0, 2], [2, 1, 0]]) {
    const scan = await open(order.map((i) => FILES[i]!));
    assertEquals([scan.detection.format, scan.layout.files.length, scan.images], ["tvips", 3, 8]);
    assertEquals([scan.navShape, scan.syncOffset], [[2, 3], 1]);
    const { data } = await readBox(scan, wholeBox(scan.shape));
    assertEquals(data, Uint8Array.from({ length: 36 }, (_, i) => 6 + i));
    assertEquals(scan.instrument, {
      voltage: 200000,
      magnification: 50000,
      binning: [1, 1],
      pixelSize: [1.55e-5, 1.55e-5],
    });
  }
});

Deno.test("a later file needs the first one", async () => {
  const alone = await failure(open(FILES[1]!), "unknown-format");
  assertStringIncludes(alone.message, "a_000.tvips");
  await failure(open([FILES[1]!, FILES[0]!], { noSeries: true }), "invalid");
  assertEquals((await open(FILES[0]!, { noSeries: true })).images, 3);
  await failure(open([FILES[0]!, FILES[2]!]), "not-found");
});

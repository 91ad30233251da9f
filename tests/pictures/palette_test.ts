import { assert, assertEquals } from "@std/assert";
import { colourCode, type Rgb } from "../../src/pictures/colours/palette.ts";
import { terminalPicture } from "../../src/pictures/terminal.ts";

/** What xterm shows for each of its colours from 16 on. */
const SHOWN: readonly Rgb[] = [
  ...Array.from({ length: 216 }, (_, i): Rgb => {
    const level = (step: number) => step === 0 ? 0 : 55 + 40 * step;
    return [level(Math.floor(i / 36)), level(Math.floor(i / 6) % 6), level(i % 6)];
  }),
  ...Array.from({ length: 24 }, (_, i): Rgb => [8 + 10 * i, 8 + 10 * i, 8 + 10 * i]),
];

const distance = (a: Rgb, b: Rgb) => a.reduce((sum, value, i) => sum + (value - b[i]!) ** 2, 0);

Deno.test("one of 256 colours is the nearest that a search through all of them finds", () => {
  for (let i = 0; i < 2000; i++) {
    const colour: Rgb = [i * 7919 % 256, i * 104729 % 256, i * 1299709 % 256];
    const index = Number(colourCode(colour, 256).split(";")[2]) - 16;
    const least = Math.min(...SHOWN.map((shown) => distance(colour, shown)));
    assertEquals(distance(colour, SHOWN[index]!), least, colour.join());
  }
  for (const [i, colour] of SHOWN.entries()) {
    const found = Number(colourCode(colour, 256).split(";")[2]) - 16;
    assertEquals(SHOWN[found], colour, String(i));
  }
});

Deno.test("codes of text and of its background", () => {
  assertEquals(colourCode([1, 2, 3], true), "38;2;1;2;3");
  assertEquals(colourCode([1, 2, 3], true, true), "48;2;1;2;3");
  assertEquals(colourCode([255, 255, 255], 256, true), "48;5;231");
  assertEquals(colourCode([128, 128, 128], 256), "38;5;244");
  assertEquals(colourCode([200, 10, 10], 16), "31");
  assertEquals(colourCode([255, 255, 250], 16), "97");
  assertEquals(colourCode([255, 255, 250], 16, true), "107");
  assertEquals(colourCode([0, 0, 0], 16, true), "40");
});

Deno.test("a picture with 256 or 16 colours has no others", () => {
  const data = Uint8Array.from({ length: 64 }, (_, i) => 4 * i);
  const raster = { width: 8, height: 8, channels: 1 as const, data };
  const palette = terminalPicture(raster, { colour: 256 });
  assert(palette.includes("\x1b[38;5;") && palette.includes("\x1b[48;5;") && !palette.includes("8;2;"));
  const basic = terminalPicture(raster, { colour: 16 });
  const codes = basic.split("\x1b[").slice(1).map((part) => part.slice(0, part.indexOf("m")));
  assert(codes.every((code) => /^(0|3\d|9\d|4\d|10\d)$/.test(code)) && codes.length > 8, codes.join());
});

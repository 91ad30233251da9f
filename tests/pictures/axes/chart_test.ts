/** Axes: ticks are where their values are, labels are beside them, on axes that rise and on axes that fall. */

import { assert, assertEquals } from "@std/assert";
import { charted } from "../../../src/pictures/axes/chart.ts";
import { eachDot, textWidth } from "../../../src/pictures/axes/font.ts";
import { labelOf, ticksOf } from "../../../src/pictures/axes/ticks.ts";
import { findText } from "./find_text.ts";

/** A gray picture with one red pixel. */
function gray(side: number, redX: number, redY: number) {
  const data = new Uint8Array(3 * side * side).fill(200);
  data.set([255, 0, 0], 3 * (redY * side + redX));
  return { width: side, height: side, channels: 3, data } as const;
}

const CHART = {
  title: "A title",
  x: { label: "offset (arcmin)", range: [10, -10] },
  y: { label: "height", range: [0, 200] },
} as const;

Deno.test("labels are below and beside their values, also on an axis that falls", () => {
  const side = 640;
  const picture = charted(gray(side, 0, 0), CHART); // a dot has 2 pixels
  const at = (text: string) => findText(picture, text, 2);
  const red =
    picture.data.findIndex((_, i) =>
      i % 3 === 0 && picture.data[i] === 255 && picture.data[i + 1] === 0 && picture.data[i + 2] === 0
    ) / 3;
  const [left, top] = [red % picture.width, Math.floor(red / picture.width)];
  const placeX = (value: number) => left + (10 - value) / 20 * side;
  for (const value of [5, -5]) {
    const label = labelOf(value, 5);
    const [one] = at(label).filter(({ y }) => y > top + side);
    assert(one && Math.abs(one.x + textWidth(label) - placeX(value)) <= 2, label);
  }
  assertEquals(at("150").length, 1);
  assert(Math.abs(at("150")[0]!.y + 7 - (top + side / 4)) <= 2);
  assertEquals([at("A title").length, at("offset (arcmin)").length], [1, 1]);
  assertEquals(findText(picture, "height", 2, true).length, 1);
});

Deno.test("small pictures are enlarged by a whole factor, large ones stay as they are", () => {
  const small = charted(gray(100, 99, 0), CHART); // 6 × 6 pixels each
  const isRed = (i: number) => small.data[3 * i] === 255 && small.data[3 * i + 1] === 0;
  const red = Array.from({ length: small.data.length / 3 }, (_, i) => i).filter(isRed);
  assertEquals(red.length, 36);
  const large = charted(gray(700, 0, 0), CHART);
  assert(large.width > 700 && large.width < 1000);
});

Deno.test("a colour bar has its colours from bottom to top, and its label above", () => {
  const bar = { label: "Jy/beam", limits: [0, 1], colormap: "gray" } as const;
  const picture = charted(gray(640, 0, 0), { ...CHART, bar });
  assertEquals(findText(picture, "Jy/beam", 2).length, 1);
  const [label] = findText(picture, "0.0", 2), [half] = findText(picture, "0.4", 2);
  const column = label!.x - 2 * (4 + 4 + 6);
  const grayAt = (y: number) => picture.data[3 * (y * picture.width + column)]!;
  assert(Math.abs(grayAt(half!.y + 7) - 0.4 * 255) < 4);
  assert(grayAt(half!.y + 100) < grayAt(half!.y));
});

Deno.test("a title that is too long ends with an ellipsis", () => {
  const picture = charted(gray(640, 0, 0), { ...CHART, title: "x".repeat(100) });
  assertEquals([findText(picture, "xx…", 2).length, findText(picture, "x".repeat(60), 2).length], [1, 0]);
});

Deno.test("ticks are round numbers within the axis, and no more than asked for", () => {
  for (
    const [from, to] of [[0, 1], [-3.7, 12.2], [1e-7, 9e-7], [-1e9, 3e9], [5, -5], [99.99, 100.01]] as const
  ) {
    for (const most of [4, 5, 9]) {
      const ticks = ticksOf(from, to, most);
      const step = Math.abs(ticks[1]!.value - ticks[0]!.value);
      assert(ticks.length >= 2 && ticks.length <= most + 1, `${from} ${to} ${most}: ${ticks.length}`);
      assert(
        ticks.every(({ value }) => value >= Math.min(from, to) - 1e-6 && value <= Math.max(from, to) + 1e-6),
      );
      assert(
        [1, 2, 5, 10].some((one) => Math.abs(step / 10 ** Math.floor(Math.log10(step * 1.001)) - one) < 1e-6),
      );
      assertEquals(new Set(ticks.map(({ label }) => label)).size, ticks.length);
    }
  }
  assertEquals([ticksOf(1, 1, 5), ticksOf(NaN, 1, 5), ticksOf(-Infinity, 1, 5)], [[], [], []]);
});

Deno.test("all glyphs differ, and are inside of their cell", () => {
  const seen = new Map<string, string>();
  for (let code = 33; code < 127; code++) {
    const character = String.fromCharCode(code);
    const dots: string[] = [];
    eachDot(character, (x, y) => {
      assert(x >= 0 && x < 5 && y >= 0 && y < 7);
      dots.push(`${x},${y}`);
    });
    const other = seen.get(dots.join(" "));
    assert(
      dots.length > 0 && (other === undefined || "{}`$".includes(character)),
      `${character} and ${other}`,
    );
    seen.set(dots.join(" "), character);
  }
});

import { assert, assertEquals } from "@std/assert";
import { ndarray } from "../../src/space/ndarray.ts";
import { picture } from "../../src/pictures/picture.ts";
import { terminalPicture } from "../../src/pictures/terminal.ts";

const ramp = (shape: [number, number]) => {
  const size = shape[0] * shape[1];
  return picture(ndarray(Float64Array.from({ length: size }, (_, i) => i), shape, "float64"), {
    colormap: "gray",
  });
};

/** The text without its colours. */
// deno-lint-ignore no-control-regex -- the escape character is what colours start with
const plain = (text: string) => text.replace(/\x1b\[[0-9;]*m/g, "");

Deno.test("a picture fits the width and keeps its proportions, with two pixels a character", () => {
  for (const [height, width] of [[128, 128], [10, 300], [300, 10], [1, 1], [3, 5]] as [number, number][]) {
    for (const columns of [1, 7, 40]) {
      const lines = plain(terminalPicture(ramp([height, width]), { columns })).split("\n");
      const used = Math.min(columns, width);
      assert(lines.every((line) => line.length === used));
      assertEquals(lines.length, Math.max(1, Math.round(height * used / width / 2)));
    }
  }
});

Deno.test("without colour there are no escapes, and shades rise with the values", () => {
  const text = terminalPicture(ramp([1, 10]), { colour: false });
  assertEquals(text, " .:-=+*#%@");
});

Deno.test("what shows nothing is a dot, in colour and without", () => {
  const raster = { width: 2, height: 2, channels: 2 as const, data: Uint8Array.of(9, 0, 9, 255, 9, 0, 9, 0) };
  assertEquals(terminalPicture(raster, { colour: false }), "· ");
  assertEquals(terminalPicture(raster), "·\x1b[38;2;9;9;9m▀\x1b[0m");
});

Deno.test("every line ends without colour, so that what follows is plain", () => {
  for (const line of terminalPicture(ramp([8, 8])).split("\n")) assert(line.endsWith("\x1b[0m"));
});

Deno.test("cells show the mean of their pixels", () => {
  const raster = { width: 4, height: 2, channels: 1 as const, data: Uint8Array.of(0, 100, 0, 0, 7, 9, 0, 0) };
  assertEquals(plain(terminalPicture(raster, { columns: 2 })).length, 2);
  assert(terminalPicture(raster, { columns: 2 }).includes("38;2;50;50;50m\x1b[48;2;8;8;8m"));
});

Deno.test("16-bit pictures are shown by their high bytes", () => {
  const raster = { width: 1, height: 2, channels: 1 as const, data: Uint16Array.of(65535, 0) };
  assert(terminalPicture(raster).startsWith("\x1b[38;2;255;255;255m"));
});

import { assert, assertEquals } from "@std/assert";
import { withLegend } from "../../src/pictures/legend.ts";
import { picture } from "../../src/pictures/picture.ts";
import { rasterOf, rowsOf } from "../../src/sinks/png/raster.ts";
import { ndarray } from "../../src/space/ndarray.ts";

Deno.test("a legend keeps the picture and adds a bar from the highest to the lowest colour", () => {
  const image = ndarray(Float64Array.from({ length: 40 * 8 }, (_, i) => i), [40, 8], "float64");
  const plain = picture(image);
  const shown = picture(image, { legend: true });
  assertEquals(shown.height, 40);
  assert(shown.width > plain.width);
  const pixel = (
    raster: typeof plain,
    y: number,
    x: number,
  ) => [...raster.data.subarray(4 * (y * raster.width + x), 4 * (y * raster.width + x) + 4)];
  for (let y = 0; y < 40; y++) {
    for (let x = 0; x < 8; x++) assertEquals(pixel(shown, y, x), pixel(plain, y, x));
  }
  assertEquals(pixel(shown, 0, 13), pixel(plain, 39, 7)); // the highest value is above
  assertEquals(pixel(shown, 39, 13), pixel(plain, 0, 0));
});

Deno.test("a legend has room for its labels however small the picture is, and grows with it", () => {
  const raster = (
    height: number,
  ) => rowsOf({ width: 1, height, channels: 4, data: new Uint8Array(4 * height) });
  assertEquals(withLegend(raster(1), [-1.25e-7, 12345.678], "gray").height, 12);
  const [small, large] = [128, 512].map((height) => withLegend(raster(height), [0, 9], "gray").width);
  assert(large! > small!);
  const inked =
    rasterOf(withLegend(raster(20), [0, 1], "gray")).data.filter((v, i) => i % 4 === 3 && v === 255).length;
  assertEquals(inked, 20 * 10 + 8 + 12); // the bar, and the dots of "1" and "0"
});

/** Images and visibilities as another gridder makes them: see `tests/data/imaging/make.py`. */

import { assert } from "@std/assert";
import { createContext } from "../../../mod.ts";
import { degrid } from "../../../src/rime/image/degrid.ts";
import { dirtyImage } from "../../../src/rime/image/dirty.ts";
import type { ImageGrid } from "../../../src/rime/image/grid.ts";
import expected from "../../data/imaging/expected.json" with { type: "json" };
import "../../fences/mod.ts";
import { errorOf } from "./data.ts";

const numbers = (name: Exclude<keyof typeof expected, "grid">) => Float64Array.from(expected[name]);
const grid = expected.grid as unknown as ImageGrid;
const rows = { uvw: numbers("uvw"), frequency: numbers("frequency") };

for (
  const [precision, epsilon] of [["f64", 1e-3], ["f64", 1e-5], ["f64", 1e-8], ["f64", 1e-12], [
    "mixed",
    1e-6,
  ]] as const
) {
  Deno.test(`images and visibilities are those of another gridder within ${epsilon}: ${precision}`, async () => {
    await using context = createContext({ memory: "16MiB", workers: 0 });
    const options = { context, precision, epsilon };
    const input = { ...rows, visibilities: numbers("visibilities"), weights: numbers("weights") };
    const { image } = await dirtyImage(input, grid, { ...options, normalize: false });
    const { data } = await degrid(numbers("image"), grid, rows, options);
    const [found, seen] = [errorOf(image.data, expected.dirty), errorOf(data, expected.seen)];
    assert(found < epsilon, `image: ${found}`);
    assert(seen < epsilon, `visibilities: ${seen}`);
  });
}

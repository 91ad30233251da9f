/**
 * Reference kernel of the highest samples of eight images.
 *
 * @module
 */

import type { KernelFamilies } from "../../../../src/kernels/families/families.ts";

const f = Math.fround;

/** For every image: y, x of its highest sample, y, x of the centre of mass around it, height, elevation. */
export function lanesPeaks(memory: WebAssembly.Memory): KernelFamilies["lanes_peaks"] {
  const view = new DataView(memory.buffer);
  return (out, data, size, count) => {
    if (size <= 0) return;
    for (let i = 0; i < count; i++) {
      const image = Array.from(
        { length: size * size },
        (_, e) => view.getFloat32(data + 32 * e + 4 * i, true),
      );
      const at = image.reduce((best, value, e) => value > image[best]! ? e : best, 0);
      const [y, x] = [Math.floor(at / size), at % size];
      const [v, u] = refined(image, size, y, x);
      [y, x, v, u, image[at]!, elevation(image, size, image[at]!, f(v), f(u))]
        .forEach((value, j) => view.setFloat32(out + 24 * i + 4 * j, value, true));
    }
  };
}

/** The centre of mass in the largest square of 1, 3 or 5 samples around (y, x) that lies inside. */
function refined(image: readonly number[], size: number, y: number, x: number): [number, number] {
  const r = Math.min(2, y, x, size - 1 - y, size - 1 - x);
  const steps = Array.from({ length: 2 * r + 1 }, (_, i) => i - r);
  const window = steps.flatMap((dy) =>
    steps.map((dx) => ({ dy, dx, value: image[(y + dy) * size + x + dx]! }))
  );
  const least = Math.min(...window.map(({ value }) => value));
  const total = (weight: (dy: number, dx: number) => number) =>
    window.reduce((sum, { dy, dx, value }) => sum + weight(dy, dx) * (value - least), 0);
  const sum = total(() => 1);
  return sum > 0 ? [y + total((dy) => dy) / sum, x + total((_, dx) => dx) / sum] : [y, x];
}

/** The slope of the steepest cone with its tip at (y, x) that contains no sample at a distance of 1.5 or more. */
function elevation(image: readonly number[], size: number, height: number, y: number, x: number): number {
  const slopes = image.flatMap((value, e) => {
    const [dy, dx] = [f(Math.floor(e / size) - y), f(e % size - x)];
    const square = f(f(dy * dy) + f(dx * dx));
    return square < 2.25 ? [] : [f(f(height - value) / f(Math.sqrt(square)))];
  });
  return slopes.length ? Math.min(...slopes) : 0;
}

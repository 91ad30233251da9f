/** A kernel of a user, for tests: it runs in workers. */

import type { CubeTile } from "../../src/hypercube/run/kernels/function.ts";

/** The weighted power of each row and channel, of samples without flags; and how many there are. */
export function power(
  { arrays: { observed_vis, flag, weight, power, count } }: CubeTile<{
    observed_vis: "complex128";
    flag: "uint8";
    weight: "float64";
    power: "float64";
    count: "float64";
  }>,
) {
  const each = flag.data.length / power.data.length;
  power.data.fill(0);
  count.data[0] = 0;
  for (let i = 0; i < flag.data.length; i++) {
    if (flag.data[i]) continue;
    const [re, im] = [observed_vis.data[2 * i]!, observed_vis.data[2 * i + 1]!];
    power.data[Math.floor(i / each)]! += weight.data[i]! * (re * re + im * im);
    count.data[0]!++;
  }
}

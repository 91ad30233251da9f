/** The examples of cubes check themselves, and give the same bits for any number of workers. */

import "../fences/mod.ts";
import { assertEquals } from "@std/assert";
import * as phase from "../../examples/complex_phase.ts";
import * as sweep from "../../examples/parameter_sweep.ts";

Deno.test("the documented cube has the documented bytes", () => {
  const { cube } = phase;
  assertEquals(cube.bytesRequired(), 33_554_447_623_744);
  const window = cube.with({ ntime: { upper: 100 }, nchan: { upper: 64 } });
  assertEquals(window.bytesRequired(), 655_515_712);
});

for (const [name, { main }] of Object.entries({ "complex_phase.ts": phase, "parameter_sweep.ts": sweep })) {
  Deno.test(`examples/${name} finds what plain loops find, with any number of workers`, async () => {
    const log = console.log;
    console.log = () => {};
    try {
      const results = new Set<string>();
      for (const workers of ["0", "1", "2"]) results.add(await main(["--workers", workers]));
      assertEquals(results.size, 1);
    } finally {
      console.log = log;
    }
  });
}

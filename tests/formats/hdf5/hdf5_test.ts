/**
 * HDF5 files that are damaged end in a typed error or in samples, soon and in little memory. `deno task fuzz` does the
 * same by the thousand.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { attempt, type Outcome } from "../../fuzz/attempt.ts";
import { type Sample, samplesOf } from "../../fuzz/targets.ts";
import { cases } from "../../suite/cases.ts";

const samples = samplesOf("hdf5").filter(({ bytes }) => bytes.length < 24_000);

async function outcomeOf({ name, siblings }: Sample, bytes: Uint8Array<ArrayBuffer>): Promise<Outcome> {
  const outcome = await attempt(name, bytes, { siblings });
  const isBusy = outcome.problem?.startsWith("it took") && outcome.milliseconds < 5000; // tests run side by side
  assert(outcome.problem === undefined || isBusy, outcome.problem);
  return outcome;
}

/** Few places in each file, many in the smallest ones; `deno task fuzz --parser hdf5` tries any. */
const counts = (s: number) =>
  s < 2 ? { cuts: 200, changes: 100 } : { cuts: cases(6, 12), changes: cases(5, 12) };

for (const [s, sample] of samples.entries()) {
  const { bytes, name } = sample;
  const { cuts, changes } = counts(s);

  Deno.test(`${name}: cut at ${cuts} places it is refused`, async () => {
    for (let i = 0; i < cuts; i++) {
      const { end } = await outcomeOf(sample, bytes.slice(0, Math.floor(i * bytes.length / cuts)));
      assert(end !== "read", `cut at place ${i} of ${cuts}`);
    }
  });

  Deno.test(`${name}: with single bytes changed it is refused or read`, async () => {
    assertEquals((await outcomeOf(sample, bytes)).end, "read");
    for (let i = 0; i < changes; i++) {
      const at = Math.floor(i * bytes.length / changes);
      for (const value of [0, 0xff, bytes[at]! ^ 1]) {
        const damaged = bytes.slice();
        damaged[at] = value;
        await outcomeOf(sample, damaged);
      }
    }
  });
}

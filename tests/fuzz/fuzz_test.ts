/**
 * A short run of the fuzzer for every parser and kernel, and every file that a long run has ever stumbled over.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { needSamples } from "../formats/conformance/samples.ts";
import { attempt } from "./attempt.ts";
import { attemptFilter, FILTERS } from "./filters.ts";
import { attemptKernel, UNPACKERS } from "./kernels.ts";
import { apply, mutations } from "./mutate.ts";
import { FINDINGS, parsers, samplesOf } from "./targets.ts";

const EACH = 60;

/** Kernels whose input can be wrong in one way only. */
const ONE_CODE = ["lzw", "lzw_old", "packbits"];

needSamples("damaged files of every format");
for (const parser of parsers()) {
  Deno.test(`${parser}: ${EACH} damaged files are read or refused within limits`, async () => {
    const samples = samplesOf(parser);
    for (let n = 0; n < EACH; n++) {
      const { name, bytes, ...company } = samples[n % samples.length]!;
      const damaged = apply(bytes, mutations(bytes.length, 7919 * n));
      const { problem, milliseconds } = await attempt(name, damaged, company);
      const isBusy = problem?.startsWith("it took") && milliseconds < 5000; // other tests run beside it
      assert(problem === undefined || isBusy, `${name}, execution ${n}: ${problem}`);
    }
  });
}

for (const family of UNPACKERS) {
  Deno.test(`${family}: damaged input ends as that of the twin does`, () => {
    const ends = new Set<string>();
    for (let seed = 1; seed <= 150; seed++) {
      const { end, problem } = attemptKernel(family, seed);
      assertEquals(problem, undefined, `seed ${seed}`);
      ends.add(end);
    }
    assert(ends.size >= (ONE_CODE.includes(family) ? 2 : 4), `${[...ends]}`);
  });
}

Deno.test("filters: damaged input ends in bytes or in a typed error", async () => {
  for (const name of FILTERS) {
    for (let seed = 1; seed <= 40; seed++) {
      const { problem } = await attemptFilter(name, seed);
      if (!problem?.startsWith("it took")) assertEquals(problem, undefined, `${name}, seed ${seed}`);
    }
  }
});

Deno.test("mutations follow from their seed, and make other files", () => {
  const bytes = Uint8Array.from({ length: 500 }, (_, i) => i);
  const made = Array.from({ length: 300 }, (_, seed) => apply(bytes, mutations(bytes.length, seed)));
  assertEquals(made.map(String), made.map((_, seed) => String(apply(bytes, mutations(bytes.length, seed)))));
  const changed = made.filter((one) => String(one) !== String(bytes)).length;
  assert(changed > 250, `${changed} of 300 differ`);
});

for (const { name } of found()) {
  Deno.test(`finding ${name} is read or refused`, async () => {
    const { problem } = await attempt(name, await Deno.readFile(FINDINGS + name));
    assertEquals(problem, undefined);
  });
}

function found(): Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(FINDINGS)];
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return []; // none so far
    throw error;
  }
}

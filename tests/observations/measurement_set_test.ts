/** Measurement Sets as observations: every field and spectral window against what was written. */

import "../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import { openObservation } from "../../src/observations/open.ts";
import { failure } from "../formats/helpers.ts";
import { allSamples, compare, EXPECTED, type Expected, pathOf, tile } from "./expected.ts";

interface Part {
  readonly field: number;
  readonly window: number;
  readonly expected: Expected;
}

const PARTS: readonly Part[] = EXPECTED["small.ms"];
const PATH = pathOf("small.ms");

for (const { field, window, expected } of PARTS) {
  Deno.test(`field ${field} with spectral window ${window} has the rows and samples that were written`, async () => {
    await using found = await openObservation(PATH, { field, spectralWindow: window });
    await compare(found, expected);
    assertEquals(found.warnings, []);
  });
}

Deno.test("without options, field and spectral window of the first row are taken, with warnings", async () => {
  await using found = await openObservation(PATH);
  await compare(found, PARTS[0]!.expected);
  assertEquals(found.warnings.length, 2);
  assert(/field 0.*others are 1/.test(found.warnings[0]!), found.warnings[0]);
});

Deno.test("fields are named, data descriptions numbered, and other columns of visibilities taken", async () => {
  await using found = await openObservation(PATH, {
    field: "target",
    dataDescription: 1,
    column: "MODEL_DATA",
  });
  const { expected } = PARTS.find(({ field, window }) => field === 1 && window === 1)!;
  await compare(found, { ...expected, visibility: expected.model! });
});

Deno.test("ranges of rows, channels and correlations are those of the whole", async () => {
  await using found = await openObservation(PATH, { field: 1, spectralWindow: 0 });
  const visibility = found.visibility!, [, channels, correlations] = visibility.shape;
  const whole = await allSamples(visibility);
  const part = await visibility.source(tile([[2, 5], [1, 3], [1, 4]])) as Float32Array;
  let at = 0;
  for (let row = 2; row < 5; row++) {
    for (let channel = 1; channel < 3; channel++) {
      for (let correlation = 1; correlation < 4; correlation++) {
        const from = 2 * ((row * channels! + channel) * correlations! + correlation);
        assertEquals([part[at++], part[at++]], [whole[from], whole[from + 1]]);
      }
    }
  }
  assertEquals(at, part.length);
  assertEquals([...await found.timeIndex(0, found.rows)], [0, 0, 0, 1, 1, 1]);
});

Deno.test("what a Measurement Set does not have is an error that says what it has", async () => {
  const cases = [
    [{ field: "other" }, "not-found", '0 "calibrator", 1 "target"'],
    [{ field: 7 }, "not-found", "it has 0"],
    [{ spectralWindow: 5 }, "not-found", "spectral window 5"],
    [{ column: "CORRECTED_DATA" }, "not-found", "it has DATA, MODEL_DATA"],
  ] as const;
  for (const [options, code, words] of cases) {
    const error = await failure(openObservation(PATH, options), code);
    assert(error.message.includes(words), error.message);
  }
  const table = await failure(openObservation(`${PATH}/FIELD`), "malformed");
  assert(/as a Measurement Set/.test(table.message), table.message);
});

Deno.test("an observation of arrays checks their lengths, and gives their rows", async () => {
  const input = {
    antennas: [{ name: "a", position: [0, 0, 0] as const }, { name: "b", position: [10, 0, 0] as const }],
    frequencies: [1e9, 1.1e9],
    correlations: ["XX"],
    phaseCentre: [0, 0] as const,
    time: [20, 10, 20],
    antenna1: [0, 0, 0],
    antenna2: [1, 1, 1],
    uvw: [1, 2, 3, 4, 5, 6, 7, 8, 9],
    visibility: Float32Array.from({ length: 12 }, (_, i) => i),
  };
  await using found = await openObservation(input);
  assertEquals([[...found.times], [...await found.timeIndex(0, 3)]], [[10, 20], [1, 0, 1]]);
  assertEquals([...found.channelWidths], [1e8, 1e8]);
  assertEquals([...await allSamples(found.visibility!)], [...input.visibility]);
  const error = await failure(openObservation({ ...input, uvw: [1, 2] }), "invalid");
  assertEquals([error.details.expected, error.details.found], [9, 2]);
});

Deno.test("antennas have the receptors of the spectral window", async () => {
  for (const [window, names] of [["X", "Y"], ["R", "L"]].entries()) {
    await using found = await openObservation(PATH, { field: 0, spectralWindow: window });
    const expected = [{ polarization: names[0]!, angle: 0 }, { polarization: names[1]!, angle: Math.PI / 2 }];
    assertEquals(found.antennas.map(({ receptors }) => receptors), [expected, expected, expected]);
  }
});

Deno.test("times that hardly differ are told; those of other intervals are not", async () => {
  const of = async (time: number[]) => {
    const each = (value: number) => new Float64Array(time.length).fill(value);
    await using found = await openObservation({
      antennas: [{ name: "a", position: [0, 0, 0] }, { name: "b", position: [10, 0, 0] }],
      frequencies: [1e9],
      correlations: ["XX"],
      phaseCentre: [0, 0],
      time,
      antenna1: each(0),
      antenna2: each(1),
      uvw: new Float64Array(3 * time.length),
      interval: each(10),
    });
    return [found.times.length, ...found.warnings];
  };
  assertEquals(await of([5e9, 5e9 + 10, 5e9 + 5]), [3]);
  const [count, warning] = await of([5e9, 5e9 + 1e-5, 5e9 + 2e-5, 5e9 + 10]);
  assert(
    count === 4 && /2 of 4 times are less than 1 % of an interval of 10 s/.test(String(warning)),
    String(warning),
  );
});

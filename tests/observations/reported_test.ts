/** Reported observations that were read without what their numbers mean, with the values that they mean. */

import "../fences/mod.ts";
import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { openObservation } from "../../src/observations/open.ts";
import { feedRotation, predict } from "../../src/rime/mod.ts";
import { readSky } from "../../src/skies/read.ts";
import { failure } from "../formats/helpers.ts";
import { allSamples } from "./expected.ts";
import { expectedOf, hasReports, reportedPath, reportedTable } from "./packed.ts";

const ignore = !hasReports();

/** The first correlation of the first channel of rows, as reports have it. */
async function firstOf(sky: string, path: string, field?: number): Promise<number[][]> {
  await using observation = await openObservation(path, field === undefined ? {} : { field });
  const { data, shape } = await predict(await readSky(reportedPath(sky)), observation);
  const each = 2 * shape[1]! * shape[2]!;
  return Array.from(
    { length: Math.min(6, shape[0]!) },
    (_, row) => [data[row * each]!, data[row * each + 1]!],
  );
}

/** The list of pairs that a case expects. */
// deno-lint-ignore no-explicit-any -- each case has its own form
function pairsIn(expected: any): number[][] {
  const values = expected.or ? expected.or[1] : expected;
  return values[Object.keys(values).find((name) => name.startsWith("first correlation"))!];
}

function near(found: number[][], expected: number[][], tolerance: number): void {
  assertEquals(found.length, expected.length);
  found.flat().forEach((value, i) => assertAlmostEquals(value, expected.flat()[i]!, tolerance));
}

for (
  const [id, table, tolerance] of [
    ["units-deg", "deg.ms", 1e-12],
    ["units-km", "km.ms", 1e-12],
    ["frame-b1950", "b1950.ms", 1e-6],
    ["foreign-predict", "foreign.ms", 1e-12],
    ["dysco", "dysco.ms", 1e-12],
    ["stman-aipsio", "aips.ms", 1e-12],
  ] as const
) {
  Deno.test({
    name: `reported: ${id}`,
    ignore,
    fn: async () => {
      await using opened = await reportedTable(table);
      near(await firstOf("sky.txt", opened.path), pairsIn(expectedOf(id)), tolerance);
    },
  });
}

Deno.test({
  name: "reported: reftable",
  ignore,
  fn: async () => {
    await using shown = await reportedTable("plain.ms");
    await using view = await reportedTable("ref.ms");
    const path = `${shown.path.replace(/[^/]*$/, "")}ref.ms`;
    const alone = await failure(openObservation(view.path), "not-found");
    assert(
      /shows rows of the table .*plain.ms \(written as .\/plain.ms\)/.test(alone.message),
      alone.message,
    );
    await Deno.rename(view.path, path);
    await using all = await openObservation(shown.path);
    await using own = await openObservation(path);
    const first = Array.from(await all.antenna1(0, all.rows)),
      rows = first.flatMap((p, row) => p === 0 ? [row] : []);
    assertEquals(own.rows, 9);
    const sky = await readSky(reportedPath("sky.txt"));
    const [whole, some] = [await predict(sky, all), await predict(sky, own)];
    const each = some.data.length / own.rows;
    const expected = rows.flatMap((row) => [...whole.data.slice(row * each, (row + 1) * each)]);
    assertEquals([...some.data], expected);
    const column = await allSamples(own.visibility!), from = await allSamples(all.visibility!);
    const samples = rows.flatMap((row) => [...(from as Float64Array).slice(row * each, (row + 1) * each)]);
    assertEquals([...(column as Float64Array)], samples);
  },
});

Deno.test({
  name: "reported: uvh5-fk4",
  ignore,
  fn: async () => {
    near(await firstOf("sky_fk4.txt", reportedPath("s_fk4.uvh5")), pairsIn(expectedOf("uvh5-fk4")), 1e-8);
  },
});

Deno.test({
  name: "reported: uvh5-unprojected and uvh5-old-drift are refused by name",
  ignore,
  fn: async () => {
    const cases = [["unprojected.uvh5", /unprojected.*altaz/], ["old.uvh5", /drift \(phase_type\)/]] as const;
    for (const [file, words] of cases) {
      const error = await failure(openObservation(reportedPath(file)), "unsupported");
      assert(words.test(error.message), error.message);
    }
  },
});

Deno.test({
  name: "reported: uvfits",
  ignore,
  fn: async () => {
    await using observation = await openObservation(reportedPath("x.uvfits"));
    assertEquals([observation.rows, observation.field.phaseCentre.map((angle) => angle.toFixed(12))], [
      45,
      ["0.300000000000", "-0.500000000000"],
    ]);
  },
});

Deno.test({
  name: "reported: uvh5-field-number",
  ignore,
  fn: async () => {
    await using observation = await openObservation(reportedPath("many.uvh5"), { field: 2 });
    assertEquals([observation.field.name, observation.field.phaseCentre[0], observation.rows], [
      "f02",
      0.32,
      15,
    ]);
  },
});

Deno.test({
  name: "reported: flag-row-image and flag-hole",
  ignore,
  fn: async () => {
    for (const [table, warnings] of [["flagrow.ms", 0], ["flag_hole.ms", 1]] as const) {
      await using opened = await reportedTable(table);
      await using observation = await openObservation(opened.path);
      const flags = await allSamples(observation.flag!) as Uint8Array;
      assertEquals(flags.filter((flag) => !flag).length, 2 * 136); // Stokes I takes two correlations
      assertEquals(observation.warnings.length, warnings);
      if (warnings) assert(/Row 18 has no value in the column FLAG/.test(observation.warnings[0]!));
    }
  },
});

for (
  const id of [
    "sky-wsclean-negative-ra",
    "sky-sixty-seconds",
    "sky-oskar-header",
    "sky-orientation-absolute",
    "sky-mixed-spectra",
  ]
) {
  Deno.test({
    name: `reported: ${id}`,
    ignore,
    fn: async () => {
      await using opened = await reportedTable("sk.ms");
      near(await firstOf(`${id.replace("sky-", "sky_")}.txt`, opened.path), pairsIn(expectedOf(id)), 1e-12);
    },
  });
}

Deno.test({
  name: "reported: feeds-yx and feeds-xy",
  ignore,
  fn: async () => {
    const sky = await readSky(new TextEncoder().encode("Name,l,m,I,Q,U,V\na,0.001,0.002,1,0.3,0.2,0.1\n"));
    for (const id of ["feeds-yx", "feeds-xy"]) {
      await using opened = await reportedTable(id.replace("feeds-", "feed_") + ".ms");
      await using observation = await openObservation(opened.path);
      const parallactic_angles = new Float64Array(observation.times.length * observation.antennas.length);
      const { data } = await predict(sky, observation, {
        terms: [feedRotation("linear")],
        termInputs: { parallactic_angles },
      });
      const expected: number[][] = expectedOf(id)["row 0, channel 0: XX, XY, YX, YY as [re, im]"];
      expected.flat().forEach((value, i) => assertAlmostEquals(data[i]!, value, 1e-10));
    }
  },
});

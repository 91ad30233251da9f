/** A reported table that shows rows of another one. */

import "../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import { openObservation } from "../../src/observations/open.ts";
import { predict } from "@tilewise/tilewise/rime";
import { readSky } from "../../src/skies/read.ts";
import { failure } from "../formats/helpers.ts";
import { allSamples } from "./expected.ts";
import { hasReports, reportedPath, reportedTable } from "./packed.ts";

Deno.test({
  name:
    "a reported table that shows rows of another one has its samples, and asks for it where it is missing",
  ignore: !hasReports(),
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

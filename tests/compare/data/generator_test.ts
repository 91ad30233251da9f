/** The data sets that the comparison with the peers generates, and the files that it writes them into. */

import "../../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import { dtypeInfo } from "../../../src/space/dtype.ts";
import { createContext } from "../../../src/runner/context.ts";
import { randomSubject } from "./data.ts";
import { openData, writeData } from "./files.ts";
import { product, type Subject } from "./spec.ts";
import { truthOf } from "./truth.ts";
import { heldBy, valuesOf } from "./values.ts";
import { WORKS } from "../works/index.ts";

const SUBJECTS = Array.from({ length: 500 }, (_, i) => randomSubject(1, i));

function seen<T>(of: (subject: Subject) => T): T[] {
  return [...new Set(SUBJECTS.map(of))].toSorted();
}

Deno.test("the same seed gives the same data sets, another one others", () => {
  assertEquals(randomSubject(1, 7), SUBJECTS[7]);
  assertEquals(valuesOf(randomSubject(1, 7).data), valuesOf(SUBJECTS[7]!.data));
  assert(JSON.stringify(randomSubject(2, 7)) !== JSON.stringify(SUBJECTS[7]));
});

Deno.test("500 data sets have every type, file, pattern, rank, region and correction", () => {
  assertEquals(seen(({ data }) => data.dtype).length, 10);
  assertEquals(seen(({ data }) => data.pattern).length, 12);
  assertEquals(seen(({ data }) => data.file), ["hdf5", "hdf5-chunks", "mib", "npy", "raw", "raw_csr"]);
  assertEquals(seen(({ data }) => data.nav.length), [1, 2, 3]);
  assertEquals(seen(({ data }) => data.sig.length), [1, 2, 3]);
  assertEquals(seen(({ data }) => Math.sign(data.syncOffset)), [-1, 0, 1]);
  assertEquals(seen(({ data }) => Math.sign(data.images - product(data.nav))), [-1, 0, 1]);
  const forms = ["coordinates", "mask", "nested", "single", "sparse", "toggles"];
  assertEquals(seen(({ run }) => run.roi?.form ?? "all"), ["all", ...forms].toSorted());
  assert(SUBJECTS.some(({ run }) => run.roi?.selected.length === 0));
  assert(SUBJECTS.some(({ data }) => data.byteOrder === "big" && data.file === "npy"));
  assert(
    SUBJECTS.some(({ run }) =>
      run.corrections?.dark && run.corrections.gain && run.corrections.excluded.length > 0
    ),
  );
  for (const work of WORKS) {
    assert(SUBJECTS.some((subject) => work.suits?.(subject) ?? true), `nothing suits ${work.word}`);
  }
});

Deno.test("samples can be held by their type", () => {
  for (const { data } of SUBJECTS.slice(0, 60)) {
    const values = valuesOf(data);
    assertEquals(
      values.length,
      data.images * product(data.sig) * (dtypeInfo(data.dtype).kind === "c" ? 2 : 1),
    );
    assert(
      values.every((value) => Object.is(value, NaN) || heldBy(value, data.dtype) === value),
      JSON.stringify(data),
    );
  }
});

Deno.test("written data sets hold their samples, whatever the file", async () => {
  const folder = await Deno.makeTempDir();
  await using context = createContext({ workers: 0 });
  const pick = WORKS.find(({ word }) => word === "pick")!;
  for (const file of ["raw", "npy", "mib", "raw_csr"] as const) {
    for (const { data } of SUBJECTS.filter((one) => one.data.file === file).slice(0, 6)) {
      const subject = { data, run: { onWorkers: false } };
      const truth = truthOf(subject);
      const dataset = await openData(data, await writeData(data, folder));
      const { intensity } = await pick.ours({ ...subject, dataset, truth, context, folder }, {});
      const size = truth.units * truth.pixels;
      for (const position of truth.present) {
        const frame = Array.from(intensity!.data.subarray(position * size, (position + 1) * size), Number);
        assertEquals(frame, Array.from(truth.samples(position)), JSON.stringify(data));
      }
    }
  }
  await Deno.remove(folder, { recursive: true });
});

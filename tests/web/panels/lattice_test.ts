/** The lattice of disks as handles and back: what is drawn is what is computed. */

import { assertAlmostEquals, assertEquals } from "@std/assert";
import fc from "fast-check";
import { ANALYSES, parseWritten } from "../../../src/analyses/mod.ts";
import { normalizeRoi } from "../../../src/dataset/roi/roi.ts";
import { maskOf } from "../../../web/engine/region.ts";
import {
  hasLattice,
  latticeIn,
  marksOf,
  referenceIn,
  withDisk,
  withReference,
  withTip,
} from "../../../web/panels/analysis/lattice.ts";
import type { Region } from "../../../web/state/state.ts";

const LATTICE = { zero: [48, 50.5], a: [0, 26.25], b: [25, -3] } as const;
const STRAIN = { name: "strain_map", values: { radius: "6" } };

Deno.test("the analyses with a lattice are those of the table, unless places are given", () => {
  const withParameters = ANALYSES.filter(({ parameters }) => "zero" in parameters).map(({ name }) => name);
  const drawn = ANALYSES.filter(({ name }) => hasLattice({ name, values: {} })).map(({ name }) => name);
  assertEquals(drawn, withParameters);
  assertEquals(hasLattice({ name: "correlate", values: { peaks: "1:2" } }), false);
});

Deno.test("a lattice is read from values, and nothing else is taken for one", () => {
  assertEquals(latticeIn({ zero: "48:50.5", a: "0:26.25", b: "25:-3" }), LATTICE);
  assertEquals(latticeIn({ zero: "48:50.5", a: "0:26.25" }), undefined);
  assertEquals(latticeIn({ zero: "48", a: "0:26", b: "25:x" }), undefined);
});

Deno.test("marks that are moved write the lattice; a disk that only grows leaves it to be found", () => {
  const [disk, a] = marksOf(LATTICE, 6);
  assertEquals(withDisk(STRAIN, LATTICE, { ...disk, r: 7.5 }).values, { radius: "7.5" });
  const moved = withDisk(STRAIN, LATTICE, { ...disk, cy: 49 });
  assertEquals(latticeIn(moved.values), { ...LATTICE, zero: [49, 50.5] });
  const pulled = withTip(STRAIN, LATTICE, "a", { ...a, tip: [50, 75.5] });
  assertEquals(latticeIn(pulled.values), { ...LATTICE, a: [2, 25] });
  assertEquals(parseWritten(pulled).values["a"], [2, 25]);
  const place = fc.tuple(
    fc.double({ min: -99, max: 99, noNaN: true }),
    fc.double({ min: -99, max: 99, noNaN: true }),
  );
  fc.assert(fc.property(place, (tip) => {
    const found = latticeIn(withTip(STRAIN, LATTICE, "b", { ...a, tip }).values)!;
    [0, 1].forEach((d) => assertAlmostEquals(found.b[d]! + LATTICE.zero[d]!, tip[d]!, 0.0051));
  }));
});

Deno.test("a reference that is drawn has the positions that are computed", () => {
  const shape = [12, 10];
  const rectangle = fc.record({ y: fc.nat(8), x: fc.nat(6), height: fc.nat(3), width: fc.nat(3) });
  fc.assert(fc.property(rectangle, (sides) => {
    const region: Region = { kind: "rectangle", ...sides };
    const { values } = withReference(STRAIN, region);
    assertEquals(referenceIn(values), region);
    const { mask } = normalizeRoi({ range: values["region"]! }, shape);
    assertEquals([...mask!], [...maskOf(region, shape)]);
  }));
  for (const region of ["", "1:2", "3:3,0:4", "@mask.npy", "-1:4,0:4"]) {
    assertEquals(referenceIn({ region }), undefined);
  }
});

/** A built-in with a result of its own, as a module exports it. */

import { derive } from "../../../src/udf/interface/derive.ts";
import { centreOfMass } from "../../../src/udf/builtin/centre_of_mass.ts";
import type { UdfRef } from "../../../src/udf/interface/udf_ref.ts";

/** The centre of mass with the share of frames that are deflected by more than `least`, and a word about it. */
export default function deflected({ least = 0.1, cy = 1.5 }: { least?: number; cy?: number }): UdfRef {
  return derive(centreOfMass({ cy, cx: 2 }), {
    results({ magnitude }) {
      const there = [...magnitude!.data as Float64Array].filter((value) => value === value);
      const share = there.filter((value) => value > least).length / there.length;
      return { share, summary: { frames: there.length, least } };
    },
  });
}

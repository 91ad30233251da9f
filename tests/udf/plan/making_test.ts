/** Masks and tables that take long are made in steps while a run is planned. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { open } from "../../../src/formats/open.ts";
import { applyMasks } from "../../../src/udf/builtin/apply_masks.ts";
import { radialFourier } from "../../../src/udf/builtin/radial_fourier.ts";
import { sumPixels } from "../../../src/udf/builtin/sum_pixels.ts";
import { createContext } from "../../../src/runner/context.ts";
import type { UdfInput } from "../../../src/udf/plan/given.ts";
import type { PlanProgress } from "../../../src/udf/interface/making.ts";
import type { PlanOptions } from "../../../src/udf/plan/plan.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";

const MiB = 2 ** 20;
const SIDE = 768;

async function planned(udfs: Record<string, UdfInput>, options: PlanOptions = {}, memory = 256 * MiB) {
  await using context = createContext({ memory, workers: 0 });
  const scan = await open(new Uint8Array(SIDE * SIDE), {
    format: "raw",
    dtype: "uint8",
    nav: [1],
    sig: [SIDE, SIDE],
  });
  return await plan(scan, udfs, { ...options, context });
}

/** Each takes some hundred milliseconds. */
const LONG: Record<string, () => UdfInput> = {
  radial: () => radialFourier({ cx: 300.3, ro: 300 }),
  waves: () => applyMasks({ masks: [{ make: "radialFourierMasks", cy: 384, cx: 384, ro: 200 }] }),
  disks: () =>
    applyMasks({ masks: Array.from({ length: 10_000 }, (_, i) => ({ cy: i % 700, cx: i % 699, ro: 9 })) }),
};

for (const [name, make] of Object.entries(LONG)) {
  Deno.test(`others have a turn while ${name} are planned, who may cancel it`, async () => {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), 0);
    const { code } = await assertRejects(
      () => planned({ it: make() }, { signal: controller.signal }, 1024 * MiB),
      TilewiseError,
    );
    clearTimeout(timer);
    assertEquals(code, "aborted");
  });
}

Deno.test("a plan says how far the masks and tables of each UDF are", async () => {
  const told: PlanProgress[] = [];
  const onProgress = (progress: PlanProgress) => void told.push(progress);
  await planned(
    { first: sumPixels(), second: LONG.radial!(), third: LONG.disks!() },
    { onProgress },
    1024 * MiB,
  );
  for (const key of ["second", "third"]) {
    const shares = told.filter((one) => one.key === key).map(({ done }) => done);
    assert(shares.length > 1, key);
    assertEquals(shares, shares.toSorted((a, b) => a - b));
    assertEquals(shares.at(-1), 1);
  }
  assertEquals(new Set(told.map(({ key }) => key)), new Set(["second", "third"]));
});

Deno.test("what masks take while they are made is refused before it is there", async () => {
  const slopes = Array.from({ length: 100 }, () => ({ make: "gradientX" }) as const);
  const stamps = Array.from({ length: 4000 }, (_, mask) => ({ mask, y: 384, x: 384 }));
  for (
    const udf of [
      applyMasks({ masks: slopes }),
      applyMasks({ masks: [{ make: "stampDisks", r: 30, stamps }] }),
      applyMasks({ masks: [{ make: "radialFourierMasks", cy: 384, cx: 384 }] }),
    ]
  ) {
    const { code, message } = await assertRejects(() => planned({ it: udf }, {}, 16 * MiB), TilewiseError);
    assertEquals([code, /of masks, tables/.test(message)], ["over-budget", true], message);
  }
});

/** Kernels of users that write at the start of the memory, in memory as programs have it: without fences. */

import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { open } from "../../mod.ts";
import { TilewiseError } from "../../src/errors.ts";
import { Arena } from "../../src/memory/arena.ts";
import { FIRST_PAGE } from "../../src/memory/first_page.ts";
import { placesOf } from "../../src/memory/places.ts";
import { createContext } from "../../src/runner/context.ts";
import { hypercube, planTiles, toMemory } from "@tilewise/tilewise/hypercube";
import { cubeKernel } from "@tilewise/tilewise/unstable/hypercube";
import { run, run as runCube } from "../../src/run.ts";
import { kernelUdf } from "../../src/udf/kernel_udf/kernel_udf.ts";
import { udfPlan as plan } from "../../src/udf/run/plan.ts";
import { mapViews } from "../../src/views/map/map_views.ts";
import { viewKernel } from "../../src/views/operations/kernels/view_kernel.ts";

/** The code of a kernel that writes from `first` on, and nothing else. */
const writing = (first: number, bytes: number) =>
  `for (let i: usize = ${first}; i < ${first + bytes}; i++) store<u8>(i, 7);`;

const PLANE = "export function plane(data: usize, stride: usize, out: usize, rows: i32, cols: i32): void";
const FRAME = "export function frame(data: usize, rows: i32, cols: i32, out: usize): void";

const data = Uint16Array.from({ length: 24 }, (_, i) => i);

Deno.test("the first page is never leased", () => {
  const arena = new Arena({ budget: 1024 });
  assertEquals([FIRST_PAGE, arena.lease(1024, "all").offset], [65536, 65536]);
});

for (const workers of [0, 2]) {
  Deno.test(`a kernel that writes at the start of the memory is an error with its name, workers: ${workers}`, async () => {
    await using context = createContext({ workers, memory: 4 * 2 ** 20 });
    const image = await open({ data, shape: [4, 6] });
    const scan = await open({ data, shape: [2, 2, 2, 3] });
    for (const [first, bytes] of [[0, FIRST_PAGE], [FIRST_PAGE - 1, 1]] as const) {
      const code = writing(first, bytes);
      const mine = viewKernel({ name: "mine", source: `${PLANE} { ${code} }` });
      const buffers = { out: { kind: "nav", dtype: "float64" } } as const;
      const own = kernelUdf({ name: "mine", source: `${FRAME} { ${code} }`, buffers });
      const cube = hypercube({
        dimensions: { n: 4 },
        arrays: [{ name: "y", shape: ["n"], dtype: "float64", role: "output" }],
      });
      const tile = cubeKernel({
        name: "mine",
        source: `export function tile(n: i32, y: usize): void { ${code} }`,
      });
      const runs = [
        () =>
          runCube(planTiles(cube, { context, tile: ["n"] }), {
            kernel: tile,
            sources: {},
            sinks: [toMemory("y")],
          }),
        () => mapViews(image, mine, { context, tile: [2, 6] }),
        async () => await run(await plan(scan as never, { own }, { context }), {}),
      ];
      for (const one of runs) {
        const { code, message, details } = await assertRejects(one, TilewiseError) as TilewiseError;
        assertEquals([code, details.kernel], ["udf", "mine"]);
        assertStringIncludes(
          message,
          `Kernel "mine" writes at address ${first - first % 4}, outside of its memory`,
        );
      }
    }
    const fine = viewKernel({ name: "fine", source: `${PLANE} { store<f32>(out, 3); }` });
    const after = await mapViews(image, fine, { context, tile: [2, 6] });
    assertEquals([after.data[0], after.data[12]], [3, 3]); // the page is clean again
  });
}

Deno.test("what takes no bytes has no address", () => {
  const places = placesOf({ table: 8, none: 0 }, () => 70_000);
  assertEquals(places.at("table"), 70_000);
  let error: unknown;
  try {
    places.at("none");
  } catch (caught) {
    error = caught;
  }
  assert(error instanceof TilewiseError && error.message.startsWith("There is no memory for none"));
});

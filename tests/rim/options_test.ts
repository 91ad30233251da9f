/** Misspelt options: no call of the public surface takes one in silence. */

import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { TilewiseError } from "../../src/errors.ts";
import { ROWS } from "./rows.ts";
import { publicCalls } from "./surface.ts";

/** Types of parameters that are values, not options: what another call has made, numbers, names, arrays. */
const VALUES = new Set(
  ("AbortSignal Arena ArrayBufferLike ArrayOf ArrayLike ArraySchema ArraySpec B BackEnd BackendTable BusyPolicy ByteOrder " +
    "Cell Centre ChannelLayout Coordinate CubePlan D DType Dataset Dimension ErrorCode ErrorDetails ErrorOptions F " +
    "FileCalls FilterPlan FrameFunction Grid Hypercube Iterable JsonValue K KernelRef Kernels Lattice Lease MaskInput " +
    "MatchPattern Maskable N NdArray O Omit OpenInput Plan PointsInput R Readonly Record Results RoiInput Shape SparseMasks " +
    "Stamp StrainForm Stride TypedArray URL Udf UdfInput UdfResult Uint8Array V ViewGeometry ViewPlan WithObjects " +
    "WebAssembly.Memory WebAssembly.Module WireError").split(" "),
);

/** Constructors whose arguments formats and runs make. */
const MADE_INSIDE = ["new Dataset", "new Tile"];

Deno.test("every call of the public surface that takes options has a row with a misspelt one", async () => {
  const taking = [...await publicCalls()]
    .filter(([, types]) => [...types].some((type) => !VALUES.has(type)))
    .map(([call]) => call)
    .filter((call) => !MADE_INSIDE.includes(call));
  assert(taking.length > 60 && taking.includes("plan") && taking.includes("blobs.correlate"), String(taking));
  assertEquals(taking.filter((call) => !ROWS.some((row) => row.call === call)), []);
});

for (const { call, run, options, wrong, meant } of ROWS) {
  Deno.test(`${call}: "${wrong}" is refused; did you mean "${meant}"?`, async () => {
    const error = await assertRejects(
      async () => await run(options as never),
      TilewiseError,
      `did you mean "${meant}"?`,
    );
    assertStringIncludes(error.message, `"${wrong.replace(/^.*\./, "")}"`);
    assertEquals([error.details["option"], error.details.expected], [wrong, meant]);
    assert(error.code === "invalid" || error.code === "udf", error.code);
  });
}

/** Misspelt options: no call of the public surface takes one in silence. */

import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { TilewiseError } from "../../src/errors.ts";
import { ROWS } from "./rows.ts";
import { publicCalls } from "./surface.ts";

/** Types of parameters that are values, not options: what another call has made, numbers, names, arrays. */
const VALUES = new Set(
  ("A AbortSignal Arena ArrayBufferLike ArrayLike ArrayOf ArraySchema ArraySpec ArraysInput B BackEnd BackendTable BaselineRows Box BusyPolicy ByteOrder " +
    "C Cell Centre ChannelLayout Coordinate CubePlan D DType Dataset DeclaredUdf Dimension DimensionRule Direction Dropped ErrorCode ErrorDetails " +
    "ErrorOptions Environment F Feed Field FileCalls FitInput FitParameter FilterPlan FrameFunction GradientInput Grid Group GroupPlace Histogram Hypercube I ImageGrid ImagingRows Iterable Join JoinedArray " +
    "JonesFunction JsonValue K KernelCode KernelRef Kernels Lattice Lease LevelFacts MapInput MaskInput Maskable MatchPattern N NDArray NumberArray O " +
    "Code ErrorFields Observation Omit OpenInput OversizedPolicy Pack PartStore Pick Plan PointSources PointsInput Property R Radius Readonly ReadonlyMap ReadyRun Record Results ClusterManifest Shard StoredRun TreeNode Work RoiInput Route S Shape SimulateInput " +
    "Sky SkyModel SparseMasks Stamp StrainForm Stride Submission T TileSource TypedArray URL Udf UdfInput UdfResult Uint8Array V ViewGeometry ViewOperation ViewPlan W " +
    "WebAssembly.Memory WebAssembly.Module WireError WithObjects").split(" "),
);

/** Calls whose arguments formats and runs make. */
const MADE_INSIDE = ["new Dataset", "new Tile", "new TiledView", "new Views"];

Deno.test("every call of the public surface that takes options has a row with a misspelt one", async () => {
  const taking = [...await publicCalls()]
    .filter(([, types]) => [...types].some((type) => !VALUES.has(type)))
    .map(([call]) => call)
    .filter((call) => !MADE_INSIDE.includes(call));
  assert(
    taking.length > 60 && taking.includes("plan") && taking.includes("blobs.correlatePattern"),
    String(taking),
  );
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
    assertEquals([error.details.option, error.details.expected], [wrong, meant]);
    assert(error.code === "invalid" || error.code === "udf", error.code);
  });
}

/**
 * Disks and rings whose edge just reaches a frame: a mask has as many weights as LiberTEM's; one that has none there, all zeros,
 * is refused.
 */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { isTilewiseError } from "../../src/errors.ts";
import * as masks from "../../src/masks/mod.ts";
import edges from "./edges.json" with { type: "json" };

type Edge = typeof edges[number];

/** How many weights a mask has: 0 if it was refused. */
function weights(make: () => { readonly data: ArrayLike<unknown> }): number {
  try {
    const count = Array.from(make().data, Number).filter((weight) => weight > 1e-12).length;
    return count > 0 ? count : NaN; // a mask of zeros
  } catch (error) {
    assertEquals(isTilewiseError(error, "invalid"), true, String(error));
    assertStringIncludes(String(error), "no pixel");
    return 0;
  }
}

const nameOf = ({ shape, cy, cx, ri, ro }: Edge) => `from ${ri} to ${ro} around ${cy}, ${cx} of ${shape}`;

for (const edge of edges) {
  const { shape, cy, cx, ri, ro } = edge;
  Deno.test(`a ring ${nameOf(edge)} has the weights of LiberTEM, or is refused`, () => {
    const antialiased = true;
    assertEquals(weights(() => masks.circular(shape, { cy, cx, r: ro })), edge.circular);
    assertEquals(weights(() => masks.ring(shape, { cy, cx, ri, ro })), edge.ring);
    const disk = () => masks.circular(shape, { cy, cx, r: ro, antialiased });
    assertEquals(weights(disk), edge["circular, antialiased"]);
    const ring = () => masks.ring(shape, { cy, cx, ri, ro, antialiased });
    assertEquals(weights(ring), edge["ring, antialiased"]);
    for (const [bins, count] of Object.entries(edge.radialBins)) {
      const options = { cy, cx, ri, ro, bins: Number(bins) };
      assertEquals(weights(() => masks.radialBins(shape, options)), count, `${bins} bins`);
      assertEquals(weights(() => masks.denseMasks(masks.sparseRadialBins(shape, options))), count);
      const real = weights(() => {
        const { data } = masks.radialFourierMasks(shape, { ...options, maxOrder: 0 });
        return { data: data.filter((_, i) => i % 2 === 0) };
      });
      assertEquals(real, count, `${bins} bins`);
    }
  });
}

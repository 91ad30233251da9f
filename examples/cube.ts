/** The complex phase of two sources at two antennas: a cube whose sources and sinks are functions. */

import { createContext, run } from "@tilewise/tilewise";
import { hypercube, planTiles } from "@tilewise/tilewise/hypercube";
import { PHASE_ARRAYS, phaseKernel } from "@tilewise/tilewise/unstable/rime";

await using context = createContext({ memory: "16MiB", workers: 2 });
const cube = hypercube({ dimensions: { nsrc: 2, ntime: 1, na: 2, nchan: 1 }, arrays: PHASE_ARRAYS });
const lm = () => Float64Array.of(0, 0, 0.01, 0.02);
const uvw = () => Float64Array.of(0, 0, 0, 100, 50, 20);

await run(planTiles(cube, { context, tile: ["nsrc"] }), {
  kernel: phaseKernel(),
  sources: { lm, uvw, frequency: () => Float64Array.of(1e9) },
  sinks: { complex_phase: ({ data: { shape, data } }) => console.log(shape, data) },
});

/** The visibilities of a small array, which another program has computed in extended precision: rows with uvw of baselines. */

import "../../fences/mod.ts";
import { predict } from "../../../src/rime/predict/predict.ts";
import { createContext } from "../../../src/runner/context.ts";
import { assertNear } from "../golden/golden.ts";

const FOLDER = new URL("../../../../shared/data/radio/rime_small/", import.meta.url);

/** The bytes of the samples of an npy file. */
function samples(name: string): ArrayBuffer {
  const bytes = Deno.readFileSync(new URL(`${name}.npy`, FOLDER));
  return bytes.slice(10 + bytes[8]! + 256 * bytes[9]!).buffer;
}

function isThere(): boolean {
  try {
    return Deno.statSync(FOLDER).isDirectory;
  } catch {
    return false;
  }
}

Deno.test({
  name: "the visibilities of a small array are predicted in both precisions",
  ignore: !isThere(), // the sample data is not part of this repository
  async fn() {
    const numbers = (name: string) => new Float64Array(samples(name));
    await using context = createContext({ memory: "16MiB", workers: 0 });
    const input = {
      uvw: numbers("uvw"),
      frequency: numbers("frequency"),
      sky: { lm: numbers("lm"), stokes: numbers("stokes") },
    };
    assertNear((await predict(input, { context })).data, numbers("vis"), 1e-11);
    const { data } = await predict(input, { context, precision: "mixed" });
    assertNear(data, new Float32Array(samples("vis_c8")), 3e-6);
  },
});

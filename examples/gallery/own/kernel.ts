/** A kernel of your own in AssemblyScript: the number of steps up along the rows of each frame. */

import { open, plan, run, save } from "@tilewise/tilewise";
import { kernelUdf } from "@tilewise/tilewise/unstable/udf";

const rising = kernelUdf({
  name: "rising",
  source: `
    import { Sample } from "tilewise";
    export function frame(data: usize, rows: i32, cols: i32, steps: usize): void {
      let count = 0;
      for (let i = 1; i < rows * cols; i++) {
        const at = data + <usize>i * sizeof<Sample>();
        if (load<Sample>(at) > load<Sample>(at - sizeof<Sample>())) count++;
      }
      store<f64>(steps, count);
    }`,
  buffers: { steps: { kind: "nav", dtype: "float64" } },
});
const scan = await open("scan/scan.hdr");
const results = await run(await plan(scan, { rising }));
await save(results.rising.steps, "kernel.png", { colormap: "magma" });

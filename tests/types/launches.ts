/** The type of a function decides the types of its arguments and results. */

import {
  type ChannelHost,
  type GridResult,
  type KernelExport,
  launchKernel,
} from "@tilewise/tilewise/channels";
import type { Member } from "@tilewise/tilewise/unstable/channels";
import type { copies, later, naps, whereAmI } from "../channels/launch/kernels.ts";

/** Compiled, not called. */
export async function typed(host: ChannelHost, kernel: KernelExport): Promise<void> {
  const sums: GridResult<number> = await launchKernel<typeof whereAmI>(host, kernel, {
    args: [Float64Array.of(1)],
  });
  const texts: GridResult<string> = await launchKernel<typeof later>(host, kernel);
  await launchKernel<typeof copies>(host, kernel, { args: ["from", host.name("to"), 3] });
  await launchKernel<typeof whereAmI>(host, kernel, { args: [host.array("float64", 3)] });
  await launchKernel(host, { source: "" }, {
    args: [1, 2n, "text", Uint8Array.of(1), host.array("int8", 3)],
  });
  // @ts-expect-error: a number is not an array
  await launchKernel<typeof whereAmI>(host, kernel, { args: [1] });
  // @ts-expect-error: one argument is missing
  await launchKernel<typeof copies>(host, kernel, { args: ["from", "to"] });
  // @ts-expect-error: an array of other numbers
  await launchKernel<typeof whereAmI>(host, kernel, { args: [Uint8Array.of(1)] });
  // @ts-expect-error: results are numbers
  const wrong: GridResult<string> = await launchKernel<typeof naps>(host, kernel, { args: [1] });
  void [sums, texts, wrong];
}

/** The functions of a host have their types. */
export function calls({ call }: Parameters<typeof naps>[0]): number {
  // @ts-expect-error: there is no such function
  call("nothing");
  // @ts-expect-error: it takes a number
  call("times", "three");
  return call("times", 3);
}

/** Any function will do. */
export function untyped({ call, args }: Member): unknown {
  return call("times", args[0]);
}

/**
 * A kernel that reads a file while it runs: each position that it reads says where to read next. `positions.bin` has 64-bit
 * integers below their count; the kernel is `channel_kernel.as.ts`.
 */

import { createContext } from "@tilewise/tilewise";
import { launchKernel, startHost } from "@tilewise/tilewise/channels";

await using context = createContext({ memory: "1MiB", workers: 2 });
await using host = await startHost(context, { channels: 2, bufferLength: 1, type: "int64" });
const kernel = { file: new URL("channel_kernel.as.ts", import.meta.url) };
const { groups } = await launchKernel(host, kernel, { groups: 3, args: ["positions.bin", 9] });
console.log(groups.map(({ values: [position] }) => position));

/**
 * Files that kernels write and read back, beside the same by the platform on one worker.
 *
 * @module
 */

import { createContext } from "@tilewise/tilewise";
import { launchKernel, startHost } from "@tilewise/tilewise/channels";
import { statusError } from "@tilewise/tilewise/unstable/channels";
import type { SectionRow } from "../sections/section.ts";
import { summarize } from "../timing.ts";
import { type Sizes, WORKS } from "./works.ts";

const NUMBERS = 2 ** 18, GROUPS = 2;

/** Times the kernel of `examples/channels/files.ts`, which compares all that it reads. */
export async function fileRow(folder: string, { files }: Sizes, repeats: number): Promise<SectionRow> {
  await using context = createContext({ memory: "8MiB", workers: GROUPS });
  await using host = await startHost(context, { channels: GROUPS, bufferLength: NUMBERS, type: "int64" });
  const kernel = { file: new URL("../../examples/channels/files.as.ts", import.meta.url) };
  const run = async () => {
    const start = performance.now();
    const { status } = await launchKernel(host, kernel, {
      groups: GROUPS,
      args: [`${folder}/`, files, NUMBERS, 1],
    });
    if (status !== 0) throw statusError(status, "write and read files");
    return (performance.now() - start) / 1000;
  };
  await run(); // compiles the kernel
  const samples: number[] = [];
  for (let i = 0; i < repeats; i++) samples.push(await run());
  const bytes = 2 * 8 * NUMBERS * files;
  return {
    name: WORKS.files,
    by: "tilewise rpc",
    workers: GROUPS,
    bytes,
    calls: files,
    ...summarize(samples),
  };
}

/** Files of launched kernels: transfers larger than a buffer, and files that a group opens together. */

import { assertEquals } from "@std/assert";
import { startHost } from "../../../src/channels/host/host.ts";
import { launchKernel } from "../../../src/channels/launch/launch_kernel.ts";
import type { Member } from "../../../src/channels/launch/module_kernel.ts";
import { STATUS } from "../../../src/channels/protocol/status.ts";
import { createContext } from "../../../src/runner/context.ts";
import { fileOf } from "../kernel_side.ts";

/** Sums a file that a group has opened together: each member adds up its part of what all see. */
export function summed(
  { files, member, groupSize, args: [path, room], barrier }: Member<[string, Uint16Array]>,
) {
  using file = files.open(path, "read_only", { together: true });
  const got = file.read(room, { offset: 1 });
  let sum = 0;
  for (let i = member; i < got; i += groupSize) sum += room[i]!;
  barrier();
  return [got, file.atEnd ? 1 : 0, sum];
}

async function withFile(numbers: readonly number[], body: (path: string) => Promise<void>): Promise<void> {
  const path = await Deno.makeTempFile();
  Deno.writeFileSync(path, fileOf(...numbers));
  try {
    await body(path);
  } finally {
    await Deno.remove(path);
  }
}

const READ_ALL = `
import { channel, lastError, open, Mode, read } from "tilewise/channels";
export function all(name: usize, length: i32, to: usize, count: i32): i32 {
  const got = read(open(channel(), Mode.READ_ONLY, name, length), to, count);
  return lastError(channel()) != 0 ? -lastError(channel()) : got;
}`;

Deno.test("a launched kernel reads more than the buffer holds in pieces, if it may", () =>
  withFile(Array.from({ length: 21 }, (_, i) => i), async (path) => {
    await using context = createContext({ memory: "1MiB", workers: 1 });
    await using host = await startHost(context, { channels: 1, bufferLength: 8, elementSize: 2 });
    using array = host.array("uint16", 20);
    const args = [host.name(path), array];
    const refused = await launchKernel(host, { source: READ_ALL }, { args });
    assertEquals([refused.status, [...array.data]], [-STATUS["too-big"], Array(20).fill(0)]);
    const read = await launchKernel(host, { source: READ_ALL }, { args, oversized: "chunk" });
    assertEquals([read.status, read.groups[0]!.values[0]], [0, 20]);
    assertEquals([...array.data], Array.from({ length: 20 }, (_, i) => i));
  }));

Deno.test("members of a launched group share a file in TypeScript", () =>
  withFile([9, 1, 2, 3, 4, 5, 6], async (path) => {
    await using context = createContext({ memory: "1MiB", workers: 3 });
    await using host = await startHost(context, { channels: 3, bufferLength: 8, elementSize: 2 });
    using room = host.array("uint16", 8);
    const kernel = { module: import.meta.url, export: "summed" };
    for (const route of ["rpc", "direct"] as const) {
      const { groups } = await launchKernel(host, kernel, { groupSize: 3, args: [path, room], route });
      assertEquals<unknown>(groups[0]!.values, [[6, 1, 5], [6, 1, 7], [6, 1, 9]]);
    }
  }));

/** What a launch says about channels that are held and about transfers that are larger than a buffer. */

import "../../fences/mod.ts";
import { assertEquals } from "@std/assert";
import { startHost } from "../../../src/channels/host/host.ts";
import { launchKernel } from "../../../src/channels/launch/launch_kernel.ts";
import type { GridOptions } from "../../../src/channels/launch/options.ts";
import { Caller } from "../../../src/channels/protocol/caller.ts";
import { STATUS } from "../../../src/channels/protocol/status.ts";
import { RunContext } from "../../../src/runner/context.ts";
import { insideOfHost } from "../../../src/channels/host/inside.ts";

/** Reads `count` elements to local memory: how many, or the negative status of what failed. */
const SOURCE = `
  import { channel, lastError, localMemory, openRead } from "tilewise/channels";
  export function get(name: usize, nameLength: i32, count: i32): i32 {
    const file = openRead<u8>(channel(), name, nameLength);
    if (!file.ok) return file.handle;
    const got = file.read(localMemory(), count), status = lastError(channel());
    file.close();
    return status == 0 ? got : -status;
  }`;

/** What a kernel gets that reads 100 bytes through a buffer of 10. */
async function got(options: GridOptions, held = false): Promise<number> {
  await using context = new RunContext({ memory: "1MiB", workers: 1 });
  const name = await Deno.makeTempFile();
  try {
    await Deno.writeFile(name, new Uint8Array(100));
    await using host = await startHost(context, { channels: 1, bufferLength: 10, elementSize: 1 });
    const holder = new Caller(context.arena.memory, insideOfHost(host)!.layout, "wait", 77); // as another thread would
    if (held) assertEquals(holder.acquire(0), 0);
    const kernel = { source: SOURCE };
    const { groups } = await launchKernel(host, kernel, { ...options, localMemory: 100, args: [name, 100] });
    if (held) assertEquals(holder.release(0), 0);
    return groups[0]!.values[0]!;
  } finally {
    await Deno.remove(name);
  }
}

Deno.test("a transfer larger than the buffer fails, or is cut into pieces if the launch says so", async () => {
  assertEquals(await got({}), -STATUS["too-big"]);
  assertEquals(await got({ oversized: "chunk" }), 100);
  assertEquals(await got({ route: "direct" }), 100);
});

Deno.test("a channel that is held is busy for a launch that does not wait", async () => {
  assertEquals(await got({ busy: "fail" }, true), -STATUS.busy);
});

/** A kernel aborts its host: its launch and others end, calls that wait are dropped, and all memory comes home. */

import "../../fences/mod.ts";
import { assertEquals, assertRejects } from "@std/assert";
import { launchKernel, startHost } from "@tilewise/tilewise/channels";
import { TilewiseError } from "../../../src/errors.ts";
import { createContext } from "../../../src/runner/context.ts";

const SOURCE = `
  import { abortHost, cancelled, channel, openRead } from "tilewise/channels";
  export function gives_up(name: usize, length: i32): i32 {
    abortHost();
    const refused = openRead<u8>(channel(), name, length).handle;
    while (!cancelled()) {}
    return refused;
  }
  export function waits(name: usize, length: i32): i32 {
    while (!cancelled()) openRead<u8>(channel(), name, length).close();
    return 0;
  }`;

for (const runners of [1, 0]) {
  Deno.test(`a kernel aborts its host, with ${runners} runners`, async () => {
    await using context = createContext({ memory: "1MiB", workers: 2 });
    await using host = await startHost(context, {
      channels: 2,
      bufferLength: 64,
      elementSize: 1,
      runners,
    });
    const launch = (name: string) =>
      launchKernel(host, { source: SOURCE, export: name }, { args: ["no such file"] });
    const found = await Promise.all(["waits", "gives_up"].map((name) => {
      return assertRejects(() => launch(name), TilewiseError);
    }));
    const { reason } = host.signal;
    assertEquals([reason.code, reason.message], ["aborted", "A kernel has aborted its host"]);
    assertEquals(found.map(({ code, cause }) => [code, cause]), [["aborted", reason], ["aborted", reason]]);
    await assertRejects(() => launch("waits"), TilewiseError);
    await host.close();
    await context.settled();
    assertEquals(context.used, 0);
  });
}

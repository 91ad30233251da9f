/** The example runs as its page says, with the same digest on the main thread and on 1 and 2 workers. */

import { assertEquals, assertMatch } from "@std/assert";

const EXAMPLE = new URL("../../examples/channel_read.ts", import.meta.url).href;

Deno.test("examples/channel_read.ts walks by both routes and has one digest", async () => {
  const digests = new Set<string>();
  for (const workers of ["0", "1", "2"]) {
    const command = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", EXAMPLE, "--workers", workers, "--steps", "100"],
    });
    const { code, stdout, stderr } = await command.output();
    const text = new TextDecoder().decode(stdout);
    assertEquals(code, 0, new TextDecoder().decode(stderr));
    assertMatch(text, /rpc: 10000 reads .*\ndirect: 10000 reads .* all walkers right/);
    digests.add(/sha256 ([0-9a-f]{64})/.exec(text)![1]!);
  }
  assertEquals(digests.size, 1);
});

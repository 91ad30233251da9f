/** A page that has no shared memory can import the entry, and is told what it lacks when it starts a host. */

import { assertEquals } from "@std/assert";

Deno.test("the entry is imported without shared memory and without files", async () => {
  const [entry, more] = ["", "unstable/"].map((folder) =>
    import.meta.resolve(`../../../src/entries/${folder}channels.ts`)
  );
  const code = `
    delete globalThis.SharedArrayBuffer;
    delete globalThis.process;
    const { memoryFiles } = await import(${JSON.stringify(entry)});
    const { hasDirect, hasSupport } = await import(${JSON.stringify(more)});
    console.log(hasSupport(), memoryFiles().kind, await hasDirect("file"));`;
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), { args: ["eval", "--no-check", code] })
    .output();
  assertEquals(new TextDecoder().decode(stdout), "false memory false\n", new TextDecoder().decode(stderr));
});

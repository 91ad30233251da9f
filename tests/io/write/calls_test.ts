/** The calls of Node, which Deno has too: files that tests write with the calls of Deno are written by them elsewhere. */

import { assertEquals } from "@std/assert";
import { withFolder } from "../../cli/harness.ts";

/** The calls that are taken where those of Deno do not do: on Windows. */
async function callsOfNode() {
  const own = Object.getOwnPropertyDescriptor(globalThis, "Deno")!;
  const value = { ...Deno, build: { ...Deno.build, os: "windows" } };
  Object.defineProperty(globalThis, "Deno", { ...own, value });
  try {
    const { writeCalls }: typeof import("../../../src/io/write/calls.ts") = await import(
      `../../../src/io/write/calls.ts?${"node"}`
    );
    return await writeCalls();
  } finally {
    Object.defineProperty(globalThis, "Deno", own);
  }
}

Deno.test("the calls of Node remove a file, and one that is not there as well", async () => {
  const { create, remove } = await callsOfNode();
  await withFolder(async (folder) => {
    const file = await create(`${folder}/file`);
    assertEquals(file.constructor.name, "FileHandle");
    await file.close();
    await remove(`${folder}/file`);
    await remove(`${folder}/file`);
    assertEquals([...Deno.readDirSync(folder)], []);
  });
});

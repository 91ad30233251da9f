/** Private files of pages, imitated: one handle per file, locks of others, and steps that fail. */

import { assertEquals, assertRejects } from "@std/assert";
import {
  type AccessHandle,
  type FileHandle,
  type FolderHandle,
  OpfsFiles,
  opfsFiles,
} from "../../../src/channels/backends/opfs.ts";
import { fakeOpfs } from "./fake_opfs.ts";
import { bytesOf, errnoOf } from "./subject.ts";

Deno.test("opens at the same time share one handle, and the last close gives the lock back", async () => {
  const root = fakeOpfs();
  const files = new OpfsFiles(root);
  const opened = await Promise.all(["w", "r+", "a"].map((flags) => files.open("file", flags as "w")));
  assertEquals(new Set(opened).size, 3);
  const handle = await root.getFileHandle("file");
  for (const file of opened) {
    await assertRejects(async () => await handle.createSyncAccessHandle(), DOMException);
    files.close(file);
  }
  (await handle.createSyncAccessHandle()).close();
});

Deno.test("a file that another page has open is busy, and can be opened when it is free", async () => {
  const root = fakeOpfs();
  const files = new OpfsFiles(root);
  const other = await (await root.getFileHandle("file", { create: true })).createSyncAccessHandle();
  assertEquals(await errnoOf(() => files.open("file", "r")), "EBUSY");
  assertEquals(await errnoOf(() => files.remove("file")), "EBUSY");
  other.close();
  files.close(await files.open("file", "r"));
  await files.remove("file");
});

Deno.test("a write that was not flushed is in the size that stat tells", async () => {
  const files = new OpfsFiles(fakeOpfs());
  const file = await files.open("file", "w");
  files.write(file, bytesOf("words"), 0, 5, 3);
  assertEquals((await files.stat("file")).bytes, 8);
  files.close(file);
});

/** A root in which the n-th step fails. */
function failing(root: FolderHandle, step: () => void): FolderHandle {
  const handle = (own: AccessHandle): AccessHandle =>
    Object.fromEntries(
      Object.entries(own).map(([name, act]) => [name, (...words: unknown[]) => {
        if (name !== "close") step();
        return (act as (...words: unknown[]) => unknown)(...words);
      }]),
    ) as unknown as AccessHandle;
  const file = (own: FileHandle): FileHandle => ({
    kind: "file",
    createSyncAccessHandle: async () => (step(), handle(await own.createSyncAccessHandle())),
    getFile: () => (step(), own.getFile()),
  });
  return {
    kind: "directory",
    getFileHandle: async (...words) => (step(), file(await root.getFileHandle(...words))),
    getDirectoryHandle: async (...words) => (step(), failing(await root.getDirectoryHandle(...words), step)),
    removeEntry: (name) => (step(), root.removeEntry(name)),
    keys: () => (step(), root.keys()),
  };
}

for (
  const [name, errno] of [["QuotaExceededError", "ENOSPC"], ["InvalidStateError", "EIO"], [
    "NotAllowedError",
    "EACCES",
  ]] as const
) {
  Deno.test(`when the n-th step fails with ${name}, its call says so, and no lock stays`, async () => {
    let seen = 0;
    for (let n = 0; n < 16; n++) {
      const root = fakeOpfs();
      let step = 0;
      const files = new OpfsFiles(failing(root, () => {
        if (step++ === n) throw new DOMException("no", name);
      }));
      const found: string[] = [];
      let file: number | undefined;
      found.push(await errnoOf(async () => file = await files.open("file", "w+")));
      if (file !== undefined) {
        found.push(await errnoOf(() => files.write(file!, bytesOf("words"), 0, 5, 0)));
        found.push(await errnoOf(() => files.truncate(file!, 3)));
        found.push(await errnoOf(() => files.stat("file")));
        files.close(file);
      }
      found.push(await errnoOf(() => files.list(".")), await errnoOf(() => files.mkdir("folder")));
      const errors = found.filter((one) => one !== "" && one !== "ENOENT");
      seen += errors.filter((one) => one === errno).length;
      assertEquals(errors.every((one) => one === errno), true, `${n}: ${found}`);
      const handle = await root.getFileHandle("file", { create: true });
      (await handle.createSyncAccessHandle()).close();
    }
    assertEquals(seen >= 6, true, `${seen} failures were seen`);
  });
}

Deno.test("threads without such files say so", async () => {
  await assertRejects(() => opfsFiles(), Error, "only dedicated workers of a browser have them");
});

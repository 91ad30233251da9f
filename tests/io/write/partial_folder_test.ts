/** Results that are written in a hidden folder: names, what is put back when a name cannot be given, and what is waited for. */

import { assert, assertEquals } from "@std/assert";
import { replaceWriteCalls, type WriteCalls, writeCalls } from "../../../src/io/write/calls.ts";
import { PartFile } from "../../../src/io/write/part_file.ts";
import { heldParts } from "../../../src/io/write/part_files.ts";
import { PartialFolder } from "../../../src/io/write/partial_folder.ts";
import { withFolder } from "../../cli/harness.ts";

const OPTIONS = { digest: "0123456789abcdef01", resume: false, kind: "folder" } as const;

/** The files of a folder, and what is in them. */
function contents(folder: string): Record<string, string> {
  return Object.fromEntries(
    [...Deno.readDirSync(folder)].map(({ name }) => [name, Deno.readTextFileSync(`${folder}/${name}`)]),
  );
}

/** On this thread, calls of the system with others in their place. */
async function withCalls(others: Partial<WriteCalls>): Promise<Disposable> {
  return replaceWriteCalls({ ...await writeCalls(), ...others });
}

/** A folder with an older result, and a new one that has no name yet. */
async function withBoth(work: (folder: string, result: PartialFolder) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    await Deno.mkdir(`${folder}/a.zarr`);
    await Deno.writeTextFile(`${folder}/a.zarr/old`, "old");
    await using result = await PartialFolder.open(`${folder}/a.zarr`, OPTIONS);
    await result.makeFolder(result.result);
    await Deno.writeTextFile(`${result.result}/new`, "new");
    await work(folder, result);
  });
}

Deno.test("a new folder replaces an older one of that name, and nothing else stays", async () => {
  await withBoth(async (folder, result) => {
    await result.finish([`${result.result}/new`, `${result.result}/never-written`]);
    assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), ["a.zarr"]);
    assertEquals(contents(`${folder}/a.zarr`), { new: "new" });
  });
});

Deno.test("when the new folder cannot get its name, the old one has its name again", async () => {
  for (const failing of [1, 2]) { // the old one gets a hidden name, the new one gets its own
    await withBoth(async (folder, result) => {
      const { rename } = await writeCalls();
      let calls = 0;
      using _ = await withCalls({
        rename: (from, to) =>
          ++calls === failing
            ? Promise.reject(Object.assign(new Error("EIO: no"), { code: "EIO" }))
            : rename(from, to),
      });
      const error = await result.finish([]).then(() => undefined, (cause: Error) => cause);
      assert(error?.message.includes("a.zarr"), String(error));
      await result[Symbol.asyncDispose]();
      assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), ["a.zarr"]);
      assertEquals(contents(`${folder}/a.zarr`), { old: "old" });
    });
  }
});

Deno.test("a folder that lost its name when a process was killed has it again before the next result is written", async () => {
  await withFolder(async (folder) => {
    await Deno.mkdir(`${folder}/.a.zarr.tw-old`);
    await Deno.writeTextFile(`${folder}/.a.zarr.tw-old/old`, "old");
    await using _ = await PartialFolder.open(`${folder}/a.zarr`, OPTIONS);
    assertEquals(contents(`${folder}/a.zarr`), { old: "old" });
  });
});

/** A promise, and what settles it. */
function gate(): PromiseWithResolvers<void> & { readonly isOver: () => boolean } {
  const all = Promise.withResolvers<void>();
  let over = false;
  all.promise.then(() => over = true);
  return { ...all, isOver: () => over };
}

Deno.test("files are on the disk before a folder gets its name", async () => {
  await withBoth(async (_, result) => {
    const synced = gate();
    const order: string[] = [];
    const { rename } = await writeCalls();
    using _calls = await withCalls({
      sync: () => synced.promise.then(() => void order.push("sync")),
      rename: (from, to) => (order.push("rename"), rename(from, to)),
    });
    const finished = result.finish([`${result.result}/new`]);
    setTimeout(() => synced.resolve());
    await finished;
    assertEquals(order, ["sync", "rename", "rename"]);
  });
});

Deno.test("a part of which there is no other waits until the name in its folder is on the disk", async () => {
  await withFolder(async (folder) => {
    const synced = gate();
    const asked: string[] = [];
    using _ = await withCalls({ syncFolder: (path) => (asked.push(path), synced.promise) });
    await using part = await PartFile.at(`${folder}/a`);
    await part.fill(Uint8Array.of(1));
    setTimeout(() => synced.resolve());
    assertEquals(await part.finishNew(), true);
    assertEquals([synced.isOver(), asked], [true, [folder]]);
  });
});

Deno.test("files and folders stay open until they are synced", async () => {
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/a`, "a");
    const calls = await writeCalls();
    const open = Deno.open;
    for (const call of [() => calls.sync(`${folder}/a`), () => calls.syncFolder(folder)]) {
      const synced = gate();
      const order: string[] = [];
      Deno.open = async (...args) => {
        const file = await open(...args);
        return {
          sync: () => synced.promise.then(() => void order.push("sync")),
          close: () => (order.push("close"), file.close()),
        } as unknown as Deno.FsFile;
      };
      try {
        const done = call().then(() => order.push("done"));
        setTimeout(() => synced.resolve());
        await done;
      } finally {
        Deno.open = open;
      }
      assertEquals(order, ["sync", "close", "done"]);
    }
  });
});

Deno.test("a process that ends early removes a result that nobody can go on with, and keeps others", async () => {
  await withFolder(async (folder) => {
    for (const resume of [false, true]) {
      const result = await PartialFolder.open(`${folder}/a.zarr`, { ...OPTIONS, resume });
      assertEquals(heldParts(), resume ? [] : [result.folder]);
      await result[Symbol.asyncDispose]();
      assertEquals(heldParts(), []);
    }
  });
});

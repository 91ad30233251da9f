/** A write that fails, at whichever call, leaves what was there: no part file, no half of a set of files. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { isTilewiseError, TilewiseError } from "../../src/errors.ts";
import { PartFile, writerAt } from "../../src/io/write/part_file.ts";
import { writeFileAtomic, writeFilesAtomic } from "../../src/io/write/write.ts";
import { heldParts, removeStaleParts, STALE_AFTER } from "../../src/io/write/part_files.ts";
import { replaceWriteCalls, type WriteCalls, writeCalls } from "../../src/io/write/calls.ts";
import { contents, failWrite } from "./failing_writes.ts";

const CODES = { ENOSPC: "io", EDQUOT: "io", EIO: "io", EROFS: "permission" } as const;

/** Lets every call of `work` fail once, then every call and all after it; the number of calls. */
async function everyFault(folder: string, work: () => Promise<unknown>): Promise<number> {
  const before = contents(folder);
  let faults = 0;
  for (const persistent of [false, true]) {
    for (let n = 1;; n++) {
      const code = Object.keys(CODES)[n % 4] as keyof typeof CODES;
      const error = await failing(n, code, persistent, work);
      if (error === undefined) break;
      faults++;
      assertEquals([error.code, error.details.found], [CODES[code], code], error.message);
      assert(/^Cannot write \S*[ab]\.(bin|txt): /.test(error.message), error.message);
      assertEquals(heldParts(), []);
      const after = contents(folder);
      assertEquals(Object.keys(after), Object.keys(before));
      if (persistent && error.details.replaced !== undefined) { // it cannot be taken back
        assertEquals(after["b.txt"], before["b.txt"]);
        assertMatch(error.message, /; these are new already: \S+a\.bin$/);
      } else assertEquals(after, before);
    }
    for (const [name, text] of Object.entries({ "a.bin": "old", "b.txt": "old too" })) {
      await Deno.writeTextFile(`${folder}/${name}`, text);
    }
  }
  return faults;
}

async function failing(
  n: number,
  code: string,
  persistent: boolean,
  work: () => Promise<unknown>,
): Promise<TilewiseError | undefined> {
  using fault = await failWrite(n, code, persistent);
  try {
    await work();
  } catch (error) {
    assert(error instanceof TilewiseError, String(error));
    return error;
  }
  assert(fault.calls < n, "a failure was not told");
  return undefined;
}

async function withOldFiles(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/a.bin`, "old");
    await Deno.writeTextFile(`${folder}/b.txt`, "old too");
    await body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("a file whose n-th write fails, for every n, stays as it was, and no part file stays", async () => {
  await withOldFiles(async (folder) => {
    const pieces = () => [Uint8Array.of(1, 2), Uint8Array.of(3), new Uint8Array(1000)];
    const faults = await everyFault(folder, () => writeFileAtomic(`${folder}/a.bin`, pieces()));
    assertEquals(faults, 2 * 7); // create, three writes, sync, close, rename
  });
});

Deno.test("of files that belong together none is replaced when a call fails, whichever it is", async () => {
  await withOldFiles(async (folder) => {
    const files = ["a.bin", "b.txt"].map((name) => ({
      path: `${folder}/${name}`,
      content: () => new Uint8Array(100),
    }));
    const faults = await everyFault(folder, () => writeFilesAtomic(files));
    assertEquals(faults, 2 * 12);
    assertEquals(await writeFilesAtomic(files), [100, 100]);
  });
});

Deno.test("of new files none is there when the last does not get its name, and old ones keep their times", async () => {
  await withOldFiles(async (folder) => {
    const time = new Date(2001, 1, 1);
    await Deno.utime(`${folder}/a.bin`, time, time);
    const { ino } = await Deno.stat(`${folder}/a.bin`);
    await Deno.symlink("a.bin", `${folder}/link.bin`);
    await Deno.remove(`${folder}/b.txt`);
    await Deno.mkdir(`${folder}/d.bin`);
    const files = ["link.bin", "a.bin", "b.txt", "d.bin"].map((name) => ({
      path: `${folder}/${name}`,
      content: () => new Uint8Array(100),
    }));
    const error = await writeFilesAtomic(files).catch((error: unknown) => error);
    assert(isTilewiseError(error, "not-a-file"), String(error));
    assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name).sort(), [
      "a.bin",
      "d.bin",
      "link.bin",
    ]);
    const now = await Deno.stat(`${folder}/a.bin`);
    assertEquals([now.mtime, now.ino, await Deno.readLink(`${folder}/link.bin`)], [time, ino, "a.bin"]);
    assertEquals(heldParts(), []);
  });
});

Deno.test("where there are no hard links files are replaced as well, and the error says which are new", async () => {
  await withOldFiles(async (folder) => {
    const files = ["a.bin", "b.txt"].map((name) => ({
      path: `${folder}/${name}`,
      content: () => new Uint8Array(9),
    }));
    const system = await writeCalls();
    let renames = 0;
    const without: WriteCalls = {
      ...system,
      link: () => Promise.reject(Object.assign(new Error("no"), { code: "EPERM" })),
      rename: (from, to) =>
        ++renames === 2
          ? Promise.reject(Object.assign(new Error("no"), { code: "EIO" }))
          : system.rename(from, to),
    };
    using _calls = replaceWriteCalls(without);
    const error = await writeFilesAtomic(files).catch((error: unknown) => error);
    assert(isTilewiseError(error, "io"));
    assertMatch(error.message, /b\.txt: .*; these are new already: \S+a\.bin$/);
    assertEquals([Deno.statSync(files[0]!.path).size, Deno.readTextFileSync(files[1]!.path)], [9, "old too"]);
    assertEquals(await writeFilesAtomic(files), [9, 9]);
  });
});

Deno.test("a part file whose n-th write fails, for every n, is removed", async () => {
  await withOldFiles(async (folder) => {
    const faults = await everyFault(folder, async () => {
      await using file = await PartFile.at(`${folder}/a.bin`);
      await file.create(Uint8Array.of(1), 100);
      const write = await writerAt(file.part, file.path);
      for (const at of [50, 10]) write(Uint8Array.of(1, 2, 3), at);
      await file.finish();
    });
    assertEquals(faults, 2 * 8);
  });
});

Deno.test("a disk that takes no more bytes is full", async () => {
  await withOldFiles(async (folder) => {
    const before = contents(folder);
    const command = new Deno.Command("bash", {
      args: ["-c", `trap '' XFSZ; ulimit -f 16; exec "$0" "$@"`, Deno.execPath(), "eval", program(folder)],
      stdout: "piped",
      stderr: "piped",
    });
    const { stdout, stderr } = await command.output();
    const text = new TextDecoder().decode(stdout);
    const { code, found } = JSON.parse(
      text || `{"code": ${JSON.stringify(new TextDecoder().decode(stderr))}}`,
    );
    assertEquals([code, found], ["io", "EFBIG"]);
    assertEquals(contents(folder), before);
  });
});

Deno.test("a process that is killed between two names leaves whole files, and what else is left is removed later", async () => {
  await withOldFiles(async (folder) => {
    const long = new Date(Date.now() - 2 * STALE_AFTER);
    for (const name of ["a.bin", "b.txt"]) await Deno.utime(`${folder}/${name}`, long, long);
    await using child = new Deno.Command(Deno.execPath(), {
      args: ["eval", halfRenamed(folder)],
      stdout: "piped",
    }).spawn();
    await child.stdout.getReader().read();
    child.kill("SIGKILL");
    await child.status;
    assertEquals(Deno.readTextFileSync(`${folder}/a.bin`), "new");
    assertEquals(Deno.readTextFileSync(`${folder}/b.txt`), "old too");
    assertEquals(
      [...Deno.readDirSync(folder)].length,
      5,
      "two old files by their second names, and one part",
    );
    await removeStaleParts(folder, Date.now() + 2 * STALE_AFTER);
    assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name).sort(), ["a.bin", "b.txt"]);
    assertEquals(Deno.readTextFileSync(`${folder}/b.txt`), "old too");
  });
});

/** Gives the first of two files its name, says so, and waits. */
function halfRenamed(folder: string): string {
  const module = (name: string) =>
    JSON.stringify(new URL(`../../src/io/write/${name}`, import.meta.url).href);
  return `import { replaceWriteCalls, writeCalls } from ${module("calls.ts")};
    import { writeFilesAtomic } from ${module("write.ts")};
    const system = await writeCalls();
    let renames = 0;
    const rename = async (from, to) => {
      if (++renames === 1) return await system.rename(from, to);
      console.log("now");
      await new Promise((resolve) => setTimeout(resolve, 60_000));
    };
    replaceWriteCalls({ ...system, rename });
    const content = () => new TextEncoder().encode("new");
    await writeFilesAtomic(["a.bin", "b.txt"].map((name) => ({ path: ${
    JSON.stringify(folder)
  } + "/" + name, content })));`;
}

/** Writes 1 MiB where no file may have more than 16 KiB. */
function program(folder: string): string {
  const module = new URL("../../src/io/write/write.ts", import.meta.url).href;
  return `const { writeFileAtomic } = await import(${JSON.stringify(module)});
    await writeFileAtomic(${JSON.stringify(`${folder}/a.bin`)}, new Uint8Array(2 ** 20))
      .catch(({ code, details: { found } }) => console.log(JSON.stringify({ code, found })));`;
}

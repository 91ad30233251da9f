/** A write that fails, at whichever call, leaves what was there: no part file, no half of a set of files. */

import { assert, assertEquals } from "@std/assert";
import { TilewiseError } from "../../src/errors.ts";
import { PartFile, writeFileAtomic, writeFilesAtomic, writerAt } from "../../src/io/write.ts";
import { heldParts } from "../../src/io/part_files.ts";
import { contents, failWrite } from "./failing_writes.ts";

const CODES = { ENOSPC: "io", EDQUOT: "io", EIO: "io", EROFS: "permission" } as const;

/** Lets every call of `work` fail once, then every call and all after it; the number of calls. */
async function everyFault(folder: string, work: () => Promise<unknown>, last: string): Promise<number> {
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
      if (after[last] !== before[last]) continue; // the first of two got its name, the rename of the second failed
      assertEquals(after, before);
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
    const faults = await everyFault(folder, () => writeFileAtomic(`${folder}/a.bin`, pieces()), "a.bin");
    assertEquals(faults, 2 * 7); // create, three writes, sync, close, rename
  });
});

Deno.test("of files that belong together none is replaced when the disk is full", async () => {
  await withOldFiles(async (folder) => {
    const files = ["a.bin", "b.txt"].map((name) => ({
      path: `${folder}/${name}`,
      content: () => new Uint8Array(100),
    }));
    const faults = await everyFault(folder, () => writeFilesAtomic(files), "a.bin");
    assertEquals(faults, 2 * 10);
    assertEquals(await writeFilesAtomic(files), [100, 100]);
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
    }, "a.bin");
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

/** Writes 1 MiB where no file may have more than 16 KiB. */
function program(folder: string): string {
  const module = new URL("../../src/io/write.ts", import.meta.url).href;
  return `const { writeFileAtomic } = await import(${JSON.stringify(module)});
    await writeFileAtomic(${JSON.stringify(`${folder}/a.bin`)}, new Uint8Array(2 ** 20))
      .catch(({ code, details: { found } }) => console.log(JSON.stringify({ code, found })));`;
}

/** Part files that killed processes leave are removed; those that somebody writes, and files of others, are not. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { PartFile } from "../../src/io/write/part_file.ts";
import { partPath, removeStaleParts, STALE_AFTER } from "../../src/io/write/part_files.ts";
import { writeFileAtomic } from "../../src/io/write/write.ts";

async function withFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function names(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

/** Makes a file that was written last so many milliseconds ago. */
async function aged(path: string, milliseconds: number): Promise<void> {
  await Deno.writeTextFile(path, "x");
  const then = new Date(Date.now() - milliseconds);
  await Deno.utime(path, then, then);
}

/** The number of a process that has ended. */
async function deadProcess(): Promise<number> {
  const child = new Deno.Command("true").spawn();
  await child.status;
  return child.pid;
}

Deno.test("what a killed process left is removed at the next write to that folder", async () => {
  await withFolder(async (folder) => {
    const stale = `.scan.npy.tw-${await deadProcess()}-0123456789abcdef.part`;
    await aged(`${folder}/${stale}`, STALE_AFTER + 60_000);
    const replay = `${folder}/${stale.replace("scan.npy", "replay")}`; // a folder, in which a command was said again
    await Deno.mkdir(replay);
    await Deno.writeTextFile(`${replay}/scan.npy`, "half");
    const then = (Date.now() - STALE_AFTER - 60_000) / 1000;
    await Deno.utime(replay, then, then);
    await writeFileAtomic(`${folder}/other.bin`, Uint8Array.of(1));
    assertEquals(names(folder), ["other.bin"]);
  });
});

Deno.test("nothing is removed that is young, of a living process, a link, or of somebody else", async () => {
  await withFolder(async (folder) => {
    const dead = await deadProcess();
    const long = 2 * STALE_AFTER;
    const random = "0123456789abcdef";
    await using living = new Deno.Command("sleep", { args: ["60"] }).spawn();
    await aged(`${folder}/.a.npy.tw-${dead}-${random}.part`, STALE_AFTER - 60_000);
    await aged(`${folder}/.b.npy.tw-${living.pid}-${random}.part`, long);
    await aged(`${folder}/.c.npy.${dead}.1.part`, long);
    await aged(`${folder}/.tw-${dead}-${random}.part.bak`, long);
    await aged(`${folder}/d.tw-${dead}-${random}.part`, long);
    await aged(`${folder}/.e.npy.tw-${dead}-${random.slice(1)}.part`, long);
    await Deno.mkdir(`${folder}/.f.tw-${dead}-${random}.part`); // young
    await Deno.symlink("d", `${folder}/.g.tw-${dead}-${random}.part`);
    const before = names(folder);
    await removeStaleParts(folder, Date.now() + 1); // also the link is young
    assertEquals(names(folder), before);
    living.kill();
  });
});

Deno.test("where numbers of processes repeat, a part file of this number is older than this process", async () => {
  await withFolder(async (folder) => {
    const started = Date.now() - performance.timeOrigin;
    const earlier = `${folder}/.a.npy.tw-${Deno.pid}-0123456789abcdef.part`;
    await aged(earlier, started + 1000);
    await aged(`${folder}/.b.npy.tw-${Deno.pid}-0123456789abcdef.part`, started - 1000);
    await removeStaleParts(folder, Date.now() + 2 * STALE_AFTER);
    assertEquals(names(folder), [`.b.npy.tw-${Deno.pid}-0123456789abcdef.part`]);
    await Deno.remove(`${folder}/${names(folder)[0]}`);
  });
});

Deno.test("a part file that is being written stays, and its name is its own", async () => {
  await withFolder(async (folder) => {
    await using file = await PartFile.at(`${folder}/a.npy`);
    await file.create(Uint8Array.of(1), 10);
    const old = new Date(Date.now() - 2 * STALE_AFTER);
    await Deno.utime(file.part, old, old);
    await removeStaleParts(folder, Date.now() + 3 * STALE_AFTER);
    assertEquals(names(folder).length, 1);
    const paths = await Promise.all(Array.from({ length: 50 }, () => partPath(`${folder}/a.npy`)));
    assertEquals(new Set(paths).size, 50);
    assertMatch(paths[0]!, /\/\.a\.npy\.tw-\d+-[0-9a-f]{16}\.part$/);
  });
});

Deno.test("a file may have the longest name that there is", async () => {
  await withFolder(async (folder) => {
    const name = "ä".repeat(125) + ".npy";
    assertEquals(await writeFileAtomic(`${folder}/${name}`, Uint8Array.of(1)), 1);
    assert((await Deno.stat(`${folder}/${name}`)).size === 1);
  });
});

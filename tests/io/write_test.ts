import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { TilewiseError } from "../../src/errors.ts";
import { PartFile, writerAt } from "../../src/io/write/part_file.ts";
import { isSameFile } from "../../src/io/file/same_file.ts";
import { writeFileAtomic } from "../../src/io/write/write.ts";

Deno.test("a file is written from pieces, and a failure half-way leaves the old one", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = `${folder}/a.bin`;
    assertEquals(await writeFileAtomic(path, [Uint8Array.of(1, 2), new Uint8Array(0), Uint8Array.of(3)]), 3);
    assertEquals([...await Deno.readFile(path)], [1, 2, 3]);
    const failing = async function* () {
      yield Uint8Array.of(9, 9, 9, 9);
      await Promise.resolve();
      throw new TilewiseError("truncated", "the source ends");
    };
    await assertRejects(() => writeFileAtomic(path, failing()), TilewiseError, "the source ends");
    assertEquals([...await Deno.readFile(path)], [1, 2, 3]);
    assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), ["a.bin"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("two writers of one file do not meet: one of them wins as a whole", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = `${folder}/a.bin`;
    const writes = [1, 2, 3].map((v) => writeFileAtomic(path, new Uint8Array(100_000).fill(v)));
    await Promise.all(writes);
    const bytes = await Deno.readFile(path);
    assertEquals([bytes.length, bytes.every((b) => b === bytes[0])], [100_000, true]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a part file is written in any order, from shared memory, and appears when it is complete", async () => {
  const folder = await Deno.makeTempDir();
  const names = () => [...Deno.readDirSync(folder)].map(({ name }) => name);
  try {
    const path = `${folder}/a.bin`;
    const shared = new Uint8Array(new SharedArrayBuffer(3));
    shared.set([7, 8, 9]);
    {
      await using file = await PartFile.at(path);
      await file.create(Uint8Array.of(1, 2), 8);
      const write = await writerAt(file.part, path);
      write(shared, 5);
      {
        using _ = write.hold(); // the file is open in between
        write(Uint8Array.of(9), 2);
        write(Uint8Array.of(5), 2);
      }
      write(Uint8Array.of(5), 2);
      assertEquals(names().includes("a.bin"), false);
      await file.finish();
    }
    assertEquals([...await Deno.readFile(path)], [1, 2, 5, 0, 0, 7, 8, 9]);
    {
      await using file = await PartFile.at(path);
      await file.create(Uint8Array.of(1), 1);
      assertEquals(names().length, 2);
    }
    assertEquals([names(), (await Deno.stat(path)).size], [["a.bin"], 8]);
    const late = await writerAt(`${folder}/.gone.part`, path);
    for (const call of [() => late(shared, 0), () => void late.hold()]) {
      const error = assertThrows(call, TilewiseError);
      assertEquals([error.code, error.message.includes(path), names().length], ["not-found", true, 1]);
    }
    await Deno.symlink(path, `${folder}/b.bin`);
    assertEquals(await isSameFile(path, `${folder}/b.bin`), true);
    assertEquals(await isSameFile(path, `${folder}/absent`), false);
    assertEquals(await isSameFile(`${folder}/absent`, `${folder}/absent`), false);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

import { assertEquals, assertRejects } from "@std/assert";
import { TilewiseError } from "../../src/errors.ts";
import { writeFileAtomic } from "../../src/io/write.ts";

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

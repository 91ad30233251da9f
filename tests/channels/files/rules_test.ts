/** Both routes of file I/O follow the same rules: modes, offsets, ends of files, handles, names. */

import { assert, assertEquals } from "@std/assert";
import { MODE_NAMES, MODES } from "../../../src/channels/files/modes.ts";
import { fileOf, WAYS, withKernelSide } from "../kernel_side.ts";

/** Per mode: may the file be missing; is an existing one kept; can it be read; where does a write at 0 land. */
const TABLE = {
  read_only: { missing: false, kept: true, read: true, write: "no" },
  write_only: { missing: true, kept: false, read: false, write: "there" },
  append_only: { missing: true, kept: true, read: false, write: "end" },
  read_write: { missing: false, kept: true, read: true, write: "there" },
  erase_read_write: { missing: true, kept: false, read: true, write: "there" },
  append_read: { missing: true, kept: true, read: true, write: "end" },
} as const;

for (const way of WAYS) {
  const rules = new Map<string, Parameters<typeof withKernelSide>[1]>();
  const test = (name: string, body: Parameters<typeof withKernelSide>[1]) => void rules.set(name, body);

  for (const mode of MODE_NAMES) {
    test(`the mode ${mode} does what its row says`, (side, folder) => {
      const row = TABLE[mode];
      const missing = side.open(mode, `${folder}/missing`);
      assertEquals(missing > 0, row.missing);
      if (!row.missing) assertEquals(side.status(), "not-found");
      const path = `${folder}/file`;
      Deno.writeFileSync(path, fileOf(1, 2, 3));
      const file = side.open(mode, path);
      const before: number[] = row.kept ? [1, 2, 3] : [];
      assertEquals(side.fs.fs_size(file), before.length);
      assertEquals(side.read(file, 2), row.read ? before.slice(0, 2) : []);
      assertEquals(side.status(), row.read ? "ok" : "access");
      const wrote = side.write(file, [7], 0, 0);
      assertEquals([wrote, side.status()], row.write === "no" ? [0, "access"] : [1, "ok"]);
      const after = row.write === "end"
        ? [...before, 7]
        : row.write === "no"
        ? before
        : [7, ...before.slice(1)];
      assertEquals(Deno.readFileSync(path), fileOf(...after));
      if (row.read) assertEquals(side.read(file, 9, 0, 0), after);
      assertEquals(side.fs.fs_close(file), 0);
      assertEquals(MODES[MODE_NAMES.indexOf(mode)]!.append, row.write === "end");
    });
  }

  test("offsets count elements from the start, the end and the cursor", (side, folder) => {
    Deno.writeFileSync(`${folder}/file`, fileOf(10, 11, 12, 13, 14));
    const file = side.open("read_only", `${folder}/file`);
    assertEquals(side.read(file, 2), [10, 11]);
    assertEquals(side.read(file, 1, 2, 1), [13]);
    assertEquals(side.read(file, 1, 2, -2), [12]);
    assertEquals(side.read(file, 9, 1, -2), [13, 14]);
    assertEquals(side.read(file, 9), []);
    assertEquals(side.status(), "ok");
    assertEquals(side.read(file, 0, 0, 4), []);
    assertEquals(side.read(file, 1), [14], "a read of nothing still seeks");
  });

  test("an offset that is no place fails and leaves the cursor", (side, folder) => {
    Deno.writeFileSync(`${folder}/file`, fileOf(10, 11));
    const file = side.open("read_only", `${folder}/file`);
    assertEquals(side.read(file, 1), [10]);
    for (const [whence, offset] of [[0, -1], [2, -2], [1, -3], [0, 2 ** 53], [0, NaN], [3, 0], [0, 0.25]]) {
      assertEquals([side.read(file, 1, whence, offset), side.status()], [[], "invalid"]);
    }
    assertEquals(side.read(file, 1), [11]);
    assertEquals(side.read(file, 1, 0, 2 ** 51), []);
    assertEquals(side.status(), "ok", "behind the end there is nothing, and that is not an error");
  });

  test("half an element at the end is not read, and the cursor stays before it", (side, folder) => {
    Deno.writeFileSync(`${folder}/file`, Uint8Array.of(1, 0, 2, 0, 3));
    const file = side.open("read_write", `${folder}/file`);
    assertEquals(side.fs.fs_size(file), 2);
    assertEquals(side.read(file, 5), [1, 2]);
    assertEquals(side.write(file, [9]), 1);
    assertEquals(Deno.readFileSync(`${folder}/file`), fileOf(1, 2, 9));
    assertEquals(side.read(file, 5, 0, 1), [2, 9], "a file that has grown is seen to have");
  });

  test("a write behind the end leaves zeros between", (side, folder) => {
    const file = side.open("write_only", `${folder}/file`);
    assertEquals(side.write(file, [5], 0, 2), 1);
    assertEquals(Deno.readFileSync(`${folder}/file`), fileOf(0, 0, 5));
  });

  test("a closed handle is stale everywhere, also when its slot has a new file", (side, folder) => {
    Deno.writeFileSync(`${folder}/file`, fileOf(1));
    const first = side.open("read_only", `${folder}/file`);
    assertEquals(side.fs.fs_close(first), 0);
    const second = side.open("read_only", `${folder}/file`);
    assert(second > 0 && second !== first);
    for (const stale of [first, 0, -1, 0x7fffffff]) {
      assertEquals(side.fs.fs_close(stale), -4);
      assertEquals(side.fs.fs_size(stale), -4);
      assertEquals(side.read(stale, 1), []);
    }
    assertEquals([side.read(second, 1), side.status()], [[1], "ok"]);
  });

  test("two handles of one file have their own cursors", (side, folder) => {
    Deno.writeFileSync(`${folder}/file`, fileOf(1, 2, 3));
    const a = side.open("read_only", `${folder}/file`),
      b = side.open("read_only", `${folder}/file`, side.pinned ? 0 : 1);
    assertEquals([side.read(a, 2), side.read(b, 1), side.read(a, 1)], [[1, 2], [1], [3]]);
  });

  test("names that are none, too long, folders or strange are refused with their reason", (side, folder) => {
    const cases = [
      ["", "invalid"],
      ["a\0b", "invalid"],
      [folder, "is-directory"],
      [
        "x".repeat(1025),
        "name-too-long",
      ],
      [`${folder}/${"é".repeat(200)}`, "name-too-long"],
      [`${folder}/no/file`, "not-found"],
    ] as const;
    for (const [name, expected] of cases) {
      assert(side.open("read_only", name) < 0);
      assertEquals(side.status(), expected, name);
    }
    Deno.writeFileSync(`${folder}/Größe 🗺`, fileOf(4));
    assertEquals(side.read(side.open("read_only", `${folder}/Größe 🗺`), 1), [4]);
  });

  test("addresses, counts, modes and channels out of range are refused", (side, folder) => {
    Deno.writeFileSync(`${folder}/file`, fileOf(1));
    const file = side.open("read_write", `${folder}/file`);
    const end = side.arena.memory.buffer.byteLength;
    for (const [pointer, count] of [[end, 1], [end - 1, 1], [1024, -1], [-2, 1]] as const) {
      assertEquals(side.fs.fs_read(file, pointer, count, 0, 0), 0);
      assertEquals(side.status(), "invalid");
      assertEquals(side.fs.fs_write(file, pointer, count, 0, 0), 0);
      assertEquals(side.status(), "invalid");
    }
    const limited = side.way !== "chunk" && !side.way.startsWith("direct");
    assertEquals(side.fs.fs_read(file, 0, 2 ** 31 - 1, 0, 0), 0);
    assertEquals(side.status(), limited ? "too-big" : "invalid");
    assertEquals(side.fs.fs_open(0, 6, 1024, 1, 0), -6);
    assertEquals(side.fs.fs_open(0, 0, end, 4, 0), -6);
    assertEquals([side.fs.fs_open(2, 0, 1024, 1, 0), side.fs.fs_open(-1, 0, 1024, 1, 0)], [-1, -1]);
    assertEquals([side.status(2), side.fs.fs_io_buffer(2), side.fs.fs_max_count()], [
      "bad-channel",
      0,
      side.layout.bufferLength,
    ]);
  });

  Deno.test(`${way}: the rules of files`, (t) =>
    withKernelSide(way, async (side, folder) => {
      for (const [name, body] of rules) {
        await t.step(name, async () => {
          Deno.removeSync(folder, { recursive: true });
          Deno.mkdirSync(folder);
          await body(side, folder);
        });
      }
    }));
}

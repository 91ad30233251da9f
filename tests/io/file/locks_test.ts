/** Locks of other programs on a file, and our own. */

import { assert, assertEquals } from "@std/assert";
import { holderOf, lockedBy, takeLock } from "../../../src/io/file/locks.ts";
import { withFolder } from "../../cli/harness.ts";

Deno.test("the process that has locked a file is found in the list of the system", () => {
  const text = [
    "1: POSIX  ADVISORY  WRITE 4711 fe:00:1234 0 1",
    "2: FLOCK  ADVISORY  WRITE 12 fe:00:99 0 EOF",
    "3: POSIX  ADVISORY  READ 13 08:10:99 1 1",
    "3: -> POSIX  ADVISORY  WRITE 14 08:10:98 1 1",
    "4: OFDLCK ADVISORY  WRITE -1 103:02:77 0 2",
    "",
  ].join("\n");
  const of = (dev: bigint, ino: bigint) => holderOf(text, { dev, ino });
  assertEquals(of(0xfe00n, 1234n), 4711);
  assertEquals(of(0x0810n, 99n), 13);
  assertEquals(of(0x0810n, 98n), undefined); // waits only
  assertEquals(of(0xfe00n, 99n), undefined); // a lock of another kind
  assertEquals(of(0x0810n, 1234n), undefined); // another disk
  assertEquals(of(0x10302n, 77n), -1);
});

Deno.test({
  name: "a lock keeps others out until it is released, also when the file is opened and closed meanwhile",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await withFolder(async (folder) => {
      const path = `${folder}/table.lock`;
      assertEquals([await lockedBy(path), takeLock(path)], [undefined, undefined]);
      await Deno.writeFile(path, new Uint8Array(300));
      {
        const lock = takeLock(path);
        assert(lock !== undefined && lock !== "taken");
        using _ = lock;
        await Deno.readFile(path);
        assertEquals([await lockedBy(path), takeLock(path)], [-1, "taken"]);
      }
      assertEquals(await lockedBy(path), undefined);
      const again = takeLock(path);
      assert(again !== undefined && again !== "taken");
      again[Symbol.dispose]();
    });
  },
});

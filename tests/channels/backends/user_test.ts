/** Back ends of users: how they are found, and what they may not answer. */

import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import type { BackEnd } from "../../../src/channels/backends/back_end.ts";
import { checkedFiles, loadUserFiles } from "../../../src/channels/backends/user.ts";
import { prepareFiles } from "../../../src/channels/backends/open_files.ts";
import { mapFiles } from "./user_files.ts";

const MODULE = import.meta.resolve("./user_files.ts");
const NAMED = { module: MODULE, export: "mapFiles" };

Deno.test("modules and exports that are none are named in the error", async () => {
  const wrong = [
    [{ ...NAMED, module: import.meta.resolve("./none.ts") }, "none.ts"],
    [{ ...NAMED, export: "none" }, "it exports no function of that name"],
    [{ ...NAMED, export: "notFiles" }, "what it returns has no size, read"],
    [{ ...NAMED, export: "unclear" }, "must say synchronous"],
    [{ ...NAMED, export: "throwing" }, "no disk today"],
  ] as const;
  for (const [files, message] of wrong) {
    const error = await assertRejects(() => loadUserFiles(files), Error, message);
    assertEquals((error as { code?: string }).code, "udf");
  }
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
  assertThrows(
    () => prepareFiles(memory, 0, { module: "./files.ts", export: "x" }),
    Error,
    "import.meta.resolve",
  );
  assertThrows(() => prepareFiles(memory, 0, NAMED, ["/tmp"]), Error, "roots");
});

const own = mapFiles({ late: false });

Deno.test("calls that a back end may leave out are there if it brings them", () => {
  const asked: string[] = [];
  const brings = { rename: (from: string, to: string) => void asked.push(from, to) };
  const files = checkedFiles({ ...own, ...brings }, NAMED);
  files.rename!("a", "b");
  assertEquals(asked, ["a", "b"]);
  assertEquals(
    [files.look, files.setTimes, files.link, files.symlink, files.readLink],
    Array(5).fill(undefined),
  );
  assertEquals(checkedFiles(own, NAMED).rename, undefined);
});

const LIES: readonly (readonly [Partial<BackEnd>, (files: BackEnd) => unknown])[] = [
  [{ read: () => 9 }, (files) => files.read(1, new Uint8Array(8), 0, 8, 0)],
  [{ read: () => -1 }, (files) => files.read(1, new Uint8Array(8), 0, 8, 0)],
  [{ read: () => 1.5 }, (files) => files.read(1, new Uint8Array(8), 0, 8, 0)],
  [{ write: () => NaN }, (files) => files.write(1, new Uint8Array(8), 0, 8, 0)],
  [{ write: () => 9 }, (files) => files.write(1, new Uint8Array(8), 0, 8, null)],
  [{ size: () => -5 }, (files) => files.size(1)],
  [{ size: () => "5" as unknown as number }, (files) => files.size(1)],
  [{ open: () => undefined as unknown as number }, (files) => files.open("a", "r")],
  [{ stat: () => ({ bytes: 1 }) as never }, (files) => files.stat("a")],
  [{ list: () => ["a", 5] as never }, (files) => files.list("a")],
  [
    { look: () => ({ bytes: 1, kind: "file", number: 1, links: 1 }) as never },
    (files) => files.look!("a", true),
  ],
  [{ readLink: () => 5 as never }, (files) => files.readLink!("a")],
];

Deno.test("answers that cannot be right become errors, at once or late", async () => {
  for (const [lie, call] of LIES) {
    assertThrows(() => call(checkedFiles({ ...own, ...lie }, NAMED)), Error, "answered");
    const late = Object.fromEntries(
      Object.entries(lie).map(([name, answer]) => {
        return [name, () => Promise.resolve((answer as () => unknown)())];
      }),
    );
    const files = checkedFiles({ ...own, ...late, synchronous: false } as BackEnd, NAMED);
    await assertRejects(async () => await call(files), Error, "answered");
    assertThrows(
      () => call(checkedFiles({ ...own, ...late } as BackEnd, NAMED)),
      Error,
      "returned a promise",
    );
  }
  const endless = checkedFiles({ ...own, size: () => Infinity }, NAMED);
  assertEquals(endless.size(1), Infinity);
});

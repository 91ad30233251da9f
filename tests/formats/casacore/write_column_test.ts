/** A column that is added to a table: the bytes that casacore writes, and what is there after every moment of death. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { cp } from "node:fs/promises";
import { isTilewiseError, TilewiseError } from "../../../src/errors.ts";
import { ColumnFiles } from "../../../src/formats/casacore/write/column_files.ts";
import { readPlainDescription } from "../../../src/formats/casacore/description.ts";
import { takeLock } from "../../../src/io/file/locks.ts";
import { replaceWriteCalls, type WriteCalls, writeCalls } from "../../../src/io/write/calls.ts";
import { withFolder } from "../../cli/harness.ts";
import { contents, failWrite } from "../../io/failing_writes.ts";

const ROWS = 5, CELL = [3, 2] as const;

function tableOf(byteOrder: string, when: "before" | "after"): string {
  return fromFileUrl(new URL(`../../data/casacore/column/${byteOrder}/${when}`, import.meta.url));
}

/** The values that casacore was given. */
function values(byteOrder: string): Uint8Array {
  const view = new DataView(new ArrayBuffer(ROWS * 6 * 8));
  for (let row = 0; row < ROWS; row++) {
    for (let i = 0; i < 6; i++) {
      view.setFloat32(8 * (6 * row + i), row + i, byteOrder === "little");
      view.setFloat32(8 * (6 * row + i) + 4, 0 - i, byteOrder === "little");
    }
  }
  return new Uint8Array(view.buffer);
}

/** Adds the column to a table. */
async function write(folder: string, byteOrder: string): Promise<void> {
  const shapes = [{ cell: CELL, rows: ROWS }], runs = [{ stop: ROWS, shape: 0 }];
  await using files = await ColumnFiles.plan({ folder, column: "MODEL_DATA", shapes, runs });
  const [cube] = await files.create();
  cube!(values(byteOrder), 0);
  await files.finish();
}

for (const byteOrder of ["little", "big"]) {
  Deno.test(`a column is added with the bytes that casacore writes, ${byteOrder}-endian`, async () => {
    await withFolder(async (folder) => {
      await cp(tableOf(byteOrder, "before"), folder, { recursive: true });
      await write(folder, byteOrder);
      const { "table.lock": lock, ...found } = contents(folder);
      const { "table.lock": _, ...expected } = contents(tableOf(byteOrder, "after"));
      assertEquals(found, expected);
      assert(lock !== undefined);
      // processes that wait, then the record: rows, columns, changes
      const words = (path: string) => new DataView(Deno.readFileSync(`${path}/table.lock`).buffer);
      const [own, theirs] = [words(folder), words(tableOf(byteOrder, "after"))];
      assertEquals(own.byteLength, theirs.byteLength);
      for (const at of [260, 284, 288, 320]) {
        assertEquals(own.getUint32(at), theirs.getUint32(at), String(at));
      }
    });
  });
}

/** After call number `n` nothing is done any more, as if the process had been killed. */
async function dieAfter(n: number): Promise<Disposable & { readonly isDead: boolean }> {
  const system = await writeCalls();
  let calls = 0;
  const step = () => {
    if (++calls > n) throw new Error("killed");
  };
  const dying: WriteCalls = {
    async create(path, mode) {
      step();
      const file = await system.create(path, mode);
      const guarded = <A extends unknown[], T>(call: (...args: A) => Promise<T>) => async (...args: A) => {
        step();
        return await call(...args);
      };
      return {
        write: guarded((bytes: Uint8Array) => file.write(bytes)),
        truncate: guarded((size: number) => file.truncate(size)),
        sync: guarded(() => file.sync()),
        close: () => file.close(), // the system does it
      };
    },
    sync: async (path) => (step(), await system.sync(path)),
    rename: async (from, to) => (step(), await system.rename(from, to)),
    link: async (from, to) => (step(), await system.link(from, to)),
    syncFolder: async (path) => (step(), await system.syncFolder(path)),
    remove: async (path) => (step(), await system.remove(path)),
    writeAt: (path, bytes, position) => (step(), system.writeAt(path, bytes, position)),
    hold: (path) => system.hold(path),
  };
  const replaced = replaceWriteCalls(dying);
  return {
    get isDead() {
      return calls > n;
    },
    [Symbol.dispose]: () => replaced[Symbol.dispose](),
  };
}

/** The columns of a table, and the files that its storage managers have. */
function stateOf(folder: string) {
  const { columns, managers, rows } = readPlainDescription(Deno.readFileSync(`${folder}/table.dat`), folder);
  const numbers = managers.map(({ number }) => number);
  const known = Object.entries(contents(folder)).filter(([name]) => {
    const number = /^table\.f(\d+)/.exec(name)?.[1];
    return number !== undefined && numbers.includes(Number(number));
  });
  return { rows, columns: columns.map(({ name }) => name), files: Object.fromEntries(known) };
}

/** How many columns the lock file counts; 0: it counts nothing. */
function countedIn(folder: string): number {
  const view = new DataView(Deno.readFileSync(`${folder}/table.lock`).buffer);
  return view.getUint32(260) === 0 ? 0 : view.getUint32(288);
}

for (const isReplaced of [false, true]) {
  Deno.test(`a process that dies while it ${isReplaced ? "replaces" : "adds"} a column leaves the old table or the new one`, async () => {
    let moments = 0, old = 0;
    for (let n = 0, isDone = false; !isDone; n++) {
      await withFolder(async (folder) => {
        await cp(tableOf("little", isReplaced ? "after" : "before"), folder, { recursive: true });
        const before = stateOf(folder);
        {
          using dying = await dieAfter(n);
          await write(folder, "little").catch(() => {});
          isDone = !dying.isDead;
        }
        moments++;
        const now = stateOf(folder);
        assert([0, now.columns.length].includes(countedIn(folder)), `moment ${n}`);
        const isOld = JSON.stringify(now) === JSON.stringify(before);
        old += Number(isOld);
        if (!isOld) assertNew(now, before, n);
        await write(folder, "little"); // the next run
        assertNew(stateOf(folder), before, n);
        const names = Object.keys(contents(folder)).filter((name) => /^table\.f/.test(name));
        assertEquals(names, Object.keys(stateOf(folder).files), `moment ${n}`);
      });
    }
    assert(old > 5 && moments > old + 3, `${old} of ${moments}`);
  });
}

function assertNew(now: ReturnType<typeof stateOf>, before: ReturnType<typeof stateOf>, n: number): void {
  assertEquals(now.columns, ["TIME", "NAME", "DATA", "MODEL_DATA"], `moment ${n}`);
  assertEquals(Object.keys(now.files).length, 5, `moment ${n}`);
  for (const name of ["table.f0", "table.f1", "table.f1_TSM1"]) {
    assertEquals(now.files[name], before.files[name]);
  }
}

Deno.test("a write that fails leaves the table as it was, at every call", async () => {
  let failed = 0;
  for (let n = 1, isDone = false; !isDone; n++) {
    await withFolder(async (folder) => {
      await cp(tableOf("big", "before"), folder, { recursive: true });
      const before = contents(folder);
      let error: unknown;
      {
        using failing = await failWrite(n, "ENOSPC");
        await write(folder, "big").catch((one) => error = one);
        isDone = failing.calls < n;
      }
      if (error === undefined) return; // folders need not be synced, files that lie around not be removed
      failed++;
      assert(isTilewiseError(error, "io"), String(error));
      const { columns } = stateOf(folder);
      if (columns.length === 3) assertEquals(contents(folder), before, `call ${n}`);
    });
  }
  assert(failed > 10, String(failed));
});

Deno.test("a column is refused for names, tables and files that do not allow it, before anything is written", async () => {
  await withFolder(async (folder) => {
    await cp(tableOf("little", "after"), folder, { recursive: true });
    const before = contents(folder);
    const plan = (column: string, where = folder) => {
      const shapes = [{ cell: CELL, rows: ROWS }], runs = [{ stop: ROWS, shape: 0 }];
      return assertRejects(() => ColumnFiles.plan({ folder: where, column, shapes, runs }), TilewiseError);
    };
    for (const name of ["", "A B", "1X", "Ä", "a.b"]) assertEquals((await plan(name)).code, "invalid", name);
    assertEquals((await plan("TIME")).message.includes("its cells are not arrays of complex64"), true);
    assertEquals((await plan("M", `${folder}/none`)).code, "not-found");
    await Deno.chmod(`${folder}/table.dat`, 0o444);
    const { code, message } = await plan("MODEL_DATA");
    assertEquals([code, /protected against writing/.test(message)], ["permission", true]);
    await Deno.chmod(`${folder}/table.dat`, 0o644);
    assertEquals(contents(folder), before);
  });
});

Deno.test({
  name: "a table that a program has locked is refused, at the start and at the end",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await withFolder(async (folder) => {
      await cp(tableOf("little", "before"), folder, { recursive: true });
      const before = contents(folder);
      const shapes = [{ cell: CELL, rows: ROWS }], runs = [{ stop: ROWS, shape: 0 }];
      const asked = { folder, column: "MODEL_DATA", shapes, runs };
      {
        await using files = await ColumnFiles.plan(asked);
        await files.create();
        const lock = takeLock(`${folder}/table.lock`);
        assert(lock !== undefined && lock !== "taken");
        using _ = lock;
        const late = await assertRejects(() => files.finish(), TilewiseError, "has the table open");
        const early = await assertRejects(() => ColumnFiles.plan(asked), TilewiseError, "has the table open");
        assertEquals([late.code, early.code], ["conflict", "conflict"]);
      }
      assertEquals(contents(folder), before);
      await write(folder, "little");
      assertEquals(stateOf(folder).columns.at(-1), "MODEL_DATA");
    });
  },
});

Deno.test("a table that another program changes meanwhile is not overwritten", async () => {
  await withFolder(async (folder) => {
    await cp(tableOf("little", "before"), folder, { recursive: true });
    const shapes = [{ cell: CELL, rows: ROWS }], runs = [{ stop: ROWS, shape: 0 }];
    await using files = await ColumnFiles.plan({ folder, column: "OTHER_DATA", shapes, runs });
    await files.create();
    await write(folder, "little");
    const error = await assertRejects(() => files.finish(), TilewiseError, "has changed the table meanwhile");
    assertEquals([error.code, stateOf(folder).columns.at(-1)], ["changed", "MODEL_DATA"]);
  });
});

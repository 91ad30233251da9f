/** The table of open files: failures of its back end, handles, and places that run out. */

import { assert, assertEquals } from "@std/assert";
import type { SynchronousBackEnd } from "../../../src/channels/backends/back_end.ts";
import { FileTable } from "../../../src/channels/files/file_table.ts";
import { newGate } from "../../../src/channels/protocol/channel.ts";
import { STATUS } from "../../../src/channels/protocol/status.ts";

const NAME = new TextEncoder().encode("name");

function tableOver(backEnd: SynchronousBackEnd): FileTable {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
  const layout = { channels: 2, bufferLength: 4, elementSize: 8, offset: 1024, gate: newGate() };
  return new FileTable(memory, layout, backEnd);
}

/** Files without a disk; the operations for which `when` says so fail. */
function fails(
  when: (operation: number) => boolean,
): SynchronousBackEnd & { opened: Set<number> } {
  let operation = 0, next = 3;
  const opened = new Set<number>();
  const act = <T>(value: T): T => {
    if (when(operation++)) throw Object.assign(new Error("no"), { code: "EIO" });
    return value;
  };
  return {
    synchronous: true,
    opened,
    open: () => (act(0), opened.add(next), next++),
    close: (file) => (opened.delete(file), act(undefined)),
    size: () => act(64),
    read: (_file, _bytes, _at, length) => act(length),
    write: (_file, _bytes, _at, length) => act(length),
    flush: () => act(undefined),
    truncate: () => act(undefined),
    stat: () => act({ bytes: 64, kind: "file" }),
    list: () => act([]),
    remove: () => act(undefined),
    mkdir: () => act(undefined),
  };
}

Deno.test("when the n-th operation fails, its call says so and every file is closed all the same", () => {
  for (let n = 0; n < 9; n++) {
    const raw = fails((operation) => operation === n);
    const table = tableOver(raw);
    const file = Number(table.open(0, 4, NAME));
    const found = [
      file < 0 ? file : 0,
      table.read(file, 64, 2, 0, 0),
      table.write(file, 64, 1, 1, 0),
      table.size(file),
      table.close(file),
    ];
    const expected = n < 7 ? -STATUS.io : 0;
    assertEquals(found.some((status) => status === -STATUS.io), expected !== 0, `operation ${n}: ${found}`);
    table.closeAll();
    assertEquals([raw.opened.size, table.openFiles], [0, 0]);
  }
});

Deno.test("a table is full at 1024 files", () => {
  const table = tableOver(fails(() => false));
  const handles = Array.from({ length: 1024 }, () => Number(table.open(1, 0, NAME)));
  assert(handles.every((handle) => handle > 0) && new Set(handles).size === 1024);
  assertEquals(table.open(0, 0, NAME), -STATUS["too-many"]);
  table.close(handles[500]!);
  const again = Number(table.open(1, 0, NAME));
  assert(again > 0 && again !== handles[500]);
});

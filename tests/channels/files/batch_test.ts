/** Batches: many transfers by one call, in any order; files that answer late. */

import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { systemFiles } from "../../../src/channels/backends/node.ts";
import { DESCRIPTOR, QUEUE } from "../../../src/channels/files/batch.ts";
import { FILE } from "../../../src/channels/files/calls.ts";
import { directCalls, FileTable } from "../../../src/channels/files/file_table.ts";
import { STATUS } from "../../../src/channels/protocol/status.ts";
import { type KernelSide, ROUTES, withKernelSide } from "../kernel_side.ts";
import { late, smallDevice, soon, tableOver } from "./back_ends.ts";

/** All files that the runtime permits. */
const nodeFiles = systemFiles();

interface Queued {
  readonly fn: number;
  readonly handle: number;
  readonly pointer: number;
  readonly count: number;
  readonly whence: number;
  readonly offset: number;
  readonly state?: number;
}

function queue(memory: WebAssembly.Memory, at: number, transfers: readonly Queued[]): void {
  for (
    const [i, { state = QUEUE.queued, fn, handle, pointer, count, whence, offset }] of transfers.entries()
  ) {
    const record = new DataView(memory.buffer, at + i * DESCRIPTOR.bytes, DESCRIPTOR.bytes);
    for (const [k, word] of [state, fn, handle, pointer, count, whence].entries()) {
      record.setInt32(
        4 * k,
        word,
        true,
      );
    }
    record.setFloat64(DESCRIPTOR.offset, offset, true);
    record.setFloat64(DESCRIPTOR.result, -999, true);
  }
}

function results(memory: WebAssembly.Memory, at: number, count: number): (number | string)[] {
  return Array.from({ length: count }, (_, i) => {
    const record = new DataView(memory.buffer, at + i * DESCRIPTOR.bytes, DESCRIPTOR.bytes);
    return record.getInt32(0, true) === QUEUE.done ? record.getFloat64(DESCRIPTOR.result, true) : "not done";
  });
}

const transfer: fc.Arbitrary<Queued> = fc.record({
  fn: fc.constantFrom(FILE.read, FILE.read, FILE.read, FILE.write, 9),
  handle: fc.constantFrom(0, 0, 0, 1),
  pointer: fc.nat(30).map((n) => 8192 + 8 * n),
  count: fc.nat(6),
  whence: fc.constantFrom(0, 0, 0, 1, 2),
  offset: fc.integer({ min: -2, max: 9 }),
  state: fc.constantFrom(1, 1, 1, 1, 0, 2),
});

/** Runs transfers over a table: one at a time, or as a batch; all that can be seen afterwards. */
async function outcome(
  table: FileTable,
  device: { content: Uint8Array },
  transfers: readonly Queued[],
  how: "batch" | "one by one",
) {
  const { memory } = table, at = 4096;
  new Uint8Array(memory.buffer, 8192, 1024).forEach((_, i, all) => all[i] = i % 251);
  device.content = Uint8Array.from({ length: 20 }, (_, i) => 100 + i);
  const handle = await soon(table.open(0, 3, new TextEncoder().encode("file")));
  const mine = transfers.map((one) => ({ ...one, handle: one.handle === 0 ? handle : handle | 1 << 10 }));
  queue(memory, at, mine);
  let done = 0;
  if (how === "batch") done = await soon(table.batch(0, at, mine.length));
  else for (const i of mine.keys()) done += await soon(table.batch(0, at + i * DESCRIPTOR.bytes, 1));
  const cursor = await soon(table.seek(handle, 2, 0));
  await soon(table.close(handle));
  const seen = results(memory, at, mine.length), bytes = [...new Uint8Array(memory.buffer, 8192, 1024)];
  return { done, cursor, seen, bytes, content: [...device.content] };
}

Deno.test("a batch does what its transfers do one by one, also where the files answer late and in any order", async () => {
  let turn = 0;
  const runs = fc.asyncProperty(fc.array(transfer, { maxLength: 12 }), async (transfers) => {
    const devices = [smallDevice(48), smallDevice(48), smallDevice(48)] as const;
    const at = tableOver(devices[0], 2), batch = tableOver(devices[1], 2);
    const slow = tableOver(late(devices[2], () => turn++ % 3), 2);
    const expected = await outcome(at, devices[0], transfers, "one by one");
    assertEquals(await outcome(batch, devices[1], transfers, "batch"), expected);
    const reads = transfers.map((one) => ({ ...one, pointer: 8192 + 64 * transfers.indexOf(one) })); // no two to one place
    const apart = await outcome(at, devices[0], reads, "one by one");
    assertEquals(await outcome(slow, devices[2], reads, "batch"), apart);
  });
  await fc.assert(runs, { numRuns: 60, seed: 5 });
});

Deno.test("reads of files that answer late are under way together, but not more than a few dozen", async () => {
  const device = smallDevice(4096), slow = late(device, () => 1), table = tableOver(slow, 2);
  device.content = new Uint8Array(4096);
  const handle = await soon(table.open(0, 0, new TextEncoder().encode("file")));
  await soon(table.read(handle, 0, 1, 0, 0)); // the size is known now
  const reads = Array.from(
    { length: 100 },
    (_, i) => ({ fn: FILE.read, handle, pointer: 16384 + 2 * i, count: 1, whence: 0, offset: i }),
  );
  queue(table.memory, 4096, reads);
  assertEquals(await soon(table.batch(0, 4096, 100)), 100);
  assert(slow.most >= 30 && slow.most <= 32, `${slow.most} at the same time`);
});

Deno.test("late answers follow the same rules, and late failures have the same statuses", async () => {
  const device = smallDevice(20, 3), table = tableOver(late(device, () => 1), 2);
  const name = new TextEncoder().encode("file");
  const file = await soon(table.open(0, 3, name));
  const write = await soon(table.write(file, 0, 12, 0, 0));
  assertEquals([write, table.trouble(file), await soon(table.write(file, 0, 1, 2, 0))], [
    10,
    -STATUS["no-space"],
    -STATUS["no-space"],
  ]);
  assertEquals([
    await soon(table.seek(file, 1, -3)),
    await soon(table.read(file, 0, 9, 2, 0)),
    await soon(table.size(file)),
  ], [7, 3, 10]);
  const append = await soon(table.open(0, 5, name));
  assertEquals([await soon(table.truncate(file, 2)), await soon(table.write(append, 0, 1, 0, 0))], [0, 1]);
  assertEquals(
    [await soon(table.seek(append, 2, 0)), await soon(table.flush(append)), device.content.length],
    [3, 0, 6],
  );
  assertEquals([
    await soon(table.stat(0, name, 64)),
    await soon(table.list(0, name, 64, 9)),
    await soon(table.mkdir(0, name)),
  ], [0, 5, 0]);
  assertEquals(table.openFiles, 2);
  await table.closeAll();
  assertEquals(table.openFiles, 0);
  assertThrows(() => directCalls(table), Error, "answer late");
});

Deno.test("a table that answers late is full at 1024 files, and closes the one too many", async () => {
  let closed = 0;
  const device = smallDevice(1), table = tableOver(late({ ...device, close: () => void closed++ }, () => 1));
  const open = () => soon(table.open(0, 0, new TextEncoder().encode("file")));
  const handles = await Promise.all(Array.from({ length: 1025 }, open));
  assertEquals([handles.filter((handle) => handle === -STATUS["too-many"]).length, closed, table.openFiles], [
    1,
    1,
    1024,
  ]);
});

/** A file of 1000 numbers, and 50 reads in any order. */
function manyReads(side: KernelSide, folder: string) {
  Deno.writeFileSync(
    `${folder}/file`,
    new Uint8Array(Uint16Array.from({ length: 1000 }, (_, i) => i).buffer),
  );
  const handle = side.open("read_only", `${folder}/file`);
  const reads = (to: number) =>
    Array.from({ length: 50 }, (_, i) => ({
      fn: FILE.read,
      handle,
      pointer: to + 4 * i,
      count: 2,
      whence: 0,
      offset: i * 37 % 998,
    }));
  return { handle, reads };
}

for (const route of ROUTES) {
  Deno.test(`${route}: reads are submitted and taken in any order; the channel is free afterwards`, () =>
    withKernelSide(route, (side, folder) => {
      const { arena: { memory }, fs } = side;
      using room = side.arena.lease(50 * DESCRIPTOR.bytes + 200, "batch");
      const at = room.offset, to = at + 50 * DESCRIPTOR.bytes;
      const { handle, reads } = manyReads(side, folder);
      queue(memory, at, reads(to));
      assertEquals(fs.fs_submit(0, at, 50), 0);
      for (const i of [49, 0, 20, 3]) assertEquals(fs.fs_wait(at + i * DESCRIPTOR.bytes, 5000), 1);
      assertEquals([fs.fs_finish(0), fs.fs_finish(0)], [50, -STATUS.state]);
      assertEquals(results(memory, at, 50), Array(50).fill(2));
      const numbers = new Uint16Array(memory.buffer, to, 100);
      assertEquals(
        [...numbers],
        Array.from({ length: 50 }, (_, i) => [i * 37 % 998, i * 37 % 998 + 1]).flat(),
      );
      queue(memory, at, reads(to).slice(0, 1));
      assertEquals(
        [fs.fs_wait(at, 1), fs.fs_wait(at + 4, 1)],
        [-STATUS.invalid, -STATUS.invalid],
        "nobody works on it",
      );
      assertEquals([fs.fs_batch(0, at, 1), fs.fs_wait(at, 0), fs.fs_close(handle)], [1, 1, 0]);
    }));

  Deno.test(`${route}: a bad transfer fails alone`, () =>
    withKernelSide(route, (side, folder) => {
      const { arena: { memory }, fs } = side;
      using room = side.arena.lease(8 * DESCRIPTOR.bytes + 64, "batch");
      const at = room.offset, to = at + 8 * DESCRIPTOR.bytes, end = memory.buffer.byteLength;
      const { handle, reads } = manyReads(side, folder);
      const good = reads(to)[0]!, other = side.open("read_only", `${folder}/file`, 1);
      const bad = [{ pointer: end }, { count: -1 }, { offset: NaN }, { handle: other }, { fn: FILE.write }, {
        fn: 99,
      }];
      queue(memory, at, [good, ...bad.map((odd) => ({ ...good, ...odd })), good]);
      const { invalid, access } = STATUS, stale = STATUS["bad-handle"];
      assertEquals(fs.fs_batch(0, at, 8), 8);
      assertEquals(results(memory, at, 8), [2, -invalid, -invalid, -invalid, -stale, -access, -invalid, 2]);
      assertEquals([fs.fs_close(handle), fs.fs_close(other)], [0, 0]);
    }));
}

Deno.test("reads of the files of this machine, hundreds in a batch, give what single reads give", () => {
  const path = Deno.makeTempFileSync();
  Deno.writeFileSync(path, Uint8Array.from({ length: 5000 }, (_, i) => i * i % 256));
  const { memory, layout } = tableOver(nodeFiles, 1),
    table = new FileTable(memory, layout, nodeFiles);
  const file = Number(table.open(0, 0, new TextEncoder().encode(path)));
  memory.grow(0);
  const reads = Array.from({ length: 300 }, (_, i) => ({
    fn: FILE.read,
    handle: file,
    pointer: 40000 + 16 * i,
    count: 16,
    whence: 0,
    offset: i * 997 % 5000,
  }));
  queue(memory, 4096, reads);
  assertEquals(table.batch(0, 4096, 300), 300);
  const all = Deno.readFileSync(path);
  for (const { pointer, offset } of reads) {
    const there = all.slice(offset, offset + 16);
    assertEquals(new Uint8Array(memory.buffer, pointer, there.length).slice(), there);
  }
  table.closeAll();
  Deno.removeSync(path);
});

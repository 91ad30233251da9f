/** The rows of the table of errors that are about files: what was done wrong, and what comes of it. Each test has the row's name. */

import { assert, assertEquals, assertThrows } from "@std/assert";
import { systemFiles } from "../../../src/channels/backends/node.ts";
import { FileTable } from "../../../src/channels/files/file_table.ts";
import { RpcCalls } from "../../../src/channels/files/rpc.ts";
import { kernelFiles } from "../../../src/channels/files/kernel_files.ts";
import { startHost } from "../../../src/channels/host/host.ts";
import { Caller } from "../../../src/channels/protocol/caller.ts";
import { Channels, COUNT } from "../../../src/channels/protocol/channel.ts";
import { STATUS } from "../../../src/channels/protocol/status.ts";
import { RunContext } from "../../../src/runner/context.ts";
import { TilewiseError } from "../../../src/errors.ts";
import { fileOf, type KernelSide, WAYS, withKernelSide } from "../kernel_side.ts";
import { smallDevice, tableOver } from "./back_ends.ts";
import { insideOfHost } from "../../../src/channels/host/inside.ts";

/** A row: what a kernel does, and the statuses it sees, on every way. */
type Row = (side: KernelSide, folder: string) => void;

const ROWS: Readonly<Record<string, Row>> = {
  "channel index out of range": (side, folder) => {
    Deno.writeFileSync(`${folder}/file`, fileOf(1));
    for (const channel of [-1, 2, 1023, 2 ** 31 - 1]) {
      assertEquals(side.open("read_only", `${folder}/file`, channel), -STATUS["bad-channel"]);
      assertEquals(side.named((at, n) => side.fs.fs_remove(channel, at, n), "x"), -STATUS["bad-channel"]);
      assertEquals(side.fs.fs_batch(channel, 0, 0), -STATUS["bad-channel"]);
      assertEquals([side.fs.fs_io_buffer(channel), side.status(channel)], [0, "bad-channel"]);
    }
    assert(Deno.statSync(`${folder}/file`).isFile);
  },
  "read past EOF": (side, folder) => {
    Deno.writeFileSync(`${folder}/file`, fileOf(1, 2, 3));
    const file = side.open("read_only", `${folder}/file`);
    assertEquals([side.read(file, 2), side.fs.fs_eof(0)], [[1, 2], 0]);
    assertEquals([side.read(file, 5), side.status(), side.fs.fs_eof(0)], [[3], "ok", 1]);
    assertEquals([side.read(file, 5), side.status(), side.fs.fs_eof(0)], [[], "ok", 1]);
    assertEquals([side.read(file, 1, 0, 0), side.fs.fs_eof(0)], [[1], 0]);
  },
  "the end that a read met stays known after a write": (side, folder) => {
    Deno.writeFileSync(`${folder}/file`, fileOf(1, 2, 3));
    const file = side.open("read_write", `${folder}/file`);
    assertEquals([side.read(file, 5), side.fs.fs_eof(0)], [[1, 2, 3], 1]);
    assertEquals([side.write(file, [7], 0, 0), side.status(), side.fs.fs_eof(0)], [1, "ok", 1]);
    assertEquals([side.read(file, 1, 0, 0), side.fs.fs_eof(0)], [[7], 0]);
  },
  "file length not a multiple of the element": (side, folder) => {
    Deno.writeFileSync(`${folder}/file`, Uint8Array.of(1, 0, 2, 0, 3));
    const file = side.open("read_only", `${folder}/file`),
      bytes = side.open("read_only", `${folder}/file`, 0, 1);
    assertEquals([side.read(file, 9), side.fs.fs_seek(file, 2, 0), side.fs.fs_size(file)], [[1, 2], 2, 2]);
    assertEquals(side.read(file, 1), []);
    assertEquals([side.readBytes(bytes, 4, 1, 0, 4), side.fs.fs_size(bytes)], [[3], 5]);
  },
  "a file that becomes shorter": (side, folder) => {
    const path = `${folder}/file`, start = Uint8Array.of(1, 0, 2, 0, 3);
    Deno.writeFileSync(path, start);
    const file = side.open("read_write", path), bytes = side.open("read_write", path, 0, 1);
    assertEquals(
      [side.write(file, [], 0, 9), side.read(file, 9, 0, 0)],
      [0, [1, 2]],
      "a write of nothing makes no room",
    );
    assertEquals([side.fs.fs_truncate(bytes, 3), side.read(file, 2, 0, 0), side.read(file, 1)], [0, [1], []]);
    Deno.writeFileSync(path, start);
    assertEquals(side.read(file, 2, 0, 0), [1, 2]);
    Deno.truncateSync(path, 3); // others may do so at any time
    assertEquals([side.fs.fs_read(file, side.scratch.byteOffset, 2, 0, 0), side.fs.fs_seek(file, 2, 0)], [
      1,
      1,
    ]);
    assertEquals(
      [side.write(file, [7]), [...Deno.readFileSync(path)]],
      [1, [1, 0, 7, 0]],
      "not behind half an element",
    );
  },
  "count = 0": (side, folder) => {
    Deno.writeFileSync(`${folder}/file`, fileOf(1, 2, 3));
    const file = side.open("read_write", `${folder}/file`);
    assertEquals([side.read(file, 0, 0, 2), side.status(), side.read(file, 1)], [[], "ok", [3]]);
    assertEquals([side.write(file, [], 0, 9), side.status(), side.fs.fs_size(file)], [0, "ok", 3]);
  },
  "seek before start": (side, folder) => {
    Deno.writeFileSync(`${folder}/file`, fileOf(1, 2, 3));
    const file = side.open("read_write", `${folder}/file`);
    side.read(file, 1);
    for (const [whence, offset] of [[0, -1], [1, -4], [2, -2]] as const) {
      assertEquals([side.read(file, 1, whence, offset), side.status()], [[], "invalid"]);
      assertEquals([side.write(file, [9], whence, offset), side.status()], [0, "invalid"]);
      assertEquals([side.fs.fs_seek(file, whence, offset), side.fs.fs_seek(file, 2, 0)], [
        -STATUS.invalid,
        1,
      ]);
    }
    assertEquals(Deno.readFileSync(`${folder}/file`), fileOf(1, 2, 3));
  },
  "seek past end then read / write": (side, folder) => {
    Deno.writeFileSync(`${folder}/file`, fileOf(1));
    const file = side.open("read_write", `${folder}/file`);
    assertEquals([side.read(file, 1, 0, 3), side.status()], [[], "ok"]);
    assertEquals(side.write(file, [7]), 1);
    assertEquals(Deno.readFileSync(`${folder}/file`), fileOf(1, 0, 0, 7));
  },
  "offset*sizeof overflow": (side, folder) => {
    Deno.writeFileSync(`${folder}/file`, fileOf(1));
    const file = side.open("read_write", `${folder}/file`);
    for (const offset of [2 ** 52, 2 ** 53, 2 ** 63, Infinity, -Infinity, NaN]) {
      assertEquals([side.read(file, 1, 0, offset), side.status()], [[], "invalid"]);
      assertEquals([side.write(file, [9], 0, offset), side.status()], [0, "invalid"]);
      assertEquals(side.fs.fs_truncate(file, offset), -STATUS.invalid);
    }
    assertEquals([side.read(file, 1, 0, 2 ** 52 - 1), side.status()], [[], "ok"]);
    assertEquals(side.write(file, [9], 0, 2 ** 52 - 1), 0, "no file system is so large");
    assert(side.status() !== "ok");
    assertEquals([side.read(file, 9, 0, 0), Deno.statSync(`${folder}/file`).size], [[1], 2]);
  },
  "offsets beyond 2 GiB": (side, folder) => {
    const far = 3 * 2 ** 30, file = side.open("erase_read_write", `${folder}/file`); // 6 GiB of nothing
    assertEquals([side.write(file, [7, 8], 0, far), side.fs.fs_size(file), side.fs.fs_seek(file, 2, 0)], [
      2,
      far + 2,
      far + 2,
    ]);
    assertEquals([side.read(file, 2, 2, -1), side.read(file, 3, 0, far - 1), side.read(file, 9, 1, -2)], [
      [8],
      [0, 7, 8],
      [7, 8],
    ]);
    assertEquals([side.fs.fs_truncate(file, 1), side.fs.fs_size(file), side.read(file, 1, 0, far)], [
      0,
      1,
      [],
    ]);
  },
  "append modes: seek then write": (side, folder) => {
    Deno.writeFileSync(`${folder}/file`, fileOf(1, 2));
    const file = side.open("append_read", `${folder}/file`);
    assertEquals(side.read(file, 1), [1], "the first read starts at 0");
    assertEquals([side.write(file, [7], 0, 0), side.fs.fs_seek(file, 2, 0)], [1, 3]);
    assertEquals(side.read(file, 9, 0, 0), [1, 2, 7]);
  },
  "read after write in + modes without seek": (side, folder) => {
    Deno.writeFileSync(`${folder}/file`, fileOf(1, 2, 3, 4));
    const file = side.open("read_write", `${folder}/file`);
    assertEquals([side.write(file, [9]), side.read(file, 1), side.write(file, [8]), side.read(file, 1)], [
      1,
      [2],
      1,
      [4],
    ]);
    assertEquals(Deno.readFileSync(`${folder}/file`), fileOf(9, 2, 8, 4));
  },
  "open: missing, directory, long name, names that are not UTF-8": (side, folder) => {
    const status = (name: Uint8Array) => {
      assert(side.openBytes("read_only", name) < 0);
      return side.status();
    };
    const text = (name: string) => status(new TextEncoder().encode(name));
    assertEquals([text(`${folder}/missing`), text(folder)], ["not-found", "is-directory"]);
    assertEquals([text("x".repeat(1024)), text("x".repeat(1025)), text("")], [
      "name-too-long",
      "name-too-long",
      "invalid",
    ]);
    for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80], [65, 0, 66]]) {
      assertEquals(status(Uint8Array.from(bytes)), "invalid");
    }
    Deno.writeFileSync(`${folder}/\ufeffx`, fileOf(5));
    assertEquals(side.read(side.open("read_only", `${folder}/\ufeffx`), 1), [5]);
  },
  "open same file twice": (side, folder) => {
    Deno.writeFileSync(`${folder}/file`, fileOf(1, 2));
    const a = side.open("read_write", `${folder}/file`), b = side.open("read_write", `${folder}/file`);
    assertEquals([side.read(a, 1), side.read(b, 1), side.write(a, [9]), side.read(b, 1)], [[1], [1], 1, [9]]);
    assertEquals([side.fs.fs_close(a), side.read(b, 1, 0, 0)], [0, [1]]);
  },
  "disk full": (side) => {
    const file = side.open("read_write", "/dev/full");
    assertEquals([side.write(file, [1, 2]), side.status()], [0, "no-space"]);
  },
  "use after close": (side, folder) => {
    Deno.writeFileSync(`${folder}/file`, fileOf(1));
    const file = side.open("read_write", `${folder}/file`), { fs } = side;
    assertEquals(fs.fs_close(file), 0);
    const other = side.open("read_write", `${folder}/file`);
    const stale = -STATUS["bad-handle"];
    assertEquals([fs.fs_close(file), fs.fs_size(file), fs.fs_seek(file, 0, 0), fs.fs_flush(file)], [
      stale,
      stale,
      stale,
      stale,
    ]);
    assertEquals([fs.fs_truncate(file, 0), side.read(file, 1), side.status()], [stale, [], "bad-handle"]);
    assertEquals([side.write(file, [1]), side.status(), fs.fs_close(other)], [0, "bad-handle", 0]);
  },
  "pointers outside of the memory, kernels that lie about lengths": (side, folder) => {
    Deno.writeFileSync(`${folder}/file`, fileOf(1, 2, 3));
    const file = side.open("read_write", `${folder}/file`), { fs } = side;
    const end = side.arena.memory.buffer.byteLength,
      before = new Uint8Array(side.arena.memory.buffer).slice();
    for (const [at, n] of [[end, 1], [end - 1, 1], [-1, 1], [-4, 2], [0, -1], [1024, -(2 ** 31)]] as const) {
      assertEquals([fs.fs_read(file, at, n, 0, 0), fs.fs_write(file, at, n, 0, 0)], [0, 0]);
      assert(fs.fs_open(0, 0, at, n, 0) < 0 && fs.fs_open_text(0, 0, at, n, 0) < 0);
      assert(fs.fs_mkdir(0, at, n) < 0 && fs.fs_remove(0, at, n) < 0);
      assert(fs.fs_batch(0, at, n) < 0 && fs.fs_submit(0, at, n) < 0);
    }
    for (const [at, n] of [[60, 5], [-1, 1], [0, -1], [2 ** 31 - 1, 1]] as const) {
      const results = [fs.fs_read_buffer(file, at, n, 0, 0), fs.fs_write_buffer(file, at, n, 0, 0)];
      if (side.way !== "chunk" || at < 0 || n < 0) assertEquals(results, [0, 0]);
    }
    assertEquals(side.named((at, n) => fs.fs_stat(0, at, n, end - 8), `${folder}/file`), -STATUS.invalid);
    assertEquals(side.named((at, n) => fs.fs_list(0, at, n, end - 8, 9), folder), -STATUS.invalid);
    assertEquals(Deno.readFileSync(`${folder}/file`), fileOf(1, 2, 3));
    side.checkGuards();
    assertEquals(new Uint8Array(side.arena.memory.buffer).length, before.length);
  },
  "names: remove, mkdir, stat and list of what is not so": (side, folder) => {
    const { fs } = side,
      act = (fn: "fs_remove" | "fs_mkdir", name: string) => side.named((at, n) => fs[fn](0, at, n), name);
    assertEquals([act("fs_mkdir", `${folder}/a`), act("fs_mkdir", `${folder}/a`)], [0, -STATUS.exists]);
    assertEquals(act("fs_mkdir", `${folder}/no/b`), -STATUS["not-found"]);
    Deno.writeFileSync(`${folder}/a/file`, fileOf(1));
    assertEquals([act("fs_remove", `${folder}/a`), act("fs_remove", `${folder}/b`)], [
      -STATUS["not-empty"],
      -STATUS["not-found"],
    ]);
    assertEquals(
      side.named((at, n) => fs.fs_stat(0, at, n, side.scratch.byteOffset + 16 & ~7), `${folder}/b`),
      -STATUS["not-found"],
    );
    assertEquals(side.named((at, n) => fs.fs_list(0, at, n, 1024, 0), `${folder}/a`), 5);
    assert(side.named((at, n) => fs.fs_list(0, at, n, 1024, 0), `${folder}/a/file`) < 0);
    assertEquals([act("fs_remove", `${folder}/a/file`), act("fs_remove", `${folder}/a`)], [0, 0]);
  },
};

for (const way of WAYS) {
  Deno.test(`${way}: the table of errors`, (t) =>
    withKernelSide(way, async (side, folder) => {
      for (const [name, row] of Object.entries(ROWS)) {
        await t.step(name, () => {
          Deno.removeSync(folder, { recursive: true });
          Deno.mkdirSync(folder);
          row(side, folder);
        });
      }
    }));
}

const OPTIONS = { channels: 2, bufferLength: 4, elementSize: 2 };
const bytes = (text: string) => new TextEncoder().encode(text);

/** Runs `body` with a host that serves one folder, and a file of the numbers 1 … 20 in it. */
async function withHost(
  body: (
    memory: WebAssembly.Memory,
    host: Awaited<ReturnType<typeof startHost>>,
    path: string,
    at: number,
  ) => void | Promise<void>,
): Promise<void> {
  await using context = new RunContext({ memory: 1 << 16 });
  const folder = await Deno.makeTempDir(), path = `${folder}/file`;
  Deno.writeFileSync(path, fileOf(...Array.from({ length: 20 }, (_, i) => i + 1)));
  try {
    await using host = await startHost(context, { ...OPTIONS, roots: [folder] });
    using room = context.arena.lease(1024, "room");
    await body(context.arena.memory, host, path, room.offset);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("count > buffer_len: too-big and nothing is moved, or pieces with one result; no limit where the kernel does the I/O", () =>
  withHost((memory, host, path, at) => {
    const { layout } = insideOfHost(host)!;
    const numbers = new Uint16Array(memory.buffer, at, 32);
    const big = (calls: RpcCalls | FileTable) => {
      numbers.fill(0xeeee);
      const file = Number(calls.open(0, 3, bytes(path)));
      const results = [
        calls.read(file, at, 5, 0, 2),
        [...numbers.subarray(0, 6)],
        calls.read(file, at, 25, 2, 0),
      ];
      const cursor = calls.seek(file, 2, 0);
      calls.close(file);
      return [...results, cursor];
    };
    const [failed, e] = [-STATUS["too-big"], 0xeeee];
    assertEquals(big(new RpcCalls(memory, layout)), [failed, [e, e, e, e, e, e], failed, 0]);
    const whole = [5, [3, 4, 5, 6, 7, e], 13, 20];
    assertEquals(big(new RpcCalls(memory, layout, "wait", "chunk")), whole);
    assertEquals(big(new FileTable(memory, layout, systemFiles())), whole);
  }));

Deno.test("write on read_only, read on write-only: decided before any host call", () =>
  withHost((memory, host, path, at) => {
    const { layout } = insideOfHost(host)!;
    const calls = new RpcCalls(memory, layout), channels = new Channels(memory, layout);
    const reader = calls.open(0, 0, bytes(path)), writer = calls.open(0, 2, bytes(path));
    const before = channels.count(0, COUNT.calls);
    assertEquals([calls.write(reader, at, 1, 0, 0), calls.read(writer, at, 1, 0, 0)], [
      -STATUS.access,
      -STATUS.access,
    ]);
    assertEquals(channels.count(0, COUNT.calls), before);
    const others = new RpcCalls(memory, layout); // which did not open them: the host decides
    assertEquals([others.write(reader, at, 1, 0, 0), others.read(writer, at, 1, 0, 0)], [
      -STATUS.access,
      -STATUS.access,
    ]);
  }));

Deno.test("close while channel busy: it waits, under both policies", () =>
  withHost(async (memory, host, path) => {
    const { layout } = insideOfHost(host)!;
    const calls = new RpcCalls(memory, layout, "fail");
    const file = calls.open(0, 0, bytes(path));
    const holder = new Caller(memory, layout, "wait", 77); // as another thread would
    assertEquals(holder.acquire(0), 0);
    assertEquals(calls.size(file), -STATUS.busy);
    const worker = new Worker(new URL("./closing_worker.ts", import.meta.url), { type: "module" });
    const said = (): Promise<unknown> =>
      new Promise((resolve) => worker.onmessage = ({ data }) => resolve(data));
    const began = said();
    worker.postMessage({ memory, layout, file });
    assertEquals(await began, "closing");
    const ended = said();
    await new Promise((resolve) => setTimeout(resolve, 20));
    assertEquals(holder.release(0), 0);
    assertEquals(await ended, 0);
    worker.terminate();
    assertEquals(calls.size(file), -STATUS["bad-handle"]);
  }));

Deno.test("host object destroyed while kernels run: every call fails with closed", async () => {
  await using context = new RunContext({ memory: 1 << 16 });
  const host = await startHost(context, OPTIONS);
  const calls = new RpcCalls(context.arena.memory, insideOfHost(host)!.layout);
  const files = kernelFiles(context.arena.memory, insideOfHost(host)!.layout, calls, 0);
  await host.close();
  const closed = -STATUS.closed;
  assertEquals([calls.open(0, 0, bytes("x")), calls.batch(0, 0, 0), calls.submit(0, 0, 0)], [
    closed,
    closed,
    closed,
  ]);
  assertEquals(assertThrows(() => files.open("x", "read_only"), TilewiseError).code, "aborted");
});

Deno.test("open: permission, however the runtime and the system say it", () => {
  const refusals = [{ code: "EACCES" }, { code: "EPERM" }, { code: "EROFS" }, { name: "NotCapable" }];
  for (const refusal of refusals) {
    const open = () => {
      throw Object.assign(new Error("no"), refusal);
    };
    assertEquals(tableOver({ ...smallDevice(1), open }).open(0, 0, bytes("file")), -STATUS.permission);
  }
});

Deno.test("I/O error: the count that was written, and why it was not more", () => {
  const device = smallDevice(20, 3), table = tableOver(device, 2);
  const file = Number(table.open(0, 3, bytes("file")));
  new Uint16Array(table.memory.buffer, 4096, 16).fill(0x4142);
  assertEquals(
    [table.write(file, 4096, 8, 0, 0), table.trouble(file)],
    [8, 0],
    "in pieces, which nobody sees",
  );
  assertEquals([table.write(file, 4096, 8, 0, 7), table.trouble(file)], [3, -STATUS["no-space"]]);
  assertEquals([table.seek(file, 2, 0), device.content.length], [10, 20]);
  assertEquals([table.write(file, 4096, 1, 2, 0), table.trouble(file)], [
    -STATUS["no-space"],
    -STATUS["no-space"],
  ]);
  assertEquals([table.seek(file, 2, 0), table.write(file, 4096, 1, 0, 0), table.trouble(file)], [10, 1, 0]);
});

Deno.test("a back end that says it has moved more than it was asked for is not believed", () => {
  for (const lie of [9, -1, NaN]) {
    const table = tableOver({ ...smallDevice(99), size: () => 64, read: () => lie, write: () => lie }, 1);
    const file = Number(table.open(0, 3, bytes("file")));
    assertEquals([table.read(file, 0, 8, 0, 0), table.write(file, 0, 8, 0, 0)], [-STATUS.io, -STATUS.io]);
    assertEquals(table.seek(file, 2, 0), 0);
  }
});

/** Arguments that no honest kernel writes into a channel. */
const ODD = [
  0,
  1,
  -1,
  0.5,
  2,
  3,
  8,
  1024,
  2 ** 31,
  2 ** 32 - 1,
  -(2 ** 31),
  2 ** 53,
  -(2 ** 53),
  1e300,
  NaN,
  Infinity,
  -Infinity,
];

Deno.test("kernels that lie: whatever stands in a channel, the call fails or is done, and the host goes on", () =>
  withHost((memory, host, path) => {
    const { layout } = insideOfHost(host)!;
    const caller = new Caller(memory, layout), calls = new RpcCalls(memory, layout);
    const channels = new Channels(memory, layout), content = Deno.readFileSync(path);
    const file = calls.open(0, 0, bytes(path)), own = layout.offset;
    const before = new Uint8Array(memory.buffer, 0, own).slice();
    let seed = 1;
    const odd = () => ODD[(seed = seed * 48271 % 2147483647) % ODD.length]!;
    for (let i = 0; i < 3000; i++) {
      const fn = i % 20, handle = i % 3 === 0 ? file : odd();
      // 4 GiB and more are nowhere, so what is read can only go to odd places or nowhere
      const pointer = i % 2 === 0 ? odd() * 2 ** 40 : memory.buffer.byteLength - 1;
      const args = fn >= 11 && fn <= 14 || fn === 15 || fn === 2 || fn === 3
        ? [fn === 15 || fn > 10 ? pointer : handle, fn > 10 ? 2 ** 20 : pointer, odd(), odd(), odd()]
        : [fn === 4 ? odd() : handle, odd(), odd(), odd(), odd()];
      if (fn === 1) channels.words[channels.state(0) + 3] = odd(); // the length of a name that is not there
      const result = caller.invoke(0, fn, args);
      assertEquals(typeof result, "number");
    }
    assertEquals(new Uint8Array(memory.buffer, 0, own).slice(), before);
    assertEquals([calls.size(file), calls.close(file)], [20, 0], "the host still serves");
    assertEquals(Deno.readFileSync(path), content);
  }));

/** Files of kernels in TypeScript: typed by their mode, views in and outside of the memory, errors with their reasons. */

import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { TilewiseError } from "../../../src/errors.ts";
import { directCalls, FileTable } from "../../../src/channels/files/file_table.ts";
import { Group, GROUP_BYTES, resetGroup } from "../../../src/channels/files/group.ts";
import type {
  KernelFile,
  ReadableKernelFile,
  WritableKernelFile,
} from "../../../src/channels/files/kernel_file.ts";
import { type KernelFiles, kernelFiles } from "../../../src/channels/files/kernel_files.ts";
import { startHost } from "../../../src/channels/host/host.ts";
import { fileCalls } from "../../../src/channels/host/route.ts";
import { newGate } from "../../../src/channels/protocol/channel.ts";
import type { Arena, Lease } from "../../../src/memory/arena.ts";
import { RunContext } from "../../../src/runner/context.ts";
import { fileOf, ROUTES } from "../kernel_side.ts";
import { smallDevice } from "./back_ends.ts";
import { insideOfHost } from "../../../src/channels/host/inside.ts";
import { cases } from "../../suite/cases.ts";

const numbers = ({ memory }: Arena, { offset, byteLength }: Lease) =>
  new Uint16Array(memory.buffer, offset, byteLength / 2);

type Is<A, B> = [A] extends [B] ? [B] extends [A] ? true : false : false;
const types: readonly [
  Is<KernelFile<"read_only">, ReadableKernelFile>,
  Is<KernelFile<"append_only">, WritableKernelFile>,
  Is<KernelFile<"append_read">, ReadableKernelFile & WritableKernelFile>,
] = [true, true, true];

function refusal(act: () => unknown): TilewiseError {
  return assertThrows(act, TilewiseError);
}

async function withFiles(
  route: "rpc" | "direct",
  body: (files: KernelFiles, folder: string, arena: Arena) => void,
): Promise<void> {
  await using context = new RunContext({ memory: 1 << 18 });
  const folder = await Deno.makeTempDir();
  const { arena } = context;
  try {
    await using host = await startHost(context, { channels: 2, bufferLength: 256, elementSize: 2 });
    const calls = fileCalls(route, arena.memory, insideOfHost(host)!.layout);
    using block = arena.lease(GROUP_BYTES, "group");
    const at = { offset: block.offset, members: 1 };
    resetGroup(arena.memory, at);
    body(
      kernelFiles(arena.memory, insideOfHost(host)!.layout, calls, 1, new Group(arena.memory, at, 0)),
      folder,
      arena,
    );
    calls.closeAll();
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

for (const route of ROUTES) {
  Deno.test(`${route}: a kernel in TypeScript reads, writes, asks and removes`, () =>
    withFiles(route, (files, folder, arena) => {
      assert(types.every(Boolean));
      files.mkdir(`${folder}/a`);
      using file = files.open(`${folder}/a/é`, "erase_read_write");
      using lease = arena.lease(16, "view");
      const inside = numbers(arena, lease);
      inside.set([1, 2, 3, 4, 5, 6, 7, 8]);
      file.write(inside);
      const outside = new Uint16Array(5);
      assertEquals([file.read(outside, { offset: 6 }), [...outside], file.atEnd], [2, [7, 8, 0, 0, 0], true]);
      assertEquals([file.read(outside, { from: "end", offset: -6 }), [...outside], file.atEnd], [5, [
        3,
        4,
        5,
        6,
        7,
      ], false]);
      assertEquals([file.tell, file.size, file.seek({ from: "current", offset: -3 })], [7, 8, 4]);
      assertEquals([file.readBuffer(3, 2), file.tell], [2, 6]);
      file.writeBuffer(3, 2, { offset: 0 });
      file.truncate(3);
      file.flush();
      assertEquals(Deno.readFileSync(`${folder}/a/é`), fileOf(5, 6, 3));
      assertEquals([files.stat(`${folder}/a/é`).bytes, files.stat(folder).kind, files.list(`${folder}/a`)], [
        6,
        "directory",
        ["é"],
      ]);
      assert(Math.abs(files.stat(`${folder}/a/é`).modified! - Date.now()) < 60_000);
      using bytes = files.open(`${folder}/a/é`, "read_only", { elementSize: 1 });
      assertEquals([bytes.size, bytes.elementSize, file.elementSize], [6, 1, 2]);
      file.close();
      files.remove(`${folder}/a/é`);
      files.remove(`${folder}/a`);
      assertEquals(files.list(folder), []);
    }));

  Deno.test(`${route}: views outside of the memory come in pieces, with the result of one transfer`, () =>
    withFiles(route, (files, folder) => {
      const runs = fc.property(
        fc.nat(900),
        fc.nat(900),
        fc.nat(900),
        fc.boolean(),
        (length, count, offset, half) => {
          const content = Uint8Array.from({ length: length * 2 + (half ? 1 : 0) }, (_, i) => i * 7 % 256);
          Deno.writeFileSync(`${folder}/file`, content);
          using file = files.open(`${folder}/file`, "read_write");
          const view = new Uint16Array(count).fill(0xeeee), got = file.read(view, { offset });
          const there = Math.max(0, Math.min(count, length - offset));
          assertEquals([got, file.atEnd, file.tell], [there, there < count, offset + there]);
          const expected = new Uint16Array(count).fill(0xeeee);
          new Uint8Array(expected.buffer).set(content.subarray(2 * offset, 2 * (offset + there)));
          assertEquals(view, expected);
          file.write(view, { offset });
          const bytes = new Uint8Array(view.buffer), after = Deno.readFileSync(`${folder}/file`);
          assertEquals(after.subarray(2 * offset, 2 * (offset + count)), bytes);
          assertEquals(
            after.length,
            count === 0 ? content.length : Math.max(content.length, 2 * (offset + count)),
          );
        },
      );
      fc.assert(runs, { numRuns: cases(20, 40), seed: 3 });
    }));

  Deno.test(`${route}: many reads at once are got in any order`, () =>
    withFiles(route, (files, folder, arena) => {
      Deno.writeFileSync(`${folder}/file`, fileOf(...Array.from({ length: 100 }, (_, i) => i)));
      using file = files.open(`${folder}/file`, "read_only");
      using lease = arena.lease(64, "view");
      const view = numbers(arena, lease);
      const requests = [90, 5, 98, 200].map((offset, i) => ({
        view: view.subarray(4 * i, 4 * i + 4),
        offset,
      }));
      using batch = file.readMany(requests);
      assertEquals([batch.length, batch.get(2), batch.get(0)], [4, 2, 4]);
      assertEquals(batch.finish(), [4, 4, 2, 0]);
      assertEquals([...view.subarray(0, 10)], [90, 91, 92, 93, 5, 6, 7, 8, 98, 99]);
      assertEquals(file.size, 100, "the channel is free");
      assertEquals(refusal(() => batch.get(4)).code, "invalid");
      assertEquals(refusal(() => file.readMany(Array(11).fill(requests[0]))).details.expected, 10);
      assertEquals(refusal(() => file.readMany([{ view: new Uint16Array(1), offset: 0 }])).code, "invalid");
    }));

  Deno.test(`${route}: what cannot be is refused with its reason`, () =>
    withFiles(route, (files, folder, arena) => {
      const path = `${folder}/file`;
      Deno.writeFileSync(path, fileOf(1, 2));
      const codes: [() => unknown, string, RegExp][] = [
        [
          () => files.open(`${folder}/no`, "read_only"),
          "not-found",
          /Cannot open .*no: there is no such file/,
        ],
        [() => files.open(folder, "read_only"), "not-a-file", /directory/],
        [() => files.open("", "read_only"), "invalid", /range/],
        [() => files.open("\ud800", "read_only"), "invalid", /range/],
        [() => files.open("x".repeat(2000), "read_only"), "invalid", /too long/],
        [
          () => files.open(path, "none" as "read_only"),
          "invalid",
          /there is no mode "none"; there are read_only/,
        ],
        [() => files.open(path, "read_only", { elementSize: -1 }), "invalid", /elementSize/],
        [
          () => files.open(path, "read_only", { elementsize: 1 } as object),
          "invalid",
          /did you mean "elementSize"/,
        ],
        [() => files.mkdir(path), "invalid", /the name is taken/],
        [() => files.stat(`${folder}/no`), "not-found", /no such file/],
        [() => files.remove(folder), "invalid", /names in it/],
      ];
      for (const [act, code, message] of codes) {
        const error = refusal(act);
        assertEquals([error.code, message.test(error.message)], [code, true], error.message);
      }
      const reader = files.open(path, "read_only");
      const both = reader as ReadableKernelFile & WritableKernelFile;
      assertEquals(refusal(() => both.write(new Uint16Array(1))).details.status, "access");
      assertEquals(refusal(() => reader.read(new Uint16Array(1), { offset: -1 })).code, "invalid");
      assertEquals(refusal(() => reader.read(new Uint8Array(3))).code, "invalid");
      const misspelt = { offest: 1 } as object;
      assertEquals(refusal(() => reader.read(new Uint16Array(1), misspelt)).details.expected, "offset");
      assertEquals(
        refusal(() => reader.read(new Uint16Array(1), { from: "start" as "begin" })).code,
        "invalid",
      );
      assertEquals(refusal(() => reader.readBuffer(255, 2)).details.status, "too-big");
      reader.close();
      assertEquals(refusal(() => reader.close()).details.status, "bad-handle");
      assertEquals(refusal(() => reader.size).details.status, "bad-handle");
      const ours = files.open(path, "read_only", { together: true });
      assertEquals(refusal(() => ours.read(new Uint16Array(1))).code, "invalid");
      using lease = arena.lease(8, "view");
      assertEquals([ours.read(numbers(arena, lease)), ours.atEnd], [2, true]);
      for (let i = 0; i < 60; i++) Deno.writeFileSync(`${folder}/a long name ${i}`, fileOf());
      assertEquals(refusal(() => files.list(folder)).details.status, "too-big");
    }));
}

Deno.test("a write that the device cuts short says how much was written", () => {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
  const layout = { channels: 1, bufferLength: 8, elementSize: 1, offset: 1024, gate: newGate() };
  const calls = directCalls(new FileTable(memory, layout, smallDevice(20)));
  const file = kernelFiles(memory, layout, calls, 0).open("file", "read_write");
  const error = refusal(() => file.write(new Uint8Array(30)));
  assertEquals([error.code, error.details.written, error.details.status], ["io", 20, "no-space"]);
  assertEquals(refusal(() => kernelFiles(memory, layout, calls, 1)).details.option, "channel");
});

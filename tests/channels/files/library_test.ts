/** The library that kernels import: it compiles, it refuses what a mode forbids, its rows are those of TypeScript. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { FILE_IMPORTS } from "../../../src/channels/files/import_table.ts";
import { channelLibrary } from "../../../src/channels/files/library_text.ts";
import { STATUS } from "../../../src/channels/protocol/status.ts";
import { fileOf, ROUTES, withKernelSide } from "../kernel_side.ts";
import { bound, compiled } from "./compiled.ts";

const EVERYTHING = `
import * as c from "tilewise/channels";
export function facts(channel: i32, name: usize, length: i32, at: usize): i32 {
  const facts = changetype<c.FileFacts>(at);
  const status = c.stat(channel, name, length, facts);
  return status < 0 ? status : <i32>facts.bytes * 10 + facts.kind;
}
export function names(channel: i32, name: usize, length: i32, to: usize): i32 { return <i32>c.list(channel, name, length, to, 64); }
export function folder(channel: i32, name: usize, length: i32): i32 {
  const made = c.mkdir(channel, name, length);
  return made < 0 ? made : c.remove(channel, name, length);
}
/** Sums the elements by streaming; the buffer of the channel is read ahead. */
export function sum(channel: i32, name: usize, length: i32, at: usize): i32 {
  const file = c.openRead<u16>(channel, name, length);
  if (!file.ok) return file.handle;
  const stream = changetype<c.Stream<u16>>(at);
  let total = 0, got = 0;
  const begun = stream.start(channel, file);
  if (begun < 0) return begun;
  while ((got = stream.next()) > 0) for (let i = 0; i < got; i++) total += load<u16>(stream.data + 2 * i);
  stream.stop();
  return file.close() < 0 ? -2 : got < 0 ? got : total;
}
/** Gets the numbers at the positions 3, 1, 2 of a file by one batch, and takes them in another order. */
export function picked(channel: i32, name: usize, length: i32, at: usize, to: usize): i32 {
  const file = c.openRead<u16>(channel, name, length);
  for (let i = 0; i < 3; i++) c.transfer(at, i).read(file.handle, to + 2 * i, 1, c.Whence.BEGIN, [3, 1, 2][i]);
  if (c.submit(channel, at, 3) < 0) return -1;
  for (let i = 2; i >= 0; i--) if (c.transfer(at, i).wait(5000) != 1 || c.transfer(at, i).result != 1) return -2;
  if (c.finish(channel) != 3) return -3;
  file.close();
  return load<u16>(to) * 10000 + load<u16>(to + 2) * 100 + load<u16>(to + 4);
}
/** The functions over handles, in elements of the host (2 bytes). */
function plain(channel: i32, name: usize, length: i32, at: usize): i32 {
  const file = c.open(channel, c.Mode.READ_WRITE, name, length);
  if (c.size(file) != 3 || c.read(file, at, 2) != 2 || c.tell(file) != 2 || c.seek(file, 1) != 1) return 1;
  if (c.write(file, at, 1, c.Whence.BEGIN, 5) != 1 || c.size(file) != 6 || c.truncate(file, 3) != 0 || c.flush(file) != 0) return 2;
  if (c.readBuffer(file, 0, 1, c.Whence.END, -1) != 1 || c.writeBuffer(file, 0, 1, c.Whence.BEGIN, 2) != 1) return 3;
  return c.close(file);
}
/** The calls of one file, by all its names. */
export function all(channel: i32, name: usize, length: i32, at: usize): i32 {
  const file = c.openFile<u8>(channel, c.Mode.ERASE_READ_WRITE, name, length);
  for (let i = 0; i < 8; i++) store<u8>(at + i, 10 + i);
  if (file.write(at, 4) != 4 || file.writeView(at, 8, 4, 100) != 4 || file.writeView(at, 8, 8, 1) != 0) return -1;
  if (file.size != 8 || file.tell != 8 || file.flush() != 0 || file.truncate(6) != 0 || file.size != 6) return -2;
  if (file.seek(2) != 2 || file.readView(at, 3, 1, 9) != 2 || load<u8>(at + 1) != 12 || load<u8>(at + 3) != 13) return -3;
  if (file.read(at, 9) != 2 || !c.atEnd(channel) || c.lastError(channel) != c.Status.OK) return -4;
  if (file.readBuffer(1, 2, c.Whence.BEGIN, 4) != 2 || load<u8>(c.ioBuffer(channel) + 2) != 15) return -5;
  if (file.writeBuffer(1, 1, c.Whence.END) != 1 || file.size != 7 || file.close() != 0) return -6;
  if (file.close() != -<i32>c.Status.BAD_HANDLE || file.read(at, 1) != 0) return -7;
  if (c.openFileText(channel, c.Mode.READ_ONLY, "no such file \\u00e9").handle != -<i32>c.Status.NOT_FOUND) return -8;
  return plain(channel, name, length, at) != 0 ? -9 : c.maxCount<u8>() * 100 + c.channelCount() * 10 + c.localId() + c.groupSize() + <i32>c.share(3) + c.barrier();
}`;

/** The buffer of the host has six bytes. */
const WIDE_STREAM = `
import { openRead, Stream } from "tilewise/channels";
export function begin(channel: i32, name: usize, length: i32, at: usize): i32 {
  return changetype<Stream<i32>>(at).start(channel, openRead<i32>(channel, name, length));
}`;

for (const route of ROUTES) {
  Deno.test(`${route}: a kernel with the library reads, writes, lists, streams and picks`, () =>
    withKernelSide(route, async (side, folder) => {
      const { memory } = side.arena;
      const kernel = await bound(EVERYTHING, memory, side.fs);
      const call = (fn: string, name: string, ...more: number[]) => {
        const bytes = new TextEncoder().encode(name);
        using lease = side.arena.lease(bytes.length, "name");
        lease.bytes().set(bytes);
        return kernel[fn]!(0, lease.offset, bytes.length, ...more);
      };
      using at = side.arena.lease(1024, "room");
      const numbers = Array.from({ length: 1000 }, (_, i) => i % 97);
      Deno.writeFileSync(`${folder}/numbers`, fileOf(...numbers));
      assertEquals(call("facts", `${folder}/numbers`, at.offset), 20001);
      assertEquals(call("facts", folder, at.offset), 2);
      assertEquals(call("names", folder, at.offset), 8);
      assertEquals(new TextDecoder().decode(at.bytes().slice(0, 8)), "numbers\0");
      assertEquals(call("folder", `${folder}/made`), 0);
      assertEquals(call("folder", folder), -STATUS.exists);
      assertEquals(call("sum", `${folder}/numbers`, at.offset), numbers.reduce((a, b) => a + b));
      assertEquals(call("picked", `${folder}/numbers`, at.offset, at.offset + 512), 30102);
      assertEquals(call("all", `${folder}/file`, at.offset), 128 * 100 + 2 * 10 + 0 + 1 + 3 + 0);
      assertEquals([...Deno.readFileSync(`${folder}/file`)], [10, 11, 12, 13, 14, 15]);
    }));
}

Deno.test("a stream is refused where the buffer has no room for two parts", () =>
  withKernelSide("chunk", async (side, folder) => {
    const kernel = await bound(WIDE_STREAM, side.arena.memory, side.fs);
    Deno.writeFileSync(`${folder}/file`, fileOf(1));
    using at = side.arena.lease(64, "stream");
    const result = side.named(
      (name, length) => kernel["begin"]!(0, name, length, at.offset),
      `${folder}/file`,
    );
    assertEquals(result, -STATUS["too-big"]);
  }));

Deno.test("what a mode forbids does not compile", async () => {
  const misuse = (line: string) =>
    compiled(
      `import { openRead, openWrite } from "tilewise/channels";\nexport function k(): i32 { return ${line}; }`,
    );
  for (const line of ["openRead(0, 0, 1).write(0, 1)", "openWrite(0, 0, 1).read(0, 1)"]) {
    const { wasm, errors } = await misuse(line);
    assertEquals(wasm, undefined);
    assertMatch(errors, /Property '(read|write)' does not exist on type/);
  }
  assert((await misuse("openRead(0, 0, 1).read(0, 1)")).wasm);
});

Deno.test("the functions in TypeScript are those of the table, with as many parameters", () =>
  withKernelSide("direct", (side) => {
    assertEquals(Object.keys(side.fs).sort(), Object.keys(FILE_IMPORTS).sort());
    const declared = channelLibrary().text.matchAll(/declare function (\w+)\((.*?)\): (\w+);/g);
    for (const [, name = "", parameters = "", result] of declared) {
      const row = FILE_IMPORTS[name as keyof typeof FILE_IMPORTS];
      assertEquals([parameters, result], [...row]);
      const given = Object.entries(side.fs).find(([key]) => key === name)![1];
      const optional = /elementSize/.test(parameters) ? 1 : 0;
      const most = parameters === "" ? 0 : parameters.split(", ").length - optional;
      assert(given.length <= most, `${name} takes ${given.length}`);
    }
  }));

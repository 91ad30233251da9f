/**
 * Rewrites WebAssembly so that every load and store, of vectors and of blocks too, asks first whether it may: it looks
 * at the map of a memory with fences (`tests/fences/fences.ts`). In memories without fences nothing changes.
 *
 * ```
 * load offset     address → address, offset, bytes → call look → address → load offset
 * store offset    address, value → keep value → … → call look → address, value → store offset
 * ```
 *
 * `look` gives the address back, or calls the import `env.outside(address, bytes, writes)`, which throws. One function
 * for each number of bytes that instructions touch, and one for any number (`memory.copy`, `memory.fill`).
 *
 * @module
 */

import { unsigned } from "../../src/expr/assembly/assembler.ts";
import { ByteReader } from "./byte_reader.ts";
import { type Module, moved, rewriteBody } from "./instrument_body.ts";
import { looks, SIZES } from "./looks.ts";
import { VALUE } from "./opcodes.ts";

const SECTION = { custom: 0, type: 1, import: 2, function: 3, export: 7, start: 8, element: 9, code: 10 };
const FUNCTION = 0x60;
const I32_CONST = 0x41, END = 0x0b;

/** The module with a look before every access. Its exports and imports stay, `env.outside` comes after the others. */
export function instrument(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const sections = sectionsOf(bytes);
  const module: Module = { types: [], imported: 0, functions: [], names: new Map() };
  const parts: Bytes[] = [bytes.subarray(0, 8)];
  for (const { id, contents } of sections) {
    const rewrite = REWRITES[id] ?? ((reader: ByteReader): Bytes => reader.rest());
    if (id === SECTION.custom) continue; // names and debug information are of other numbers
    appendSection(parts, id, rewrite(new ByteReader(contents), module));
  }
  appendSection(parts, SECTION.custom, nameSection(module));
  return joined(parts);
}

type Bytes = Uint8Array | readonly number[];

type Rewrite = (reader: ByteReader, module: Module) => Bytes;

const REWRITES: Readonly<Record<number, Rewrite>> = {
  [SECTION.type]: rewriteTypes,
  [SECTION.import]: rewriteImports,
  [SECTION.function]: rewriteFunctions,
  [SECTION.export]: rewriteExports,
  [SECTION.start]: rewriteStart,
  [SECTION.element]: rewriteElements,
  [SECTION.code]: rewriteCode,
};

function sectionsOf(bytes: Uint8Array<ArrayBuffer>): { id: number; contents: Uint8Array }[] {
  const reader = new ByteReader(bytes, 8);
  const sections: { id: number; contents: Uint8Array }[] = [];
  while (!reader.ended) {
    const id = reader.byte();
    sections.push({ id, contents: reader.take(reader.unsigned()) });
  }
  return sections;
}

function appendSection(parts: Bytes[], id: number, contents: Bytes): void {
  const head = [id];
  unsigned(head, contents.length);
  parts.push(head, contents);
}

/** Copies of whole parts: modules have half a million bytes, and every file of tests rewrites one or two. */
function joined(parts: readonly Bytes[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** Two types more: of `look`, and of `env.outside`. */
function rewriteTypes(reader: ByteReader, module: Module): number[] {
  const count = reader.unsigned();
  const from = reader.at;
  for (let i = 0; i < count; i++) {
    if (reader.byte() !== FUNCTION) throw new Error("only functions have types here");
    const params = reader.take(reader.unsigned());
    module.types.push(params.length);
    reader.take(reader.unsigned());
  }
  const { i32 } = VALUE;
  const out: number[] = [];
  unsigned(out, count + 2);
  return [
    ...out,
    ...reader.slice(from, reader.at),
    ...[FUNCTION, 4, i32, i32, i32, i32, 1, i32],
    ...[FUNCTION, 3, i32, i32, i32, 0],
  ];
}

function rewriteImports(reader: ByteReader, module: Module): number[] {
  const count = reader.unsigned();
  const from = reader.at;
  for (let i = 0; i < count; i++) {
    reader.take(reader.unsigned());
    reader.take(reader.unsigned());
    skipImport(reader, module);
  }
  const text = (word: string) => [word.length, ...new TextEncoder().encode(word)];
  const out: number[] = [];
  unsigned(out, count + 1);
  reader.copy(from, out);
  out.push(...text("env"), ...text("outside"), 0);
  unsigned(out, module.types.length + 1);
  return out;
}

function skipImport(reader: ByteReader, module: Module): void {
  const kind = reader.byte();
  if (kind === 0) {
    module.imported++;
    reader.unsigned();
  } else if (kind === 2) {
    const limits = reader.byte();
    reader.unsigned();
    if (limits & 1) reader.unsigned();
  } else throw new Error("only functions and memories are imported here");
}

/** The functions of its own, then one `look` for each size. */
function rewriteFunctions(reader: ByteReader, module: Module): number[] {
  module.functions = Array.from({ length: reader.unsigned() }, () => reader.unsigned());
  const out: number[] = [];
  unsigned(out, module.functions.length + SIZES.length);
  for (const type of module.functions) unsigned(out, type);
  for (const _ of SIZES) unsigned(out, module.types.length);
  return out;
}

function rewriteExports(reader: ByteReader, module: Module): number[] {
  const out: number[] = [];
  const count = reader.unsigned();
  unsigned(out, count);
  for (let i = 0; i < count; i++) {
    const name = reader.take(reader.unsigned());
    const kind = reader.byte(), index = reader.unsigned();
    unsigned(out, name.length);
    out.push(...name, kind);
    unsigned(out, kind === 0 ? moved(index, module) : index);
    if (kind === 0) module.names.set(moved(index, module), new TextDecoder().decode(name));
  }
  return out;
}

function rewriteStart(reader: ByteReader, module: Module): number[] {
  const out: number[] = [];
  unsigned(out, moved(reader.unsigned(), module));
  return out;
}

/** Functions in tables. */
function rewriteElements(reader: ByteReader, module: Module): number[] {
  const out: number[] = [];
  const count = reader.unsigned();
  unsigned(out, count);
  for (let i = 0; i < count; i++) {
    const from = reader.at;
    const plain = reader.unsigned() === 0 && reader.byte() === I32_CONST;
    reader.skipLeb();
    if (!plain || reader.byte() !== END) throw new Error("only plain lists of functions are known here");
    out.push(...reader.slice(from, reader.at));
    const functions = reader.unsigned();
    unsigned(out, functions);
    for (let f = 0; f < functions; f++) unsigned(out, moved(reader.unsigned(), module));
  }
  return out;
}

function rewriteCode(reader: ByteReader, module: Module): Bytes {
  const count = reader.unsigned();
  const head: number[] = [];
  unsigned(head, count + SIZES.length);
  const parts: Bytes[] = [head];
  for (let i = 0; i < count; i++) {
    const body = new ByteReader(reader.take(reader.unsigned()));
    appendBody(parts, rewriteBody(body, module, i));
  }
  for (const body of looks(module.imported)) appendBody(parts, body);
  return joined(parts);
}

function appendBody(parts: Bytes[], body: Bytes): void {
  const head: number[] = [];
  unsigned(head, body.length);
  parts.push(head, body);
}

/** So that stacks show the names of kernels. */
function nameSection({ names }: Module): number[] {
  const list: number[] = [];
  unsigned(list, names.size);
  for (const [index, name] of [...names].sort(([a], [b]) => a - b)) {
    unsigned(list, index);
    unsigned(list, name.length);
    list.push(...new TextEncoder().encode(name));
  }
  const out = [4, ...new TextEncoder().encode("name"), 1];
  unsigned(out, list.length);
  for (const byte of list) out.push(byte);
  return out;
}

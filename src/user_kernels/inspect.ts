/**
 * Reads a WebAssembly module: its sections, and the signatures of its exported functions.
 *
 * @module
 */

import { joinedBytes } from "../space/bytes.ts";

/** The types of the parameters and results of a function, such as `["i32", "f64"]`. */
export interface Signature {
  /** Types of the parameters. */
  readonly params: readonly string[];
  /** Types of the results. */
  readonly results: readonly string[];
}

/** The place of a section: start of its header, start of its contents, and the byte after its last. */
export interface Section {
  /** First byte of the header. */
  readonly header: number;
  /** First byte of the contents. */
  readonly start: number;
  /** The byte after its last. */
  readonly end: number;
}

/** Numbers of sections in the binary format. */
export const SECTION = {
  custom: 0,
  type: 1,
  import: 2,
  function: 3,
  global: 6,
  export: 7,
  start: 8,
  data: 11,
} as const;

/** The sections by their number; for custom sections, the last one. */
export function sectionsOf(bytes: Uint8Array): Map<number, Section> {
  const sections = new Map<number, Section>();
  for (let at = 8; at < bytes.length;) {
    const size = leb(bytes, at + 1);
    const end = size.next + size.value;
    sections.set(bytes[at]!, { header: at, start: size.next, end });
    at = end;
  }
  return sections;
}

/** The exported functions of a module; `imported`: the numbers of the types of the functions that it imports, which come first. */
export function exportedFunctions(
  bytes: Uint8Array,
  imported: readonly number[] = [],
): Record<string, Signature> {
  const sections = sectionsOf(bytes);
  const types = vector(bytes, sections.get(SECTION.type), readType);
  const functions = [...imported, ...vector(bytes, sections.get(SECTION.function), leb)];
  const exports = vector(bytes, sections.get(SECTION.export), readExport);
  const found = exports.filter(({ kind }) => kind === 0)
    .map(({ name, index }) => [name, types[functions[index]!]!] as const);
  return Object.fromEntries(found);
}

/** A value, and the place where the next one starts. */
interface Read<T> {
  readonly value: T;
  readonly next: number;
}

/** An unsigned number in the variable-length encoding LEB128. */
export function leb(bytes: Uint8Array, at: number): Read<number> {
  for (let value = 0, unit = 1;; unit *= 128) {
    const byte = bytes[at++]!;
    value += (byte & 127) * unit;
    if (byte < 128) return { value, next: at };
  }
}

function vector<T>(
  bytes: Uint8Array,
  section: Section | undefined,
  read: (bytes: Uint8Array, at: number) => Read<T>,
): T[] {
  const found: T[] = [];
  if (!section) return found;
  const count = leb(bytes, section.start);
  let at = count.next;
  while (found.length < count.value) {
    const { value, next } = read(bytes, at);
    found.push(value);
    at = next;
  }
  return found;
}

const TYPES: Readonly<Record<number, string>> = {
  0x7f: "i32",
  0x7e: "i64",
  0x7d: "f32",
  0x7c: "f64",
  0x7b: "v128",
};

function readType(bytes: Uint8Array, at: number): Read<Signature> {
  const params = readTypes(bytes, at + 1);
  const results = readTypes(bytes, params.next);
  return { value: { params: params.value, results: results.value }, next: results.next };
}

function readTypes(bytes: Uint8Array, at: number): Read<string[]> {
  const { value, next } = leb(bytes, at);
  const types = Array.from(bytes.subarray(next, next + value), (byte) => TYPES[byte] ?? "reference");
  return { value: types, next: next + value };
}

function readExport(bytes: Uint8Array, at: number): Read<{ name: string; kind: number; index: number }> {
  const length = leb(bytes, at);
  const end = length.next + length.value;
  const name = new TextDecoder().decode(bytes.slice(length.next, end));
  const index = leb(bytes, end + 1);
  return { value: { name, kind: bytes[end]!, index: index.value }, next: index.next };
}

/** The module with other contents of one of its sections. */
export function withSection(
  module: Uint8Array,
  { header, end }: Pick<Section, "header" | "end">,
  id: number,
  contents: readonly number[],
): Uint8Array<ArrayBuffer> {
  const section = Uint8Array.from([id, ...lebBytes(contents.length), ...contents]);
  return joinedBytes([module.subarray(0, header), section, module.subarray(end)]);
}

/** An unsigned number in the variable-length encoding LEB128. */
export function lebBytes(value: number): number[] {
  return value < 128 ? [value] : [value & 127 | 128, ...lebBytes(value >>> 7)];
}

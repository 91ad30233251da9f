/**
 * What a module imports, and the module with its memory declared for shared or for private memory.
 *
 * A module says whether the memory that it imports is shared, and how large it must be at least and at most. Kernels run in
 * the memory of a context, which has another size in each context, so these limits are written anew.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { leb, SECTION, sectionsOf, withSection } from "./inspect.ts";

/** One import of a module. */
export interface Import {
  /** The module that it comes from. */
  readonly module: string;
  /** Its name there. */
  readonly name: string;
  /** What it is. */
  readonly kind: "function" | "table" | "memory" | "global" | "tag";
  /** For functions: the number of their type. */
  readonly type: number;
  /** The byte where what it must be is described. */
  readonly at: number;
  /** The byte after that. */
  readonly end: number;
}

const KINDS = ["function", "table", "memory", "global", "tag"] as const;

/** The imports of a module, in their order. */
export function readImports(bytes: Uint8Array): Import[] {
  const section = sectionsOf(bytes).get(SECTION.import);
  if (!section) return [];
  const count = leb(bytes, section.start);
  const found: Import[] = [];
  for (let at = count.next; found.length < count.value; at = found.at(-1)!.end) {
    found.push(readImport(bytes, at));
  }
  return found;
}

function readImport(bytes: Uint8Array, start: number): Import {
  const module = readName(bytes, start);
  const { value: name, next } = readName(bytes, module.next);
  const kind = KINDS[bytes[next]!] ?? "tag";
  const at = next + 1;
  const type = kind === "function" ? leb(bytes, at).value : -1;
  return { module: module.value, name, kind, type, at, end: endOf(kind, bytes, at) };
}

function readName(bytes: Uint8Array, at: number): { value: string; next: number } {
  const { value: length, next } = leb(bytes, at);
  return { value: new TextDecoder().decode(bytes.slice(next, next + length)), next: next + length };
}

function endOf(kind: Import["kind"], bytes: Uint8Array, at: number): number {
  if (kind === "function") return leb(bytes, at).next;
  if (kind === "global") return at + 2;
  if (kind === "tag") return leb(bytes, at + 1).next;
  return endOfLimits(bytes, kind === "table" ? at + 1 : at);
}

/** Limits are flags, the least size, and the largest one if the first flag is set. */
function endOfLimits(bytes: Uint8Array, at: number): number {
  const least = leb(bytes, at + 1);
  return bytes[at]! & 1 ? leb(bytes, least.next).next : least.next;
}

/** One page or more; a shared memory must have an upper limit (65536 pages, the maximum). */
const LIMITS = { shared: [3, 1, 0x80, 0x80, 4], private: [0, 1] } as const;

/** The module with the memory that it imports declared for shared or for private memory of any size. */
export function withAnyMemory(module: Uint8Array, shared: boolean): Uint8Array<ArrayBuffer> {
  const memory = readImports(module).find(({ kind }) => kind === "memory");
  const section = sectionsOf(module).get(SECTION.import);
  if (!memory || !section) return module.slice();
  const limits = LIMITS[shared ? "shared" : "private"];
  const contents = [
    ...module.subarray(section.start, memory.at),
    ...limits,
    ...module.subarray(memory.end, section.end),
  ];
  return withSection(module, section, SECTION.import, contents);
}

// Moves the static data of a kernel (tables of constants, and those of `Math`) to an address that is free in a worker.
//
// A kernel shares its memory with the tiles of the run, and the compiler does not support relocation. A source with
// statics is therefore compiled twice, for two bases that differ in one bit pattern: `1 << 28` and `2 << 28`. An
// address `base + x` is the instruction `i32.const` with five bytes, of which the first four hold x and the fifth the
// base:
//
//   41  x x x x  01        the two modules differ in these fifth bytes and nowhere else,
//   41  x x x x  02        so the difference of the modules is the list of addresses
//
// Any other difference (an address inside static data, or one with which the optimizer has computed) is refused.

/** The two bases. */
export const BASES: readonly [number, number] = [1 << 28, 2 << 28];

const I32_CONST = 0x41;

/** Where the addresses of static data are in `a`: the first of the five bytes of each. */
export function findMoves(a: Uint8Array, b: Uint8Array, name: string): number[] {
  const moves: number[] = [];
  if (a.length !== b.length) throw cannotMove(name);
  for (let at = 0; at < a.length; at++) {
    if (a[at] === b[at]) continue;
    const first = at - 4;
    const spread = [0, 1, 2, 3].every((i) => a[first + i]! >= 128);
    if (a[first - 1] !== I32_CONST || !spread || a[at] !== 1 || b[at] !== 2) throw cannotMove(name);
    moves.push(first);
  }
  return moves;
}

/** The module with its static data at address `base`. */
export function moveStatics(wasm: Uint8Array, moves: readonly number[], base: number): Uint8Array {
  if (moves.length === 0) return wasm;
  const moved = wasm.slice();
  for (const at of moves) writeAddress(moved, at, base + offsetAt(wasm, at));
  return moved;
}

/** The distance from the base of the address at `at`. */
function offsetAt(wasm: Uint8Array, at: number): number {
  return [0, 1, 2, 3].reduce((sum, i) => sum + (wasm[at + i]! & 127) * 128 ** i, 0);
}

/** Writes a signed number of five bytes; WebAssembly treats addresses above 2 GiB as negative. */
function writeAddress(bytes: Uint8Array, at: number, address: number): void {
  for (let i = 0; i < 4; i++) bytes[at + i] = Math.floor(address / 128 ** i) & 127 | 128;
  const top = Math.floor(address / 2 ** 28) & 15;
  bytes[at + 4] = top < 8 ? top : top | 0x70;
}

function cannotMove(name: string): TilewiseError {
  return new TilewiseError(
    "udf",
    `Cannot use kernel "${name}": its static data cannot be moved into the memory of a run; ` +
      "use flat StaticArray<number> or memory.data tables, or give arrays, instead of strings and nested arrays",
    { kernel: name },
  );
}

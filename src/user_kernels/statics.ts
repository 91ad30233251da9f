/**
 * Moves the static data of a kernel (tables of constants, and those of `Math`) to an address that is free in a worker.
 *
 * A kernel shares its memory with the tiles of the run, and the compiler does not support relocation. A source with
 * statics is therefore compiled twice, for two bases that differ in one bit pattern: `1 << 28` and `2 << 28`. An
 * address `base + x` is the instruction `i32.const` with five bytes, of which the first four hold x and the fifth the
 * base:
 *
 *   41  x x x x  01        the two modules differ in these fifth bytes and nowhere else,
 *   41  x x x x  02        so the difference of the modules is the list of addresses
 *
 * Any other difference (an address inside static data, or one with which the optimizer has computed) is refused.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";

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

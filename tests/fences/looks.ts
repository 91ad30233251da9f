/**
 * The functions that look at the map of a memory with fences, as WebAssembly.
 *
 * @module
 */

import { signed, unsigned } from "../../src/expr/assembly/assembler.ts";
import { FENCE_HEADER, FENCE_MARK } from "./fence_mark.ts";
import { VALUE } from "./opcodes.ts";

/** Bytes of an access for which there is a function; 0: any number of them. */
export const SIZES: readonly number[] = [1, 2, 4, 8, 16, 0];

const OP = {
  block: [0x02, 0x40],
  loop: [0x03, 0x40],
  end: [0x0b],
  br: (depth: number) => [0x0c, depth],
  brIf: (depth: number) => [0x0d, depth],
  return: [0x0f],
  get: (local: number) => [0x20, local],
  set: (local: number) => [0x21, local],
  eqz: [0x45],
  ne32: [0x47],
  gtU32: [0x4b],
  ltU64: [0x54],
  gtU64: [0x56],
  ne64: [0x52],
  add32: [0x6a],
  sub32: [0x6b],
  add64: [0x7c],
  wrap: [0xa7],
  extend: [0xad],
  load: { 1: [0x2d, 0, 0], 2: [0x2f, 0, 0], 4: [0x28, 0, 0], 8: [0x29, 0, 0], 16: [0xfd, 0, 0, 0] },
  allTrue8: [0xfd, 0x63],
} as const;

const i32 = (value: number) => {
  const bytes = [0x41];
  signed(bytes, value | 0);
  return bytes;
};

/** i64.const −1 */
const MINUS_ONE = [0x42, 0x7f];

/** Parameters and locals of a look. */
const [ADDRESS, OFFSET, BYTES, WRITES, AT, MAP] = [0, 1, 2, 3, 4, 5];

/** i32 at a fixed address. */
const reserved = (address: number) => {
  const bytes = [...i32(0), 0x28, 2];
  unsigned(bytes, address);
  return bytes;
};

/** The bodies for {@link SIZES}; `outside` is the number of the import that throws. */
export function looks(outside: number): number[][] {
  return SIZES.map((size) => {
    const code = [
      ...[1, 2, VALUE.i32], // two locals
      // No mark: no fences.
      ...[...reserved(FENCE_HEADER), ...i32(FENCE_MARK[0]), ...OP.ne32, ...returnAddressIf()],
      ...[...reserved(FENCE_HEADER + 4), ...i32(FENCE_MARK[1]), ...OP.ne32, ...returnAddressIf()],
      ...[...reserved(FENCE_HEADER + 8), ...OP.set(MAP!)],
      ...[...OP.get(ADDRESS!), ...OP.get(OFFSET!), ...OP.add32, ...OP.set(AT!)],
      ...OP.block, // leaving it: outside
      // Beyond the map, or around the end of the address space.
      ...[...end64(), ...OP.get(MAP!), ...OP.extend, ...OP.gtU64, ...OP.brIf(0)],
      ...(size === 0 ? anyAllowed() : allowed(size)),
      ...OP.end,
      ...[...OP.get(AT!), ...OP.get(BYTES!), ...OP.get(WRITES!), 0x10],
    ];
    unsigned(code, outside);
    return [...code, 0x00, ...OP.end]; // unreachable: the import throws
  });
}

function returnAddressIf(): number[] {
  return [0x04, 0x40, ...OP.get(ADDRESS!), ...OP.return, ...OP.end];
}

/** Address, offset and bytes, without an overflow. */
function end64(): number[] {
  const parts = [ADDRESS!, OFFSET!, BYTES!].map((local) => [...OP.get(local), ...OP.extend]);
  return [...parts[0]!, ...parts[1]!, ...OP.add64, ...parts[2]!, ...OP.add64];
}

/** Returns the address if all bytes of the map are set, else goes on. */
function allowed(size: number): number[] {
  const look = [...OP.get(MAP!), ...OP.get(AT!), ...OP.add32, ...OP.load[size as 1]];
  const isSet: Record<number, number[]> = {
    1: [...i32(0xff), 0x46],
    2: [...i32(0xffff), 0x46],
    4: [...i32(-1), 0x46],
    8: [...MINUS_ONE, 0x51],
    16: [...OP.allTrue8],
  };
  return [...look, ...isSet[size]!, ...returnAddressIf()];
}

/** The same, byte by byte; `OFFSET` counts. */
function anyAllowed(): number[] {
  return [
    ...[...i32(0), ...OP.set(OFFSET!)],
    ...OP.loop,
    ...[...OP.get(OFFSET!), ...OP.get(BYTES!), 0x46, ...returnAddressIf()],
    ...[...OP.get(MAP!), ...OP.get(AT!), ...OP.add32, ...OP.get(OFFSET!), ...OP.add32, ...OP.load[1]],
    ...[...OP.eqz, ...OP.brIf(1)],
    ...[...OP.get(OFFSET!), ...i32(1), ...OP.add32, ...OP.set(OFFSET!), ...OP.br(0)],
    ...OP.end,
  ];
}

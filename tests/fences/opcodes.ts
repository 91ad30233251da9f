/**
 * The instructions of WebAssembly as far as one must know them to step over them, and which of them touch memory.
 *
 * @module
 */

/** What an instruction does to memory. */
export interface Access {
  /** How many bytes it touches. */
  readonly bytes: number;
  /** Whether it writes. */
  readonly writes: boolean;
  /** What lies on the stack above the address: the type of a value, if anything. */
  readonly above?: ValueType;
}

/** Types of values, as the format writes them. */
export const VALUE = { i32: 0x7f, i64: 0x7e, f32: 0x7d, f64: 0x7c, v128: 0x7b } as const;

/** The name of a type. */
export type ValueType = keyof typeof VALUE;

/** Prefixes of instructions of two parts. */
export const PREFIX = { more: 0xfc, simd: 0xfd, atomic: 0xfe } as const;

/** Loads and stores of one byte, from 0x28 on. */
const PLAIN: readonly Access[] = [
  ...[4, 8, 4, 8, 1, 1, 2, 2, 1, 1, 2, 2, 4, 4].map((bytes) => ({ bytes, writes: false })),
  ...([["i32", 4], ["i64", 8], ["f32", 4], ["f64", 8], ["i32", 1], ["i32", 2], ["i64", 1], ["i64", 2], [
    "i64",
    4,
  ]] as const)
    .map(([above, bytes]) => ({ bytes, writes: true, above })),
];

/** What the plain instruction `code` does to memory, if anything. */
export function plainAccess(code: number): Access | undefined {
  return PLAIN[code - 0x28];
}

/** What the vector instruction `code` does to memory, if anything. */
export function simdAccess(code: number): Access | undefined {
  if (code === 0) return { bytes: 16, writes: false };
  if (code <= 6) return { bytes: 8, writes: false }; // eight bytes, widened
  if (code <= 10) return { bytes: 2 ** (code - 7), writes: false }; // one number, repeated
  if (code === 11) return { bytes: 16, writes: true, above: "v128" };
  if (code >= 84 && code <= 91) return { bytes: 2 ** (code % 4), writes: code >= 88, above: "v128" }; // a lane
  if (code === 92 || code === 93) return { bytes: code === 92 ? 4 : 8, writes: false };
  return undefined;
}

/** The kinds of what follows an instruction. */
export type Immediate = "leb" | "byte" | "memory" | "block" | "table" | "types" | "i64" | 4 | 8 | 16;

const NONE: readonly Immediate[] = [];

/** What follows the plain instruction `code`. */
export function plainImmediates(code: number): readonly Immediate[] {
  if (code >= 0x28 && code <= 0x3e) return ["memory"];
  if (code >= 0x45 && code <= 0xc4) return NONE;
  const found: readonly Immediate[] | undefined = IMMEDIATES[code];
  if (found) return found;
  throw new Error(`instruction 0x${code.toString(16)} is not known here`);
}

const IMMEDIATES: Readonly<Record<number, readonly Immediate[]>> = {
  0x00: NONE, // unreachable
  0x01: NONE,
  0x02: ["block"],
  0x03: ["block"],
  0x04: ["block"],
  0x05: NONE, // else
  0x0b: NONE, // end
  0x0c: ["leb"], // br
  0x0d: ["leb"],
  0x0e: ["table"],
  0x0f: NONE, // return
  0x10: ["leb"], // call
  0x11: ["leb", "leb"],
  0x1a: NONE, // drop
  0x1b: NONE, // select
  0x1c: ["types"],
  0x20: ["leb"], // local.get
  0x21: ["leb"],
  0x22: ["leb"],
  0x23: ["leb"], // global.get
  0x24: ["leb"],
  0x3f: ["byte"], // memory.size
  0x40: ["byte"],
  0x41: ["leb"], // i32.const
  0x42: ["i64"],
  0x43: [4],
  0x44: [8],
};

/** What follows the vector instruction `code`. */
export function simdImmediates(code: number): readonly Immediate[] {
  if (code <= 11 || code === 92 || code === 93) return ["memory"];
  if (code === 12 || code === 13) return [16]; // a constant, a shuffle
  if (code >= 21 && code <= 34) return ["byte"]; // a lane
  if (code >= 84 && code <= 91) return ["memory", "byte"];
  return NONE;
}

/** What follows the instruction `code` of the prefix 0xfc. */
export function moreImmediates(code: number): readonly Immediate[] {
  if (code <= 7) return NONE; // conversions that saturate
  if (code === 8) return ["leb", "byte"]; // memory.init
  if (code === 9) return ["leb"];
  if (code === 10) return ["byte", "byte"]; // memory.copy
  if (code === 11) return ["byte"]; // memory.fill
  throw new Error(`instruction 0xfc ${code} is not known here`);
}

/**
 * Writes WebAssembly: instructions of one function, and the module around it.
 *
 * @module
 */

import type { OperationName } from "../program/graph.ts";
import type { Precision } from "../program/precision.ts";

/** Types of locals and parameters, as the format writes them. */
const TYPE = { i32: 0x7f, f64: 0x7c, v128: 0x7b } as const;

/** The type of a local. */
export type TypeName = keyof typeof TYPE;

/** Instructions that are one byte. */
export const OP = {
  ifNo: 0x45, // i32.eqz
  ltS: 0x48,
  ltU: 0x49,
  gtU: 0x4b,
  leU: 0x4d,
  add: 0x6a,
  sub: 0x6b,
  mul: 0x6c,
  divU: 0x6e,
  and: 0x71,
  shl: 0x74,
  shrS: 0x75,
  select: 0x1b,
  f64Load: 0x2b,
  f64Store: 0x39,
  f64Add: 0xa0,
  f64Min: 0xa4,
  f64Max: 0xa5,
  f64FromI32: 0xb7,
  f64FromF32: 0xbb,
  f32FromI64: 0xb4,
  f32FromU64: 0xb5,
  f32FromF64: 0xb6,
  f64FromI64: 0xb9,
  f64FromU64: 0xba,
  i64Load: 0x29,
} as const;

/** Functions of one float64 that a module imports if it calls one of them. */
export const FUNCTIONS = ["sine", "cosine"] as const;

/** Appends an unsigned integer, 7 bits per byte, low bits first. */
export function unsigned(bytes: number[], value: number): void {
  for (; value >= 0x80; value = Math.floor(value / 128)) bytes.push(value % 128 | 0x80);
  bytes.push(value);
}

/** Appends a signed integer of 32 bits. */
export function signed(bytes: number[], value: number): void {
  for (;;) {
    const low = value & 0x7f;
    value >>= 7;
    if ((value === 0 && !(low & 0x40)) || (value === -1 && (low & 0x40))) return void bytes.push(low);
    bytes.push(low | 0x80);
  }
}

/** The instructions of a function. */
export class Assembler {
  readonly #bytes: number[] = [];
  readonly #locals: TypeName[] = [];
  #calls = false;

  /** A function with these parameters. */
  constructor(private readonly params: readonly TypeName[]) {}

  /** A new local. */
  local(type: TypeName): number {
    return this.params.length + this.#locals.push(type) - 1;
  }

  /** Pushes a local. */
  get(local: number): this {
    return this.#indexed(0x20, local);
  }

  /** Pops into a local. */
  set(local: number): this {
    return this.#indexed(0x21, local);
  }

  /** Copies the top into a local. */
  tee(local: number): this {
    return this.#indexed(0x22, local);
  }

  /** Pushes an integer. */
  i32(value: number): this {
    this.#bytes.push(0x41);
    signed(this.#bytes, value | 0);
    return this;
  }

  /** Calls one of {@link FUNCTIONS}. */
  call(index: number): this {
    this.#calls = true;
    return this.#indexed(0x10, index);
  }

  /** Instructions of one byte. */
  op(...codes: number[]): this {
    this.#bytes.push(...codes);
    return this;
  }

  /** A vector instruction, with the lane or the bytes that belong to it. */
  simd(code: number, ...immediate: number[]): this {
    this.#bytes.push(0xfd);
    unsigned(this.#bytes, code);
    this.#bytes.push(...immediate);
    return this;
  }

  /** A vector load or store at `offset` from the address on the stack; of one lane if `lane` is given. */
  memory(code: number, offset = 0, lane?: number): this {
    this.simd(code, 0);
    unsigned(this.#bytes, offset);
    if (lane !== undefined) this.#bytes.push(lane);
    return this;
  }

  /** A scalar load or store at `offset` from the address on the stack. */
  scalar(code: number, offset = 0): this {
    this.#bytes.push(code, 0);
    unsigned(this.#bytes, offset);
    return this;
  }

  /** Adds `amount` to an integer local. */
  advance(local: number, amount: number): this {
    return amount === 0 ? this : this.get(local).i32(amount).op(OP.add).set(local);
  }

  /** Repeats `body` while `condition` leaves a non-zero number; it is evaluated before each repetition. */
  loop(condition: () => void, body: () => void): void {
    this.op(0x02, 0x40);
    condition();
    this.op(OP.ifNo, 0x0d, 0, 0x03, 0x40);
    body();
    condition();
    this.op(0x0d, 0, 0x0b, 0x0b);
  }

  /** Runs `body` if the number on the stack is not zero. */
  when(body: () => void): void {
    this.op(0x04, 0x40);
    body();
    this.op(0x0b);
  }

  /** A module that imports `env.memory`, and {@link FUNCTIONS} where it calls one, and exports this function as `run`. */
  module(shared: boolean): Uint8Array<ArrayBuffer> {
    const bytes = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
    const limits = shared ? [3, 1, 0x80, 0x80, 4] : [0, 1]; // a shared memory must have an upper limit
    const called = this.#calls ? FUNCTIONS : [];
    const run = [0x60, ...vector(this.params.map((type) => [TYPE[type]])), 0];
    section(bytes, 1, vector([run, ...this.#calls ? [[0x60, 1, TYPE.f64, 1, TYPE.f64]] : []]));
    const imports = called.map((name) => [...text("env"), ...text(name), 0, 1]);
    section(bytes, 2, vector([[...text("env"), ...text("memory"), 2, ...limits], ...imports]));
    section(bytes, 3, [1, 0]);
    section(bytes, 7, [1, ...text("run"), 0, called.length]);
    const code = vector(this.#locals.map((type) => [1, TYPE[type]]));
    const body = code.concat(this.#bytes, 0x0b);
    const size: number[] = [1];
    unsigned(size, body.length);
    section(bytes, 10, size.concat(body));
    return Uint8Array.from(bytes);
  }

  #indexed(code: number, index: number): this {
    this.#bytes.push(code);
    unsigned(this.#bytes, index);
    return this;
  }
}

function text(word: string): number[] {
  return [word.length, ...new TextEncoder().encode(word)];
}

function vector(items: readonly (readonly number[])[]): number[] {
  const bytes: number[] = [];
  unsigned(bytes, items.length);
  for (const item of items) bytes.push(...item);
  return bytes;
}

function section(bytes: number[], id: number, contents: readonly number[]): void {
  bytes.push(id);
  unsigned(bytes, contents.length);
  for (const byte of contents) bytes.push(byte);
}

// Opcodes of the vector instructions that are emitted.

/** Instructions that do not depend on the type of the computation. */
export const SIMD = {
  load: 0,
  load16x4S: 3,
  load16x4U: 4,
  load8Splat: 7,
  load16Splat: 8,
  load32Splat: 9,
  load64Splat: 10,
  store: 11,
  constant: 12,
  shuffle: 13,
  swizzle: 14,
  i32Splat: 17,
  f32Splat: 19,
  f64Splat: 20,
  i32Lane: 27,
  i64Lane: 29,
  f32Lane: 31,
  f32SetLane: 32,
  f64Lane: 33,
  f64SetLane: 34,
  i32Ge: 63,
  and: 78,
  or: 80,
  bitselect: 82,
  anyTrue: 83,
  store32Lane: 90,
  store64Lane: 91,
  load32Zero: 92,
  load64Zero: 93,
  f32Demote: 94,
  f64Promote: 95,
  pairs8S: 124,
  pairs8U: 125,
  pairs16S: 126,
  pairs16U: 127,
  widen8S: 135,
  widen8U: 137,
  widen16S: 167,
  widen16U: 169,
  i32Shl: 171,
  i32Add: 174,
  i32Sub: 177,
  f32Mul: 230,
  f64Add: 240,
  f64Min: 244,
  f64Max: 245,
  f32FromI32S: 250,
  f32FromI32U: 251,
  f64FromI32S: 254,
  f64FromI32U: 255,
} as const;

/** Instructions for lanes of 32 bits, and for those of 64. */
const FLOATS: Partial<Record<OperationName, readonly [number, number]>> = {
  eq: [65, 71],
  ne: [66, 72],
  lt: [67, 73],
  gt: [68, 74],
  le: [69, 75],
  ge: [70, 76],
  ceil: [103, 116],
  floor: [104, 117],
  trunc: [105, 122],
  nearest: [106, 148],
  shl: [171, 203],
  shr: [173, 205],
  iadd: [174, 206],
  isub: [177, 209],
  abs: [224, 236],
  neg: [225, 237],
  sqrt: [227, 239],
  add: [228, 240],
  sub: [229, 241],
  mul: [230, 242],
  div: [231, 243],
  min: [232, 244],
  max: [233, 245],
  lesser: [234, 246],
  greater: [235, 247],
};

const BITS: Partial<Record<OperationName, number>> = {
  not: 77,
  both: 78,
  iand: 78,
  one: 78,
  either: 80,
  ior: 80,
  select: 82,
};

/** The instruction of an operation; undefined if it needs none (`bits`, `unbits`) or is a call. */
export function instruction(name: OperationName, precision: Precision): number | undefined {
  return FLOATS[name]?.[precision === "float32" ? 0 : 1] ?? BITS[name];
}

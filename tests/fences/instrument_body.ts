/**
 * Rewrites the body of one function, see `instrument.ts`.
 *
 * @module
 */

import { signed, unsigned } from "../../src/expr/assembly/assembler.ts";
import type { ByteReader } from "./byte_reader.ts";
import { SIZES } from "./looks.ts";
import {
  type Access,
  type Immediate,
  moreImmediates,
  plainAccess,
  plainImmediates,
  PREFIX,
  simdAccess,
  simdImmediates,
  VALUE,
  type ValueType,
} from "./opcodes.ts";

const TYPES: readonly ValueType[] = ["i32", "i64", "f32", "f64", "v128"];
const CALL = 0x10, GET = 0x20, SET = 0x21, I32_CONST = 0x41;
const MEMORY_INIT = 8, MEMORY_COPY = 10, MEMORY_FILL = 11;

/** What must be known of a module to rewrite its code. */
export interface Module {
  /** Number of parameters, by type. */
  readonly types: number[];
  /** Imported functions. */
  imported: number;
  /** Types of the functions of its own. */
  functions: number[];
  /** Names of exported functions, by number. */
  readonly names: Map<number, string>;
}

/** The new import stands before all functions of the module. */
export function moved(index: number, { imported }: Module): number {
  return index < imported ? index : index + 1;
}

/** The body of function number `index` with a look before every access. */
export function rewriteBody(body: ByteReader, module: Module, index: number): number[] {
  return new Body(body, module, index).rewritten();
}

/** The body of one function. */
class Body {
  readonly #out: number[] = [];
  readonly #locals: Readonly<Record<ValueType, number>>;
  /** Three numbers for `memory.copy`. */
  readonly #three: number;
  readonly #firstLook: number;

  constructor(private readonly reader: ByteReader, private readonly module: Module, index: number) {
    const params = module.types[module.functions[index]!]!;
    const groups: number[] = [];
    let locals = params;
    const count = reader.unsigned();
    const from = reader.at;
    for (let i = 0; i < count; i++) {
      locals += reader.unsigned();
      reader.byte();
    }
    unsigned(groups, count + TYPES.length + 1);
    reader.copy(from, groups);
    for (const type of TYPES) groups.push(1, VALUE[type]);
    groups.push(3, VALUE.i32);
    this.#out.push(...groups);
    this.#locals = Object.fromEntries(TYPES.map((type, t) => [type, locals + t])) as Record<
      ValueType,
      number
    >;
    this.#three = locals + TYPES.length;
    this.#firstLook = module.imported + 1 + module.functions.length;
  }

  rewritten(): number[] {
    while (!this.reader.ended) this.#instruction();
    return this.#out;
  }

  #instruction(): void {
    const { reader } = this;
    const from = reader.at;
    const code = reader.byte();
    if (code === CALL) return this.#call(moved(reader.unsigned(), this.module));
    if (code === PREFIX.atomic) throw new Error("atomic accesses are not known here");
    const second = code === PREFIX.simd || code === PREFIX.more ? reader.unsigned() : 0;
    const access = code === PREFIX.simd ? simdAccess(second) : plainAccess(code);
    const offset = this.#skip(immediatesOf(code, second));
    if (access) this.#look(access, offset);
    if (code === PREFIX.more && second === MEMORY_COPY) this.#lookAtCopy();
    if (code === PREFIX.more && second === MEMORY_FILL) this.#lookAtFill();
    if (code === PREFIX.more && second === MEMORY_INIT) throw new Error("data segments are not known here");
    reader.copy(from, this.#out);
  }

  /** Steps over what follows an instruction; the offset of an access. */
  #skip(immediates: readonly Immediate[]): number {
    const { reader } = this;
    let offset = 0;
    for (const kind of immediates) {
      if (typeof kind === "number") reader.at += kind;
      else if (kind === "byte") reader.byte();
      else if (kind === "leb" || kind === "i64" || kind === "block") reader.skipLeb();
      else if (kind === "memory") {
        reader.unsigned();
        offset = reader.unsigned();
      } else {
        const count = reader.unsigned() + (kind === "table" ? 1 : 0);
        for (let i = 0; i < count; i++) reader.skipLeb();
      }
    }
    return offset;
  }

  #look({ bytes, writes, above }: Access, offset: number): void {
    if (above) this.#local(SET, this.#locals[above]);
    this.#i32(offset);
    this.#i32(bytes);
    this.#i32(writes ? 1 : 0);
    this.#call(this.#firstLook + SIZES.indexOf(bytes));
    if (above) this.#local(GET, this.#locals[above]);
  }

  /** to, from, count */
  #lookAtCopy(): void {
    const [to, from, count] = [0, 1, 2].map((i) => this.#three + i) as [number, number, number];
    for (const local of [count, from, to]) this.#local(SET, local);
    this.#lookAtAny(to, count, 1);
    this.#lookAtAny(from, count, 0);
    this.#local(GET, count);
  }

  /** to, value, count */
  #lookAtFill(): void {
    const [to, value, count] = [0, 1, 2].map((i) => this.#three + i) as [number, number, number];
    for (const local of [count, value, to]) this.#local(SET, local);
    this.#lookAtAny(to, count, 1);
    for (const local of [value, count]) this.#local(GET, local);
  }

  #lookAtAny(address: number, count: number, writes: number): void {
    this.#local(GET, address);
    this.#i32(0);
    this.#local(GET, count);
    this.#i32(writes);
    this.#call(this.#firstLook + SIZES.indexOf(0));
  }

  #call(index: number): void {
    this.#out.push(CALL);
    unsigned(this.#out, index);
  }

  #i32(value: number): void {
    this.#out.push(I32_CONST);
    signed(this.#out, value);
  }

  #local(code: number, index: number): void {
    this.#out.push(code);
    unsigned(this.#out, index);
  }
}

function immediatesOf(code: number, second: number): readonly Immediate[] {
  if (code === PREFIX.simd) return simdImmediates(second);
  return code === PREFIX.more ? moreImmediates(second) : plainImmediates(code);
}

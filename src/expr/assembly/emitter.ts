/**
 * Instructions that compute the values of a graph, a vector at a time.
 *
 * A value that is used more than once is kept in a local. Values that do not change within a call are computed once,
 * before all loops. V8 rebuilds a vector constant wherever it is used, with up to four instructions each time.
 * Constants are therefore kept in locals as well, made to look as if they depended on a parameter.
 *
 * @module
 */

import { type Assembler, FUNCTIONS, instruction, OP, SIMD } from "./assembler.ts";
import type { SampleType } from "../program/call.ts";
import { LARGEST_ANGLE, needed, type OperationName, type Value } from "../program/graph.ts";
import { byteOrderVector, loadSamples, loadShort, type SampleLoad } from "./loads.ts";
import { bitsOf, type FloatFacts } from "../program/precision.ts";
import type { Program } from "../program/program.ts";

/** The locals from which values are computed. */
interface Places {
  /** Address of the samples. */
  readonly data: number;
  /** Addresses of the arrays. */
  readonly arrays: readonly number[];
  /** The parameters, float64. */
  readonly params: readonly number[];
  /** The value of `frame`, float64. */
  readonly frame: number;
  /** Row of the first sample. */
  readonly row: number;
  /** Column of the first sample. */
  readonly col: number;
  /** A number that is never negative. */
  readonly never: number;
}

/** The samples that a vector holds, and what is known of them. */
export interface Unit {
  /** The first sample, counted from the addresses. */
  readonly first: number;
  /** Whether all lanes hold this sample. */
  readonly single: boolean;
  /** Locals with values that were computed before. */
  readonly ready: Map<number, number>;
}

/** Computes the values of one program. */
export class Emitter {
  /** The facts of the type of the computation. */
  readonly facts: FloatFacts;
  /** The values that are needed, operands first. */
  readonly values: readonly Value[];
  readonly #uses: Uint32Array;
  readonly #fixed = new Map<number, number>();
  readonly #locals = new Map<number, number>();
  #order: number | undefined;
  #one = 0;

  /** Emits to `code`. */
  constructor(
    readonly code: Assembler,
    readonly program: Program,
    readonly sample: SampleType,
    private readonly places: Places,
  ) {
    this.facts = program.graph.facts;
    const roots = [...program.reductions.map(({ value }) => value), ...program.maps];
    this.values = needed(program.graph, roots);
    this.#uses = new Uint32Array(program.graph.values.length);
    for (const { id } of [...roots, ...this.values.flatMap(({ operands }) => operands)]) this.#uses[id]!++;
  }

  /** Whether some value is `name`. */
  uses(name: string): boolean {
    return this.values.some((value) => value.name === name);
  }

  /** Emits the code before all loops: constants, parameters, and values computed from them. */
  prologue(): void {
    const order = byteOrderVector(this.sample);
    if (order) this.#order = this.kept(order);
    if (this.uses("one")) this.#one = this.kept(this.#number(1));
    const unit = { first: 0, single: true, ready: this.#fixed };
    for (const value of this.#boundary(0)) this.#keep(value, unit, this.#fixed);
  }

  /** Computes values that do not depend on samples into their own locals; see {@link Unit.ready}. */
  hoist(unit: Unit): void {
    for (const value of this.#boundary(1)) this.#keep(value, unit, unit.ready);
  }

  /** Whether {@link hoist} has anything to compute. */
  hoists(): boolean {
    return this.#boundary(1).length > 0;
  }

  /** A new unit of samples. */
  unit(first: number, single: boolean): Unit {
    return { first, single, ready: new Map() };
  }

  /** Pushes a value. */
  push(value: Value, unit: Unit): void {
    const { code } = this;
    const ready = this.#fixed.get(value.id) ?? unit.ready.get(value.id);
    if (ready !== undefined) return void code.get(ready);
    this.#compute(value, unit);
    if (this.#uses[value.id]! < 2 || ["bits", "unbits"].includes(value.name)) return;
    const local = this.#locals.get(value.id) ?? code.local("v128");
    this.#locals.set(value.id, local);
    unit.ready.set(value.id, local);
    code.tee(local);
  }

  /** Pushes samples of 8 or 16 bits as integers of 32 bits. */
  pushShort(unit: Unit): void {
    loadShort(this.code, this.#load(unit));
  }

  /** The local used to swap the bytes of samples, if they need swapping. */
  get order(): number | undefined {
    return this.#order;
  }

  /** A local with a constant vector. */
  kept(bytes: readonly number[]): number {
    const local = this.code.local("v128");
    this.code.simd(SIMD.constant, ...bytes);
    this.code.get(this.places.never).i32(31).op(OP.shrS).simd(SIMD.i32Splat).simd(SIMD.or).set(local);
    return local;
  }

  /** Pushes a vector of one number. */
  constant(value: number): void {
    this.code.simd(SIMD.constant, ...this.#number(value));
  }

  /** Values with at most this `variation` that roots, or values with a higher variation, need. */
  #boundary(variation: number): Value[] {
    const { reductions, maps } = this.program;
    const wanted = new Set<Value>([...reductions.map(({ value }) => value), ...maps]);
    for (const value of this.values) {
      if (value.variation > variation) value.operands.forEach((operand) => wanted.add(operand));
    }
    return this.values.filter((value) => value.variation === variation && wanted.has(value));
  }

  #keep(value: Value, unit: Unit, ready: Map<number, number>): void {
    if (ready.has(value.id)) return;
    if (value.constant !== undefined) return void ready.set(value.id, this.kept(this.#constantBytes(value)));
    this.#compute(value, unit);
    const local = this.code.local("v128");
    this.code.set(local);
    ready.set(value.id, local);
  }

  #compute(value: Value, unit: Unit): void {
    const { code } = this;
    const { name, operands, index } = value;
    if (value.constant !== undefined) return void code.simd(SIMD.constant, ...this.#constantBytes(value));
    if (operands.length === 0) return this.#leaf(value, unit);
    if (name === "sine" || name === "cosine") {
      return this.#called(FUNCTIONS.indexOf(name), operands[0]!, unit);
    }
    if (name === "select") {
      const [test, yes, no] = operands as [Value, Value, Value];
      for (const operand of [yes, no, test]) this.push(operand, unit);
    } else for (const operand of operands) this.push(operand, unit);
    if (name === "shl" || name === "shr") code.i32(index);
    if (name === "one") code.get(this.#one);
    const instruct = instruction(name as OperationName, this.facts.name);
    if (instruct !== undefined) code.simd(instruct);
  }

  /** Pushes what a function gives for each lane if one of them is large, any number if not. */
  #called(index: number, operand: Value, unit: Unit): void {
    const { code } = this;
    const { bytes, lanes, name } = this.facts;
    const single = bytes === 4;
    const out = code.local("v128");
    this.push(operand, unit);
    code.tee(out).simd(instruction("abs", name)!);
    this.constant(LARGEST_ANGLE[name]);
    code.simd(instruction("gt", name)!).simd(SIMD.anyTrue).when(() => {
      for (let lane = 0; lane < lanes; lane++) {
        code.get(out).get(out).simd(single ? SIMD.f32Lane : SIMD.f64Lane, lane);
        if (single) code.op(OP.f64FromF32);
        code.call(index);
        if (single) code.op(OP.f32FromF64);
        code.simd(single ? SIMD.f32SetLane : SIMD.f64SetLane, lane).set(out);
      }
    });
    code.get(out);
  }

  #leaf({ name, index }: Value, unit: Unit): void {
    const { code, places } = this;
    const { bytes } = this.facts;
    if (name === "sample") return loadSamples(code, this.#load(unit));
    if (name === "array") {
      const single = bytes === 4 ? SIMD.load32Splat : SIMD.load64Splat;
      const at = bytes * unit.first;
      return void code.get(places.arrays[index]!).memory(unit.single ? single : SIMD.load, at);
    }
    if (name === "row" || name === "col") {
      return this.#coordinate(places[name], name === "col" ? unit : undefined);
    }
    code.get(name === "frame" ? places.frame : places.params[index]!);
    if (bytes === 4) code.op(OP.f32FromF64).simd(SIMD.f32Splat);
    else code.simd(SIMD.f64Splat);
  }

  /** The same integer in all lanes, or increasing by one from lane to lane. */
  #coordinate(local: number, unit: Unit | undefined): void {
    const { code } = this;
    code.get(local).simd(SIMD.i32Splat);
    if (unit && !unit.single) {
      const steps = Int32Array.from([0, 1, 2, 3], (lane) => unit.first + lane);
      code.simd(SIMD.constant, ...new Uint8Array(steps.buffer)).simd(SIMD.i32Add);
    }
    code.simd(this.facts.bytes === 4 ? SIMD.f32FromI32S : SIMD.f64FromI32S);
  }

  #load({ first, single }: Unit): SampleLoad {
    const { sample, places } = this;
    return { sample, precision: this.facts.name, pointer: places.data, order: this.#order, first, single };
  }

  #constantBytes({ constant, kind }: Value): number[] {
    if (kind === "truth") return Array.from({ length: 16 }, () => constant ? 255 : 0);
    return typeof constant === "bigint" ? this.#pattern(constant) : this.#number(constant!);
  }

  #number(value: number): number[] {
    return this.#pattern(bitsOf(value, this.facts.name));
  }

  #pattern(bits: bigint): number[] {
    const { bytes } = this.facts;
    return Array.from({ length: 16 }, (_, i) => Number(bits >> BigInt(8 * (i % bytes)) & 0xffn));
  }
}

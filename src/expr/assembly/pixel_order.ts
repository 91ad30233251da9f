/**
 * The loop for reductions over frames and for maps with arrays: pixels outside, frames inside.
 *
 * ```
 * for every pass of some frames: for every 8 pixels:
 *   what depends on the pixel alone is computed; accumulators come into registers
 *   for every frame of the pass: the values are computed, added, stored
 *   accumulators go back to memory
 * ```
 *
 * Arrays such as dark frame and gain map are loaded once for all frames of a pass, and sums stay in registers. Sums are
 * added frame by frame, so passes do not change the result.
 *
 * @module
 */

import {
  atMost,
  count,
  extreme,
  isCounted,
  joining,
  type KernelLocals,
  nextFrames,
  pixelLoop,
  upper,
  widen,
  widths,
} from "./segments.ts";
import { OP, SIMD } from "./assembler.ts";
import type { Emitter, Unit } from "./emitter.ts";
import type { Reduction } from "../program/program.ts";

/** Frames per pass: few if every frame has its own output, as each output is a stream to memory. */
const FRAMES = { maps: 4, sums: 32 } as const;

/** Pixels per step. */
const STRIDE = 8;

/** Emits the loops. */
export function pixelOrder(emitter: Emitter, locals: KernelLocals): void {
  const { code, program } = emitter;
  const done = code.local("i32"), pass = code.local("i32");
  const work = new PixelOrder(emitter, locals, pass);
  code.loop(() => code.get(done).get(locals.frames).op(OP.ltU), () => {
    code.i32(program.maps.length > 0 ? FRAMES.maps : FRAMES.sums).set(pass);
    atMost(code, pass, () => code.get(locals.frames).get(done).op(OP.sub));
    const nothing = () => {};
    pixelLoop(emitter, locals, {
      stride: STRIDE,
      rows: emitter.uses("row") || emitter.uses("col"),
      counted: false,
      aligned: false,
      begin: nothing,
      ready: nothing,
      step: () => work.step(false),
      single: () => work.step(true),
      finish: (tail) => tail(),
    });
    nextFrames(emitter, locals, pass);
    code.get(done).get(pass).op(OP.add).set(done);
  });
}

/** A unit of pixels with the registers of its reductions. */
interface UnitState {
  readonly unit: Unit;
  /** Per reduction: sums as float64, counters, or extremes. */
  readonly registers: readonly (readonly number[])[];
}

class PixelOrder {
  readonly #code;
  readonly #frame: number;
  readonly #mapPlaces: number[];
  readonly #left: number;
  readonly #samples: number;

  constructor(
    private readonly emitter: Emitter,
    private readonly locals: KernelLocals,
    private readonly pass: number,
  ) {
    const { code, program } = emitter;
    this.#code = code;
    this.#frame = locals.sample;
    this.#samples = code.local("i32");
    this.#left = code.local("i32");
    this.#mapPlaces = program.maps.map(() => code.local("i32"));
  }

  step(single: boolean): void {
    const { emitter, locals } = this;
    const code = this.#code;
    const firsts = single
      ? [0]
      : Array.from({ length: STRIDE / emitter.facts.lanes }, (_, u) => u * emitter.facts.lanes);
    const states = firsts.map((first) => this.#begin(emitter.unit(first, single)));
    const maps = this.#places();
    code.get(this.#frame).set(this.#samples);
    maps.forEach((place, m) => code.get(place).set(this.#mapPlaces[m]!));
    code.get(this.pass).set(this.#left);
    code.loop(() => code.get(this.#left), () => {
      for (const state of states) this.#frameOf(state);
      code.get(this.#frame).get(locals.frameStride).op(OP.add).set(this.#frame);
      maps.forEach((place, m) => code.get(place).get(this.#stride(m)).op(OP.add).set(place));
      code.advance(this.#left, -1);
    });
    code.get(this.#samples).set(this.#frame);
    maps.forEach((place, m) => code.get(this.#mapPlaces[m]!).set(place));
    for (const state of states) this.#end(state);
  }

  #places(): number[] {
    return this.locals.places.slice(this.emitter.program.reductions.length);
  }

  #stride(map: number): number {
    return this.locals.outputs[this.emitter.program.reductions.length + map]!.stride;
  }

  #isCounted(reduction: Reduction): boolean {
    return isCounted(reduction, this.emitter.sample);
  }

  #begin(unit: Unit): UnitState {
    const { emitter } = this;
    const code = this.#code;
    emitter.hoist(unit);
    const registers = emitter.program.reductions.map((reduction, r) => {
      const { how } = reduction;
      if (how === "min" || how === "max" || this.#isCounted(reduction)) {
        const local = code.local("v128");
        if (how === "min" || how === "max") emitter.constant(how === "min" ? Infinity : -Infinity);
        else code.simd(SIMD.constant, ...Array.from({ length: 16 }, () => 0));
        code.set(local);
        return [local];
      }
      return Array.from({ length: widths(emitter, unit) }, (_, half) => {
        const local = code.local("v128");
        this.#loadOutput(r, unit, half);
        code.set(local);
        return local;
      });
    });
    return { unit, registers };
  }

  #loadOutput(r: number, unit: Unit, half: number): void {
    const load = unit.single ? SIMD.load64Splat : SIMD.load;
    this.#code.get(this.locals.places[r]!).memory(load, 8 * unit.first + 16 * half);
  }

  /** The values of one frame. Hoisted values stay known; values that depend on samples are forgotten. */
  #frameOf({ unit, registers }: UnitState): void {
    const { emitter } = this;
    const code = this.#code;
    const now: Unit = { ...unit, ready: new Map(unit.ready) };
    emitter.program.reductions.forEach((reduction, r) => {
      const [first] = registers[r] as [number];
      if (this.#isCounted(reduction)) return count(emitter, reduction, now, first);
      const { how, value } = reduction;
      if (how === "min" || how === "max") {
        code.get(first);
        emitter.push(value, now);
        return void code.simd(extreme(emitter, how)).set(first);
      }
      const number = code.local("v128");
      emitter.push(value, now);
      code.set(number);
      registers[r]!.forEach((register, half) => {
        code.get(register).get(number);
        widen(code, emitter, half as 0 | 1);
        code.simd(SIMD.f64Add).set(register);
      });
    });
    this.#store(now);
  }

  #store(unit: Unit): void {
    const { emitter } = this;
    const { bytes } = emitter.facts;
    this.#places().forEach((place, m) => {
      this.#code.get(place);
      emitter.push(emitter.program.maps[m]!, unit);
      if (!unit.single) this.#code.memory(SIMD.store, bytes * unit.first);
      else this.#code.memory(bytes === 4 ? SIMD.store32Lane : SIMD.store64Lane, 0, 0);
    });
  }

  /** Writes registers back to memory. */
  #end({ unit, registers }: UnitState): void {
    const { emitter } = this;
    const code = this.#code;
    emitter.program.reductions.forEach((reduction, r) => {
      const { how } = reduction;
      const counted = this.#isCounted(reduction);
      for (let half = 0; half < widths(emitter, unit); half++) {
        const at = 8 * unit.first + 16 * half;
        code.get(this.locals.places[r]!);
        if (counted || how === "min" || how === "max") {
          this.#loadOutput(r, unit, half);
          this.#asNumbers(registers[r]![0]!, half as 0 | 1, counted, how === "count");
          code.simd(joining(how));
        } else code.get(registers[r]![half]!);
        if (unit.single) code.memory(SIMD.store64Lane, at, 0);
        else code.memory(SIMD.store, at);
      }
    });
  }

  /** Half of the counters or extremes as float64. */
  #asNumbers(register: number, half: 0 | 1, counted: boolean, truth: boolean): void {
    const { emitter } = this;
    const code = this.#code;
    if (!counted) {
      code.get(register);
      return widen(code, emitter, half);
    }
    if (half === 1) upper(code, register);
    else if (truth && emitter.facts.bytes === 8) { // truth values of 64 bits use only every other counter
      code.get(register).get(register).simd(SIMD.shuffle, 0, 1, 2, 3, 8, 9, 10, 11, 0, 1, 2, 3, 8, 9, 10, 11);
    } else code.get(register);
    code.simd(SIMD.f64FromI32S);
  }
}

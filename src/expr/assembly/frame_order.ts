/**
 * The loop for reductions over pixels: frames outside, pixels inside, accumulators in registers.
 *
 * Rounded sums have 8 lanes of float64, with sample i of a row in lane i mod 8. They are folded at the end of a row; if
 * a call ends within a row, they are kept in memory for the next call. Single pixels are added there too.
 *
 * @module
 */

import {
  count,
  extreme,
  isCounted,
  joining,
  type KernelLocals,
  nextFrames,
  pixelLoop,
  pixelStride,
  pushNumber,
  widen,
  widths,
} from "./segments.ts";
import { OP, SIMD } from "./assembler.ts";
import { isLaned } from "../program/call.ts";
import type { Emitter, Unit } from "./emitter.ts";
import type { Reduction } from "../program/program.ts";
import { dtypeInfo } from "../../space/dtype.ts";

/** Emits the loops. */
export function frameOrder(emitter: Emitter, locals: KernelLocals): void {
  new FrameOrder(emitter, locals).emit();
}

class FrameOrder {
  readonly #code;
  readonly #laned: boolean[];
  readonly #counted: boolean[];
  readonly #accumulators: number[][];
  readonly #stride: number;
  #firstLane: number | undefined;

  constructor(private readonly emitter: Emitter, private readonly locals: KernelLocals) {
    const { code, program, sample } = emitter;
    this.#code = code;
    this.#laned = program.reductions.map((reduction) => isLaned(reduction, sample));
    this.#counted = program.reductions.map((r) => r.axis === "frame" && isCounted(r, sample));
    this.#accumulators = program.reductions.map(({ axis }, r) =>
      axis === "frames" ? [] : Array.from({ length: this.#laned[r] ? 4 : 1 }, () => code.local("v128"))
    );
    this.#stride = pixelStride(program, sample, (r) => this.#counted[r]!);
  }

  emit(): void {
    const { emitter, locals } = this;
    const code = this.#code;
    const frame = code.local("i32");
    const laned = this.#laned.includes(true);
    if (this.#counted.includes(true)) {
      this.#firstLane = emitter.kept([255, 255, 255, 255, ...Array.from({ length: 12 }, () => 0)]);
    }
    code.loop(() => code.get(frame).get(locals.frames).op(OP.ltU), () => {
      this.#beginFrame();
      pixelLoop(emitter, locals, {
        stride: this.#stride,
        rows: laned || emitter.uses("row") || emitter.uses("col"),
        counted: this.#counted.includes(true),
        aligned: laned,
        begin: () => this.#each("counted", (_, r) => this.#clear(r)),
        ready: () => this.#each("laned", (_, r) => this.#loadLanes(r)),
        step: () => this.#step(),
        single: () => this.#single(),
        finish: (tail) => this.#finish(tail, laned),
      });
      this.#endFrame();
      nextFrames(emitter, locals);
      code.advance(frame, 1);
    });
  }

  #each(which: "counted" | "laned" | "extreme", work: (reduction: Reduction, r: number) => void): void {
    this.emitter.program.reductions.forEach((reduction, r) => {
      if (reduction.axis === "frames") return;
      const kind = this.#laned[r] ? "laned" : this.#counted[r] ? "counted" : "extreme";
      if (kind === which) work(reduction, r);
    });
  }

  #clear(r: number): void {
    this.#code.simd(SIMD.constant, ...Array.from({ length: 16 }, () => 0)).set(this.#accumulators[r]![0]!);
  }

  #beginFrame(): void {
    this.#each("extreme", ({ how }, r) => {
      this.emitter.constant(how === "min" ? Infinity : -Infinity);
      this.#code.set(this.#accumulators[r]![0]!);
    });
  }

  /** Writes least and greatest values: combines the lanes with the earlier result. */
  #endFrame(): void {
    const code = this.#code;
    const single = this.emitter.facts.bytes === 4;
    this.#each("extreme", ({ how }, r) => {
      const { pointer } = this.locals.outputs[r]!;
      code.get(pointer).get(pointer).scalar(OP.f64Load);
      for (let lane = 0; lane < this.emitter.facts.lanes; lane++) {
        code.get(this.#accumulators[r]![0]!).simd(single ? SIMD.f32Lane : SIMD.f64Lane, lane);
        if (single) code.op(OP.f64FromF32);
        code.op(how === "min" ? OP.f64Min : OP.f64Max);
      }
      code.scalar(OP.f64Store);
    });
  }

  #loadLanes(r: number): void {
    this.#accumulators[r]!.forEach((acc, a) => {
      this.#code.get(this.locals.lanes).memory(SIMD.load, 64 * r + 16 * a).set(acc);
    });
  }

  #finish(tail: () => void, laned: boolean): void {
    const code = this.#code;
    const { col, width } = this.locals;
    if (laned) {
      code.get(col).get(width).op(OP.ltU).when(() => {
        this.#each("laned", (_, r) => this.#storeLanes(r));
        tail();
        this.#each("laned", (_, r) => this.#loadLanes(r));
      });
      code.get(col).get(width).op(OP.ltU, OP.ifNo).when(() => this.#each("laned", (_, r) => this.#fold(r)));
    } else tail();
    this.#each("counted", (reduction, r) => this.#empty(reduction, r));
  }

  #storeLanes(r: number): void {
    this.#accumulators[r]!.forEach((acc, a) => {
      this.#code.get(this.locals.lanes).get(acc).memory(SIMD.store, 64 * r + 16 * a);
    });
  }

  /** `out += ((l0+l4)+(l2+l6)) + ((l1+l5)+(l3+l7))`; the lanes in memory become zero. */
  #fold(r: number): void {
    const code = this.#code;
    const [a, b, c, d] = this.#accumulators[r] as [number, number, number, number];
    const { pointer } = this.locals.outputs[r]!;
    code.get(a).get(c).simd(SIMD.f64Add).get(b).get(d).simd(SIMD.f64Add).simd(SIMD.f64Add).set(a);
    code.get(pointer).get(pointer).scalar(OP.f64Load);
    code.get(a).simd(SIMD.f64Lane, 0).get(a).simd(SIMD.f64Lane, 1).op(OP.f64Add, OP.f64Add);
    code.scalar(OP.f64Store);
    for (let k = 0; k < 4; k++) {
      code.get(this.locals.lanes).simd(SIMD.constant, ...Array.from({ length: 16 }, () => 0));
      code.memory(SIMD.store, 64 * r + 16 * k);
    }
  }

  /** `out +=` the counters; for truth values of 64 bits each half counts, so only every other counter is used. */
  #empty({ how }: Reduction, r: number): void {
    const code = this.#code;
    const { pointer } = this.locals.outputs[r]!;
    code.get(pointer).get(pointer).scalar(OP.f64Load);
    for (const lane of how === "count" && this.emitter.facts.bytes === 8 ? [0, 2] : [0, 1, 2, 3]) {
      code.get(this.#accumulators[r]![0]!).simd(SIMD.i32Lane, lane).op(OP.f64FromI32, OP.f64Add);
    }
    code.scalar(OP.f64Store);
  }

  /** Emits a whole step. */
  #step(): void {
    const { emitter } = this;
    this.#each("counted", ({ how }, r) => {
      if (how === "sum") this.#addShort(this.#accumulators[r]![0]!);
    });
    if (this.#stride > 8) return; // no other reduction needs the values
    const { lanes } = emitter.facts;
    for (let first = 0; first < this.#stride; first += lanes) {
      const unit = emitter.unit(first, false);
      this.#reduceUnit(unit, (_, r, half) => this.#accumulators[r]![first / 2 + half]!);
      this.#store(unit);
    }
  }

  /** Emits one pixel: rounded sums go to their lane in memory. */
  #single(): void {
    const code = this.#code;
    const { lanes, col } = this.locals;
    const unit = this.emitter.unit(0, true);
    this.#each("laned", ({ value }, r) => {
      const at = code.local("i32");
      code.get(lanes).get(col).i32(7).op(OP.and).i32(3).op(OP.shl, OP.add).tee(at);
      code.get(at).memory(SIMD.load64Splat, 64 * r);
      pushNumber(this.emitter, value, unit);
      widen(code, this.emitter, 0);
      code.simd(SIMD.f64Add).memory(SIMD.store64Lane, 64 * r, 0);
    });
    this.#each("counted", (reduction, r) => {
      count(this.emitter, reduction, unit, this.#accumulators[r]![0]!, this.#firstLane);
    });
    this.#reduceUnit(unit);
    this.#store(unit);
  }

  #reduceUnit(unit: Unit, laneOf?: (reduction: Reduction, r: number, half: 0 | 1) => number): void {
    const { emitter } = this;
    const code = this.#code;
    emitter.program.reductions.forEach((reduction, r) => {
      const { axis, how, value } = reduction;
      const acc = this.#accumulators[r]![0]!;
      if (axis === "frames") return this.#overFrames(reduction, r, unit);
      if (this.#counted[r]) {
        if (!unit.single && how === "count") count(emitter, reduction, unit, acc);
      } else if (!this.#laned[r]) {
        code.get(acc);
        emitter.push(value, unit);
        code.simd(extreme(emitter, how as "min" | "max")).set(acc);
      } else if (laneOf) {
        const number = code.local("v128");
        emitter.push(value, unit);
        code.set(number);
        for (let half: 0 | 1 = 0; half < widths(emitter, unit); half++) {
          const lane = laneOf(reduction, r, half as 0 | 1);
          code.get(lane).get(number);
          widen(code, emitter, half as 0 | 1);
          code.simd(SIMD.f64Add).set(lane);
        }
      }
    });
  }

  /** Reductions over frames that are computed together with those over pixels: their accumulators stay in memory. */
  #overFrames({ how, value }: Reduction, r: number, unit: Unit): void {
    const { emitter } = this;
    const code = this.#code;
    const number = code.local("v128");
    pushNumber(emitter, value, unit);
    code.set(number);
    for (let half = 0; half < widths(emitter, unit); half++) {
      const offset = 8 * unit.first + 16 * half;
      const place = this.locals.places[r]!;
      code.get(place).get(place).memory(unit.single ? SIMD.load64Splat : SIMD.load, offset).get(number);
      widen(code, emitter, half as 0 | 1);
      code.simd(joining(how));
      if (unit.single) code.memory(SIMD.store64Lane, offset, 0);
      else code.memory(SIMD.store, offset);
    }
  }

  #store(unit: Unit): void {
    const { emitter, locals } = this;
    const { bytes } = emitter.facts;
    emitter.program.maps.forEach((map, m) => {
      this.#code.get(locals.places[emitter.program.reductions.length + m]!);
      emitter.push(map, unit);
      if (!unit.single) this.#code.memory(SIMD.store, bytes * unit.first);
      else this.#code.memory(bytes === 4 ? SIMD.store32Lane : SIMD.store64Lane, 0, 0);
    });
  }

  /** Adds pairs of short integers of a whole step, without converting them to floats. */
  #addShort(acc: number): void {
    const code = this.#code;
    const { sample, order } = this.emitter;
    const { kind, itemSize } = dtypeInfo(sample.dtype);
    const isSigned = kind === "i";
    const bytes = this.#stride * itemSize;
    code.get(acc);
    for (let at = 0; at < bytes; at += 16) {
      code.get(this.locals.sample).memory(bytes === 8 ? SIMD.load64Zero : SIMD.load, at);
      if (order !== undefined) code.get(order).simd(SIMD.swizzle);
      if (itemSize === 1) code.simd(isSigned ? SIMD.pairs8S : SIMD.pairs8U);
      code.simd(isSigned ? SIMD.pairs16S : SIMD.pairs16U);
      if (at > 0) code.simd(SIMD.i32Add);
    }
    code.simd(SIMD.i32Add).set(acc);
  }
}

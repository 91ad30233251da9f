/**
 * The plain twin of a compiled expression: the specification of its results, bit for bit.
 *
 * ```
 * over pixels    sums: sample i of a row is added to lane i mod 8; when the row is complete,
 *                ((l0+l4)+(l2+l6)) + ((l1+l5)+(l3+l7)) is added to the result, in float64
 * over frames    out[pixel] += value, frame after frame, in float64
 * maps           out[frame][pixel] = value
 * ```
 */

import type { KernelSource } from "../../src/expr/compile.ts";
import { Evaluator, type LeafReader } from "../../src/expr/evaluate.ts";
import {
  type ExpressionCall,
  type ExpressionKernel,
  isLaned,
  type SampleType,
} from "../../src/expr/program/call.ts";
import { FLOATS } from "../../src/expr/program/precision.ts";
import type { Program, Reduction } from "../../src/expr/program/program.ts";
import { beforeSingle } from "../../src/space/cast.ts";
import { dtypeInfo } from "../../src/space/dtype.ts";

/** The plain twin over a memory. */
export function expressionTwin(
  { program, sample }: KernelSource,
  memory: WebAssembly.Memory,
): ExpressionKernel {
  const roots = [...program.reductions.map(({ value }) => value), ...program.maps];
  const evaluator = new Evaluator(program.graph, roots);
  return (call) => new TwinCall(program, sample, memory, evaluator, call).run();
}

class TwinCall {
  readonly #view: DataView;
  readonly #facts;
  readonly #itemSize: number;

  constructor(
    private readonly program: Program,
    private readonly sample: SampleType,
    memory: WebAssembly.Memory,
    private readonly evaluator: Evaluator,
    private readonly call: ExpressionCall,
  ) {
    this.#view = new DataView(memory.buffer);
    this.#facts = FLOATS[program.precision];
    this.#itemSize = dtypeInfo(sample.dtype).itemSize;
  }

  run(): void {
    const { frames, start, count, width } = this.call;
    for (let f = 0; f < frames; f++) {
      for (let i = 0; i < count; i++) {
        const pixel = start + i;
        this.evaluator.run(this.#reader(f, i));
        this.program.reductions.forEach((reduction, r) => this.#reduce(reduction, r, f, i));
        this.program.maps.forEach((map, m) => this.#store(m, f, i, this.evaluator.lane(map)));
        if ((pixel + 1) % width === 0) this.#endRow(f);
      }
    }
  }

  #reader(f: number, i: number): LeafReader {
    const { data, frameStride, start, width, frame, arrays, params } = this.call;
    const pixel = start + i;
    return (name, index) => {
      if (name === "sample") return this.#sample(data + f * frameStride + i * this.#itemSize);
      if (name === "array") return this.#number(arrays[index]! + pixel * this.#facts.bytes);
      if (name === "parameter") return params[index]!;
      if (name === "row") return Math.floor(pixel / width);
      return name === "col" ? pixel % width : frame;
    };
  }

  #sample(at: number): number {
    const little = this.sample.byteOrder === "little";
    const sample = readSample(this.#view, at, this.sample.dtype, little);
    return this.#facts.bytes === 4 ? beforeSingle(sample) : Number(sample);
  }

  #number(at: number): number {
    return this.#facts.bytes === 4 ? this.#view.getFloat32(at, true) : this.#view.getFloat64(at, true);
  }

  #reduce(reduction: Reduction, r: number, f: number, i: number): void {
    const { lanes, outputs, start, width } = this.call;
    const { pointer, stride } = outputs[r]!;
    const value = this.evaluator.lane(reduction.value);
    const column = (start + i) % width;
    const at = isLaned(reduction, this.sample)
      ? lanes + 64 * r + 8 * (column % 8)
      : reduction.axis === "frame"
      ? pointer + f * stride
      : pointer + 8 * i;
    const before = this.#view.getFloat64(at, true);
    this.#view.setFloat64(at, combine(reduction.how, before, value), true);
  }

  /** Folds the lanes of a complete row. */
  #endRow(f: number): void {
    const { lanes, outputs } = this.call;
    this.program.reductions.forEach((reduction, r) => {
      if (!isLaned(reduction, this.sample)) return;
      const base = lanes + 64 * r;
      const lane = (k: number) => this.#view.getFloat64(base + 8 * k, true);
      const row = ((lane(0) + lane(4)) + (lane(2) + lane(6))) + ((lane(1) + lane(5)) + (lane(3) + lane(7)));
      const at = outputs[r]!.pointer + f * outputs[r]!.stride;
      this.#view.setFloat64(at, this.#view.getFloat64(at, true) + row, true);
      for (let k = 0; k < 8; k++) this.#view.setFloat64(base + 8 * k, 0, true);
    });
  }

  #store(m: number, f: number, i: number, value: number): void {
    const { pointer, stride } = this.call.outputs[this.program.reductions.length + m]!;
    const at = pointer + f * stride + i * this.#facts.bytes;
    if (this.#facts.bytes === 4) this.#view.setFloat32(at, value, true);
    else this.#view.setFloat64(at, value, true);
  }
}

function combine(how: Reduction["how"], before: number, value: number): number {
  if (how === "min") return Math.min(before, value);
  return how === "max" ? Math.max(before, value) : before + value;
}

/** One sample. */
export function readSample(
  view: DataView,
  at: number,
  dtype: SampleType["dtype"],
  little: boolean,
): number | bigint {
  switch (dtype) {
    case "int8":
      return view.getInt8(at);
    case "uint16":
      return view.getUint16(at, little);
    case "int16":
      return view.getInt16(at, little);
    case "uint32":
      return view.getUint32(at, little);
    case "int32":
      return view.getInt32(at, little);
    case "uint64":
      return view.getBigUint64(at, little);
    case "int64":
      return view.getBigInt64(at, little);
    case "float16":
      return view.getFloat16(at, little);
    case "float32":
      return view.getFloat32(at, little);
    case "float64":
      return view.getFloat64(at, little);
    default:
      return view.getUint8(at); // uint8, bool
  }
}

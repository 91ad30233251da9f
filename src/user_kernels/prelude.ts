/**
 * The environment in which a kernel is compiled: the compiler, its flags, and the files that the source can import.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { PACKAGES } from "../packages.ts";
import { type DType, dtypeInfo } from "../space/dtype.ts";
import type { Shape } from "../space/shape.ts";

// The facts of a view as a kernel sees them: a record in memory, and the class by which AssemblyScript reads it.
//
// ```text
//    0  u32  address of the first sample of the tile      4  i32  number of dimensions
//   per dimension d, from 8 + 24 d on:
//   +0  i32  samples of the tile     +4  u32  bytes from one sample to the next
//   +8  i32  samples of halo before  +12 i32  samples of halo behind     +16  i64  position of the tile in the array
// ```

/** What sources get as `View` from "tilewise". */
const VIEW_CLASS = `
@unmanaged export class View {
  data: usize;
  rank: i32;
  @inline private at(d: i32): usize { return changetype<usize>(this) + 8 + 24 * <usize>d; }
  @inline shape(d: i32): i32 { return load<i32>(this.at(d)); }
  @inline stride(d: i32): i32 { return load<i32>(this.at(d), 4); }
  @inline radius(d: i32): i32 { return load<i32>(this.at(d), 8); }
  @inline back(d: i32): i32 { return load<i32>(this.at(d), 12); }
  @inline origin(d: i32): i64 { return load<i64>(this.at(d), 16); }
}`;

/** The facts of one view. */
interface ViewRecord {
  /** Address of the first sample of the tile. */
  readonly data: number;
  /** Samples of the tile, per dimension. */
  readonly shape: Shape;
  /** Bytes from one sample to the next, per dimension. */
  readonly strides: Shape;
  /** Samples of halo before the tile, per dimension. */
  readonly radius: Shape;
  /** Samples of halo behind it, per dimension. */
  readonly back: Shape;
  /** Position of the tile in the array, per dimension. */
  readonly origin: Shape;
}

/** Bytes of a record of `rank` dimensions. */
export function viewRecordBytes(rank: number): number {
  return 8 + 24 * rank;
}

/** Writes the facts of a view to address `pointer`. */
export function writeViewRecord({ buffer }: WebAssembly.Memory, pointer: number, view: ViewRecord): void {
  const { data, shape, strides, radius, back, origin } = view;
  const record = new DataView(buffer, pointer, viewRecordBytes(shape.length));
  record.setUint32(0, data, true);
  record.setInt32(4, shape.length, true);
  for (const d of shape.keys()) {
    const at = 8 + 24 * d;
    record.setInt32(at, shape[d]!, true);
    record.setUint32(at + 4, strides[d]!, true);
    record.setInt32(at + 8, radius[d]!, true);
    record.setInt32(at + 12, back[d]!, true);
    record.setBigInt64(at + 16, BigInt(origin[d]!), true);
  }
}

/** The compiler, with its version. */
export const COMPILER: string = PACKAGES["assemblyscript/asc"];

/**
 * How a source is compiled: `fast` with all optimizations; plainly as its own twin, without SIMD unless the source uses
 * it.
 */
export type Build = "fast" | "plain" | "plain-simd";

/** `abort` becomes a trap, which the source map locates; statics are compiled to a base that can be moved. */
const COMMON = "--runtime stub --use abort= --sourceMap --importMemory --noExportMemory --sharedMemory " +
  "--maximumMemory 65536 --enable threads";

const FLAGS: Readonly<Record<Build, string>> = {
  fast: "-O3 --enable simd",
  plain: "--optimizeLevel 0 --disable simd",
  "plain-simd": "--optimizeLevel 0 --enable simd",
};

/** The flags of a build, as the compiler takes them. */
export function flagsOf(build: Build): string[] {
  return `${COMMON} ${FLAGS[build]}`.split(" ");
}

/** Part of the cache key; change it when the same source and flags give another compiled kernel. */
export const FORMAT = "kernel-3";

/** The export that says where statics end. */
export const STATICS_END = "tilewise_statics_end";

/** The types that a source is compiled for. */
export interface KernelTypes {
  /** The dtype that `Sample` stands for, for sources that import it. */
  readonly sample?: DType;
  /** For kernels over views, the dtype that `Result` stands for. */
  readonly result?: DType;
}

/** A library in AssemblyScript whose functions are imported by the compiled kernel. */
export interface Library {
  /** The name by which sources import it, such as `tilewise/channels`. */
  readonly name: string;
  /** Its source. */
  readonly text: string;
  /** The name of the module from which the compiled kernel imports. */
  readonly module: string;
  /** What there is to import. */
  readonly functions: readonly string[];
}

/** The files that the source can import. */
export function filesBeside({ sample, result }: KernelTypes, library?: Library): Record<string, string> {
  const types = [
    ...(sample
      ? [`export type Sample = ${mustHaveType(sample, `Cannot give ${sample} samples to a kernel`)};`]
      : []),
    ...(result
      ? [`export type Result = ${mustHaveType(result, `Cannot make ${result} with a kernel`)};`, VIEW_CLASS]
      : []),
  ];
  return {
    "tilewise_statics.ts": `export function ${STATICS_END}(): usize { return __heap_base; }\n`,
    ...(library ? { [`node_modules/${library.name}.ts`]: library.text } : {}),
    "node_modules/tilewise/index.ts": types.map((text) => `${text}\n`).join(""),
  };
}

/** Whether the source is written for any type of samples. */
export function isGeneric(source: string): boolean {
  return /\bfrom\s*["']tilewise["']/.test(source) && /\bSample\b/.test(source);
}

function mustHaveType(dtype: DType, problem: string): string {
  const name = typeName(dtype);
  if (name !== undefined) return name;
  const text = `${problem}: AssemblyScript has no such type; ` +
    `declare input: "float32"${dtypeInfo(dtype).kind === "c" ? " or write it in TypeScript" : ""}`;
  throw new TilewiseError("udf", text, { found: dtype });
}

/** The AssemblyScript type of numbers; undefined if there is none. */
export function typeName(dtype: DType): string | undefined {
  const { kind, short } = dtypeInfo(dtype);
  if (kind === "c" || dtype === "float16") return undefined;
  return dtype === "bool" ? "u8" : short;
}

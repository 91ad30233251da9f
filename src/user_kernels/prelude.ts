/**
 * The environment in which a kernel is compiled: the compiler, its flags, and the files that the source can import.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { PACKAGES } from "../packages.ts";
import { type DType, dtypeInfo } from "../space/dtype.ts";
import { VIEW_CLASS } from "./view_class.ts";

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

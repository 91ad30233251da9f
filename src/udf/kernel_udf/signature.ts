/**
 * The calling convention: the signature of a kernel for its declared buffers, arrays and parameters.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { type CompiledKernel, sourceExports } from "./compile.ts";
import type { KernelCall, SourceKernel } from "./options.ts";

/** One parameter of a kernel. */
interface Parameter {
  readonly name: string;
  readonly type: "usize" | "i32" | "f64";
}

const FIRST: Readonly<Record<KernelCall, readonly string[]>> = {
  frame: ["data: usize", "rows: i32", "cols: i32"],
  tile: ["data: usize", "frames: i32", "frameStride: usize", "rows: i32", "cols: i32"],
};

/** The parameters that a kernel must have. */
export function parametersOf(call: KernelCall, options: SourceKernel): Parameter[] {
  const { buffers, arrays = {}, scratch = {}, params = {} } = options;
  const pointers = [buffers, arrays, scratch].flatMap((group) => Object.keys(group));
  return [
    ...FIRST[call].map((text) => {
      const [name, type] = text.split(": ") as [string, Parameter["type"]];
      return { name, type };
    }),
    ...pointers.map((name) => ({ name, type: "usize" as const })),
    ...Object.keys(params).map((name) => ({ name, type: "f64" as const })),
  ];
}

/** The export that will be called, after its signature has been checked. */
export function callOf(kernel: CompiledKernel, name: string, options: SourceKernel): KernelCall {
  const exported = sourceExports(kernel);
  const calls = (["frame", "tile"] as const).filter((call) => exported.includes(call));
  const call = options.export ?? calls[0];
  if (call === undefined || !exported.includes(call)) {
    const has = exported.length > 0 ? `it exports ${exported.join(", ")}` : "it exports no function";
    const wanted = options.export ?? "frame or tile";
    const hint = `write: export function ${expected(options.export ?? "frame", options)}`;
    throw new TilewiseError("udf", `Kernel "${name}" has no export ${wanted}: ${has}; ${hint}`, {
      kernel: name,
      expected: wanted,
      found: exported.join(", "),
    });
  }
  checkSignature(kernel, name, call, call, options);
  return call;
}

/** Refuses an export with other parameters than it will get. */
export function checkSignature(
  kernel: CompiledKernel,
  name: string,
  exported: string,
  call: KernelCall,
  options: SourceKernel,
): void {
  const { params, results } = kernel.functions[exported]!;
  const wanted = parametersOf(call, options).map(({ type }) => type === "f64" ? "f64" : "i32");
  if (params.join() === wanted.join() && results.length === 0) return;
  const found = `${exported}(${params.join(", ")}): ${results.join(", ") || "void"}`;
  const text = `Kernel "${name}" has another signature: expected ${expected(call, options, exported)}, ` +
    `found ${found} (usize is i32)`;
  throw new TilewiseError("udf", text, { kernel: name, expected: expected(call, options, exported), found });
}

function expected(call: KernelCall, options: SourceKernel, name: string = call): string {
  const list = parametersOf(call, options).map(({ name, type }) => `${name}: ${type}`);
  return `${name}(${list.join(", ")}): void`;
}

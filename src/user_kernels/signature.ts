/**
 * The calling convention: the signature that a kernel must have for what it was declared with.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { type CompiledKernel, sourceExports } from "./compile.ts";

/** What kernels of one kind are called with: addresses (`usize`), sizes (`i32`) and numbers (`f64`). */
export interface Convention<C extends string> {
  /** The exports that can be called, each with its first parameters as text; the first one that a kernel has is called. */
  readonly calls: Readonly<Record<C, readonly string[]>>;
  /** Names of the addresses that follow. */
  readonly addresses: readonly string[];
  /** Names of the numbers that come last. */
  readonly numbers: readonly string[];
}

/** The parameters that a kernel must have, as text. */
function parametersOf<C extends string>(call: C, { calls, addresses, numbers }: Convention<C>): string[] {
  return [
    ...calls[call],
    ...addresses.map((name) => `${name}: usize`),
    ...numbers.map((name) => `${name}: f64`),
  ];
}

/** The export that will be called, after its signature has been checked; `wanted`: the one that was asked for. */
export function callOf<C extends string>(
  kernel: CompiledKernel,
  name: string,
  convention: Convention<C>,
  wanted: C | undefined,
): C {
  const exported = sourceExports(kernel);
  const calls = Object.keys(convention.calls) as C[]; // the keys of a record are its calls
  const call = wanted ?? calls.find((one) => exported.includes(one));
  if (call === undefined || !exported.includes(call)) {
    const has = exported.length > 0 ? `it exports ${exported.join(", ")}` : "it exports no function";
    const missing = wanted ?? calls.join(" or ");
    const hint = `write: export function ${expected(wanted ?? calls[0]!, convention)}`;
    throw new TilewiseError("udf", `Kernel "${name}" has no export ${missing}: ${has}; ${hint}`, {
      kernel: name,
      expected: missing,
      found: exported.join(", "),
    });
  }
  checkSignature(kernel, name, call, call, convention);
  return call;
}

/** Refuses an export with other parameters than it will get. */
export function checkSignature<C extends string>(
  kernel: CompiledKernel,
  name: string,
  exported: string,
  call: C,
  convention: Convention<C>,
): void {
  const { params, results } = kernel.functions[exported]!;
  const wanted = parametersOf(call, convention).map((text) => text.endsWith(": f64") ? "f64" : "i32");
  if (params.join() === wanted.join() && results.length === 0) return;
  const found = `${exported}(${params.join(", ")}): ${results.join(", ") || "void"}`;
  const text = `Kernel "${name}" has another signature: expected ${expected(call, convention, exported)}, ` +
    `found ${found} (usize is i32)`;
  const details = { kernel: name, expected: expected(call, convention, exported), found };
  throw new TilewiseError("udf", text, details);
}

function expected<C extends string>(call: C, convention: Convention<C>, name: string = call): string {
  return `${name}(${parametersOf(call, convention).join(", ")}): void`;
}

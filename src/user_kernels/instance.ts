/**
 * A compiled kernel, bound to the memory of a run.
 *
 * @module
 */

import { unshared } from "../space/unshared.ts";
import { compileKernels } from "../kernels/code.ts";
import { isShared, kernelImports } from "../kernels/with_memory.ts";
import type { CompiledKernel } from "./compile.ts";
import { withAnyMemory } from "./imports.ts";
import { moveStatics } from "./statics.ts";

/** An exported function of a kernel: it takes numbers and addresses, and returns nothing. */
export type KernelFunction = (...args: readonly number[]) => void;

/** Modules of this thread by what they were made from, including the address of statics. */
const modules = new Map<string, WebAssembly.Module>();

/** Number of modules that are kept; the oldest is removed first. */
const KEPT = 64;

/**
 * The functions of `kernel` over `memory`, with its static data at address `statics`; `calls`: what it imports beside the memory,
 * by module.
 */
export function instantiate(
  kernel: CompiledKernel,
  memory: WebAssembly.Memory,
  statics: number,
  calls: WebAssembly.Imports = {},
): Readonly<Record<string, KernelFunction>> {
  const shared = isShared(memory);
  const id = `${kernel.key} ${shared} ${kernel.moves.length > 0 ? statics : 0}`;
  let module = modules.get(id);
  if (!module) {
    const moved = moveStatics(kernel.wasm, kernel.moves, statics);
    const bytes = kernel.imports ? withAnyMemory(moved, shared) : moved;
    module = compileKernels(unshared(bytes));
    if (modules.size >= KEPT) modules.delete(modules.keys().next().value!);
    modules.set(id, module);
  }
  const { exports } = new WebAssembly.Instance(module, { ...calls, ...kernelImports(memory) });
  return exports as Record<string, KernelFunction>;
}

/** How many bytes later instructions are in an instance than in the compiled module. */
export function shiftOf({ imports, wasm }: CompiledKernel, memory: WebAssembly.Memory): number {
  return imports ? withAnyMemory(wasm, isShared(memory)).length - wasm.length : 0;
}

/**
 * A compiled kernel, bound to the memory of a run.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { reasonOf } from "../reason.ts";
import { unshared } from "../space/unshared.ts";
import { compileKernels } from "../kernels/code.ts";
import { isShared, type KernelImports, kernelImports } from "../kernels/with_memory.ts";
import type { CompiledKernel } from "./compile.ts";
import { noteKernel } from "./first_page.ts";
import { withAnyMemory } from "./imports.ts";
import { moveStatics } from "./statics.ts";
import { placeOf } from "./trap.ts";

/** An exported function of a kernel: it takes numbers and addresses, and returns nothing. */
export type KernelFunction = (...args: readonly number[]) => unknown;

/** Modules of this thread by what they were made from, including the address of statics. */
const modules = new Map<string, WebAssembly.Module>();

/** Number of modules that are kept; the oldest is removed first. */
const KEPT = 64;

/** An instance of a kernel. */
export interface InstanceOptions {
  /** The name of the kernel in messages. */
  readonly name: string;
  /** Where its static data go; it needs an address only if it has any. */
  readonly statics?: number | undefined;
  /** What it imports beside the memory, by module. */
  readonly calls?: WebAssembly.Imports;
}

/** The function `call` of `kernel` over `memory`. Executors check the first page after tasks in which it was called. */
export function instantiate(
  kernel: CompiledKernel,
  call: string,
  memory: WebAssembly.Memory,
  { name, statics: given, calls = {} }: InstanceOptions,
): KernelFunction {
  const statics = addressOf(kernel, name, given);
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
  const run = started(kernel, module, name, { ...calls, ...kernelImports(memory) })[call]!;
  return (...args) => {
    noteKernel(memory, name);
    return run(...args);
  };
}

/** The exports of a new instance, whose code at the top level has run. */
function started(
  kernel: CompiledKernel,
  module: WebAssembly.Module,
  name: string,
  imports: KernelImports,
): Readonly<Record<string, KernelFunction>> {
  noteKernel(imports.env.memory, name);
  try {
    return new WebAssembly.Instance(module, imports).exports as Record<string, KernelFunction>;
  } catch (error) {
    const place = placeOf(error, kernel, shiftOf(kernel, imports.env.memory));
    const source = place ? ` (${place.file}:${place.line}:${place.column})` : "";
    const text = `Kernel "${name}" failed before its first call, at its top level: ${
      reasonOf(error)
    }${source}`;
    throw new TilewiseError("udf", text, { kernel: name, ...place }, { cause: error });
  }
}

/** Where static data go; any address does where there are none. */
function addressOf({ statics }: CompiledKernel, name: string, given: number | undefined): number {
  if (statics === 0 || given !== undefined) return given ?? 0;
  throw new TilewiseError("corrupt", `There is no memory for the static data of kernel "${name}"`);
}

/** How many bytes later instructions are in an instance than in the compiled module. */
export function shiftOf({ imports, wasm }: CompiledKernel, memory: WebAssembly.Memory): number {
  return imports ? withAnyMemory(wasm, isShared(memory)).length - wasm.length : 0;
}

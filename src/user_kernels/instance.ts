/**
 * A compiled kernel, bound to the memory of a run.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { compileKernels, isShared, type KernelImports, kernelImports } from "../kernels/code.ts";
import { fencing } from "../memory/fencing.ts";
import { checkAfterTasks, FIRST_PAGE } from "../memory/first_page.ts";
import { reasonOf } from "../reason.ts";
import { unshared } from "../space/bytes.ts";
import type { CompiledKernel } from "./compile.ts";
import { moveStatics, withAnyMemory } from "./imports.ts";

/** A place in a source. */
export interface SourcePosition {
  /** Its file. */
  readonly file: string;
  /** Its line, from 1 on. */
  readonly line: number;
  /** Its column, from 1 on. */
  readonly column: number;
}

/**
 * The place in the user's source where `error` was thrown, if its stack says it; `shift` is how many bytes later
 * instructions are in the running module than in the compiled one.
 */
export function placeOf(error: unknown, kernel: CompiledKernel, shift: number): SourcePosition | undefined {
  const stack = error instanceof Error ? error.stack ?? "" : "";
  for (const [, hex] of stack.matchAll(/wasm-function\[\d+\]:0x([0-9a-f]+)/g)) {
    const place = lookUp(kernel, parseInt(hex!, 16) - shift);
    if (place) return place;
  }
  return undefined;
}

/** The last mapping at or before a byte; for inlined library code, the place just before. */
function lookUp({ mappings, sources }: CompiledKernel, byte: number): SourcePosition | undefined {
  let found: SourcePosition | undefined;
  let [column, source, line, sourceColumn] = [0, 0, 0, 0];
  for (const segment of mappings.split(",")) { // there is only one line: the columns are bytes of the module
    const [bytes, file, lines, columns] = numbers(segment);
    column += bytes ?? 0;
    if (column > byte) break;
    if (file === undefined) continue;
    source += file;
    line += lines ?? 0;
    sourceColumn += columns ?? 0;
    const name = sources[source]!;
    if (!name.startsWith("~lib/")) found = { file: name, line: line + 1, column: sourceColumn + 1 };
  }
  return found;
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/**
 * The numbers of a segment, five bits per digit, the lowest first; the sixth bit says that more digits follow, the
 * first bit is the sign.
 */
function numbers(segment: string): number[] {
  const found: number[] = [];
  let [value, shift] = [0, 0];
  for (const char of segment) {
    const digit = DIGITS.indexOf(char);
    value |= (digit & 31) << shift;
    shift += 5;
    if (digit & 32) continue;
    found.push(value & 1 ? -(value >>> 1) : value >>> 1);
    [value, shift] = [0, 0];
  }
  return found;
}

// Finds kernels of users that write to the first page of the memory, which is never leased: it has zeros, or fences in tests.
// Code that computes with an address that it was not given mostly writes there.
//
// ```
// noteKernel(memory, name)   before a kernel is called
// checkFirstPage(memory)     after the task in which it was called
// ```

/** Who was called last since the last look, per memory. */
const called = new WeakMap<WebAssembly.Memory, string>();

/** Notes that the kernel `name` of a user is called over `memory`. */
function noteKernel(memory: WebAssembly.Memory, name: string): void {
  called.set(memory, name);
  checkAfterTasks(checkFirstPage);
}

/** Throws if a kernel of a user was called since the last look, and the first page has been written to. */
function checkFirstPage(memory: WebAssembly.Memory): void {
  const name = called.get(memory);
  if (name === undefined) return;
  called.delete(memory);
  const at = touchedAt(memory);
  if (at === undefined) return;
  const text =
    `Kernel "${name}" writes at address ${at}, outside of its memory: the first ${FIRST_PAGE} bytes ` +
    "belong to nobody. Write to the addresses that it is given only; what else it has changed in the memory " +
    "of this context is not known";
  throw new TilewiseError("udf", text, { kernel: name, offset: at });
}

/** The first address of the first page that has been written to; the page is clean again afterwards. */
function touchedAt(memory: WebAssembly.Memory): number | undefined {
  const fences = fencing()?.of(memory);
  if (fences) return fences.touched(0, FIRST_PAGE);
  const words = new Int32Array(memory.buffer, 0, Math.min(FIRST_PAGE, memory.buffer.byteLength) / 4);
  for (let word = 0; word < words.length; word++) {
    if (words[word] === 0) continue;
    words.fill(0);
    return 4 * word;
  }
  return undefined;
}

/** An exported function of a kernel: it takes numbers and addresses, and returns nothing. */
export type KernelFunction = (...args: readonly number[]) => unknown;

/** Modules of this thread by what they were made from, including the address of statics. */
const modules = new Map<string, WebAssembly.Module>();

/** Number of modules that are kept; the oldest is removed first. */
const KEPT = 64;

/** An instance of a kernel. */
interface InstanceOptions {
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

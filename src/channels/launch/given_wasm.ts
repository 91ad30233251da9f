/**
 * Modules of WebAssembly that users have compiled themselves: what a launch can run of them.
 *
 * The memory of a launch is that of the context: other buffers lie in it. So a module must not believe that the memory is its own,
 * with data at addresses that it chose, or with a stack there.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { sha256 } from "../../io/hash.ts";
import { reasonOf } from "../../reason.ts";
import { unshared } from "../../space/unshared.ts";
import type { CompiledKernel } from "../../user_kernels/compile.ts";
import { type Import, readImports } from "../../user_kernels/imports.ts";
import { exportedFunctions, leb, SECTION, sectionsOf } from "../../user_kernels/inspect.ts";
import { IMPORT_MODULE } from "../files/import_table.ts";

/** Number of the section of memories that a module has of its own. */
const MEMORY_SECTION = 5;

/** A module as a kernel, after it has been checked; `functions`: what it may import. */
export async function givenKernel(
  bytes: Uint8Array,
  name: string,
  functions: readonly string[],
): Promise<CompiledKernel> {
  const wasm = unshared(bytes).slice();
  mustBeValid(wasm, name);
  const imports = readImports(wasm);
  const problem = problemOf(wasm, imports, functions);
  if (problem !== undefined) throw refused(name, problem);
  const section = sectionsOf(wasm).get(SECTION.import);
  return {
    key: await sha256(wasm),
    wasm,
    ...(section ? { imports: [section.header, section.end] as const } : {}),
    moves: [],
    statics: 0,
    functions: exportedFunctions(
      wasm,
      imports.filter(({ kind }) => kind === "function").map(({ type }) => type),
    ),
    sources: [],
    mappings: "",
  };
}

function mustBeValid(wasm: Uint8Array<ArrayBuffer>, name: string): void {
  try {
    new WebAssembly.Module(wasm);
  } catch (cause) {
    const text = `Cannot use kernel "${name}": its bytes are not a module of WebAssembly: ${reasonOf(cause)}`;
    throw new TilewiseError("udf", text, { kernel: name }, { cause });
  }
}

function refused(name: string, problem: string): TilewiseError {
  return new TilewiseError("udf", `Cannot use kernel "${name}": ${problem}`, {
    kernel: name,
    found: problem,
  });
}

/** Why a launch cannot run a module; nothing if it can. */
function problemOf(
  wasm: Uint8Array,
  imports: readonly Import[],
  functions: readonly string[],
): string | undefined {
  const foreign = imports.filter((one) => !isGiven(one, functions));
  if (foreign.length > 0) {
    const names = foreign.map(({ module, name }) => `${module}.${name}`).join(", ");
    return `it imports ${names}; there are env.memory and, from "${IMPORT_MODULE}", ${functions.join(", ")}`;
  }
  const sections = sectionsOf(wasm);
  if (sections.has(MEMORY_SECTION)) return "it has a memory of its own; link it with --import-memory";
  const data = sections.get(SECTION.data);
  const own =
    "memory of the launch, in which other buffers lie; give { source } instead, whose data are moved, " +
    "or run it with a memory of its own, as a WASI program";
  if (data && leb(wasm, data.start).value > 0) {
    return `it writes data to addresses that it has chosen, in the ${own}`;
  }
  if (hasStack(wasm)) return `it has a stack at an address that it has chosen, in the ${own}`;
  return undefined;
}

function isGiven({ kind, module, name }: Import, functions: readonly string[]): boolean {
  if (kind === "memory") return module === "env" && name === "memory";
  return kind === "function" && module === IMPORT_MODULE && functions.includes(name);
}

const I32 = 0x7f, I32_CONST = 0x41, END = 0x0b;

/** Stacks and heaps begin above the first KiB, at a multiple of 16. */
const LEAST_STACK = 1024, STACK_ALIGNMENT = 16;

/** Whether the first variable of a module looks like the pointer of a stack, as compilers of C and Rust make it. */
function hasStack(wasm: Uint8Array): boolean {
  const section = sectionsOf(wasm).get(SECTION.global);
  if (!section) return false;
  const { next: at } = leb(wasm, section.start);
  if (wasm[at] !== I32 || wasm[at + 1] !== 1 || wasm[at + 2] !== I32_CONST) return false;
  const { value, next } = leb(wasm, at + 3);
  return wasm[next] === END && value >= LEAST_STACK && value % STACK_ALIGNMENT === 0;
}

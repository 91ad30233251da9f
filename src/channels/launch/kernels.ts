/**
 * The kernels that a launch can run, as users give them, and as workers get them.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { wholeUrl } from "../../executor/module_url.ts";
import { sha256 } from "../../io/hash.ts";
import { checkOptionNames, inWords, type OptionNames } from "../../options.ts";
import { must, needed, text } from "../../options/rules.ts";
import { reasonOf } from "../../reason.ts";
import { unshared } from "../../space/bytes.ts";
import { type CompiledKernel, compileKernel, sourceExports } from "../../user_kernels/compile.ts";
import { type Import, readImports } from "../../user_kernels/imports.ts";
import { exportedFunctions, leb, SECTION, sectionsOf } from "../../user_kernels/inspect.ts";
import { nameOf, sourceOf, sourceProblem } from "../../user_kernels/source.ts";
import { IMPORT_MODULE } from "../files/import_table.ts";
import { GRID_FUNCTIONS, LIBRARY } from "./library.ts";
import type { KernelCode, WasmCode } from "./shared.ts";

// Modules of WebAssembly that users have compiled themselves: what a launch can run of them.
//
// The memory of a launch is that of the context: other buffers lie in it. So a module must not believe that the memory is its own,
// with data at addresses that it chose, or with a stack there.

/** Number of the section of memories that a module has of its own. */
const MEMORY_SECTION = 5;

/** A module as a kernel, after it has been checked; `functions`: what it may import. */
async function givenKernel(
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

/**
 * A kernel in AssemblyScript. It is compiled when it is launched, and cached by its content.
 * @category Channels
 */
export interface KernelSource {
  /** Its name in messages. Default: the name of the file. */
  readonly name?: string;
  /** The source. */
  readonly source?: string;
  /** A path or URL of the source. Give either `source` or `file`. */
  readonly file?: string | URL;
  /** The function to call. Default: the only one that the source exports. */
  readonly export?: string;
}

/**
 * A kernel that has been compiled to WebAssembly. It imports its memory as `env.memory`, calls functions of the module `channels`,
 * and has neither data nor a stack at addresses of its own choice: such modules are refused. Variables of C that start at zero
 * leave no trace in a module, and would lie in buffers of others: do without them.
 * @category Channels
 */
export interface KernelBytes {
  /** Its name in messages. Default `kernel`. */
  readonly name?: string;
  /** The module. */
  readonly wasm: Uint8Array;
  /** The function to call. Default: the only one that the module exports. */
  readonly export?: string;
}

/**
 * A kernel in TypeScript: an export of a module, which each worker imports; see {@link Member} for its argument.
 * @category Channels
 */
export interface KernelExport {
  /** Its name in messages. Default: the name of the export. */
  readonly name?: string;
  /** The URL of the module, such as `import.meta.url`. */
  readonly module: string | URL;
  /** The function. */
  readonly export: string;
}

/**
 * A kernel that {@link launchKernel} runs.
 * @category Channels
 */
export type GridKernel = KernelSource | KernelBytes | KernelExport;

const bytes = must<Uint8Array>("bytes (a Uint8Array)", (value) => value instanceof Uint8Array);
const url = must<string | URL>("a URL", (value) => typeof value === "string" || value instanceof URL);

const SOURCE_NAMES: OptionNames<KernelSource> = { name: text, source: text, file: url, export: text };
const BYTES_NAMES: OptionNames<KernelBytes> = { name: text, wasm: needed(bytes), export: text };
const EXPORT_NAMES: OptionNames<KernelExport> = { name: text, module: needed(url), export: needed(text) };

/**
 * What workers need of a kernel; `hasHost`: whether it can call a host. Errors: `invalid`, `udf` with line and column if its source
 * does not compile.
 */
export async function kernelCode(kernel: GridKernel, hasHost: boolean): Promise<KernelCode> {
  const code = await codeOf(kernel);
  if (code.kind === "wasm" && !hasHost) mustNotCall(code);
  return code;
}

/** Without a host there is nobody to call. */
function mustNotCall({ name, kernel }: WasmCode): void {
  const calls = readImports(kernel.wasm).find(({ kind, name }) =>
    kind === "function" && !GRID_FUNCTIONS.includes(name)
  );
  if (!calls) return;
  const text = `Cannot launch kernel "${name}" without a host: it calls ${calls.name}; ` +
    "give launchKernel() a host, as startHost() makes it, in place of the context";
  throw new TilewiseError("invalid", text, { kernel: name, found: calls.name });
}

async function codeOf(kernel: GridKernel): Promise<KernelCode> {
  if (typeof kernel !== "object" || kernel === null) throw noKernel(kernel);
  if ("module" in kernel) return exportCode(kernel);
  if ("wasm" in kernel) return await bytesCode(kernel);
  if ("source" in kernel || "file" in kernel) return await sourceCode(kernel);
  throw noKernel(kernel);
}

function noKernel(given: unknown): TilewiseError {
  const expected = "{ source }, { file }, { wasm } or { module, export }";
  const text = `launchKernel(): a kernel is ${expected}; it was given ${inWords(given)}`;
  return new TilewiseError("invalid", text, { option: "kernel", expected, found: inWords(given) });
}

function exportCode(kernel: KernelExport): KernelCode {
  checkOptionNames("launchKernel()", kernel, EXPORT_NAMES, "kernel");
  const { module, export: exported, name = exported } = kernel;
  if (typeof exported !== "string") throw noKernel(kernel);
  return { kind: "module", name, module: wholeUrl(module, "use the kernel"), export: exported };
}

async function bytesCode(kernel: KernelBytes): Promise<KernelCode> {
  checkOptionNames("launchKernel()", kernel, BYTES_NAMES, "kernel");
  const { wasm, name = "kernel", export: wanted } = kernel;
  return withCall(await givenKernel(wasm, name, LIBRARY.functions), name, wanted);
}

async function sourceCode(kernel: KernelSource): Promise<KernelCode> {
  checkOptionNames("launchKernel()", kernel, SOURCE_NAMES, "kernel");
  const problem = sourceProblem(kernel);
  const name = nameOf(kernel);
  if (problem !== undefined) {
    throw new TilewiseError("invalid", `launchKernel(): ${problem}`, { option: "kernel", kernel: name });
  }
  const compiled = await compileKernel({ ...await sourceOf(kernel), library: LIBRARY, fresh: true });
  return withCall(compiled, name, kernel.export);
}

/** The code with the export that is called. */
function withCall(kernel: CompiledKernel, name: string, wanted: string | undefined): WasmCode {
  const exported = sourceExports(kernel);
  const call = wanted ?? (exported.length === 1 ? exported[0]! : undefined);
  if (call === undefined || !exported.includes(call)) {
    const has = exported.length > 0 ? `it exports ${exported.join(", ")}` : "it exports no function";
    const asked = wanted === undefined ? "needs the option export" : `has no export ${wanted}`;
    throw new TilewiseError("udf", `Kernel "${name}" ${asked}: ${has}`, {
      kernel: name,
      found: exported.join(", "),
    });
  }
  checkResult(kernel, name, call);
  return { kind: "wasm", name, kernel, call };
}

/** A status or count is one number that JavaScript holds without loss. */
function checkResult({ functions }: CompiledKernel, name: string, call: string): void {
  const { results } = functions[call]!;
  if (results.length === 0 || (results.length === 1 && ["i32", "f32", "f64"].includes(results[0]!))) return;
  const found = `${call} returns ${results.join(", ")}`;
  const text = `Cannot launch kernel "${name}": ${found}; it may return one i32, f32 or f64, or nothing`;
  throw new TilewiseError("udf", text, { kernel: name, found });
}

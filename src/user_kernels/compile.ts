/**
 * Compiles the source of a kernel to a module that fits the memory of any run, with a cache.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { readCache, writeCache } from "../io/write/cache.ts";
import { sha256 } from "../io/hash.ts";
import { allocates, type AscOutput, runAsc, type Source, stateOf, staticsEnd } from "./asc.ts";
import { BASES, findMoves, type Import, readImports } from "./imports.ts";
import { exportedFunctions, SECTION, sectionsOf, type Signature } from "./inspect.ts";
import { type Build, COMPILER, flagsOf, FORMAT, STATICS_END } from "./prelude.ts";

/** A compiled kernel, as plain data that travels to workers. */
export interface CompiledKernel {
  /** Digest of source, compiler and flags. */
  readonly key: string;
  /** The module; it imports the memory, and functions of the library that it was compiled with. */
  readonly wasm: Uint8Array;
  /** First byte of the import section, and the byte after its last; absent if the kernel does not use memory. */
  readonly imports?: readonly [number, number];
  /** Where the module contains addresses of static data. */
  readonly moves: readonly number[];
  /** Bytes of static data. */
  readonly statics: number;
  /** What it exports. */
  readonly functions: Readonly<Record<string, Signature>>;
  /** The files that the source map names. */
  readonly sources: readonly string[];
  /** The source map, from bytes of the module to places in the sources. */
  readonly mappings: string;
}

const known = new Map<string, Promise<CompiledKernel>>();

/**
 * Compiles a source, or takes it from a cache: that of this process, or the user's cache folder, if this process may
 * use it. Errors: `udf` with file, line and column, if the source does not compile or does what a kernel may not do.
 */
export async function compileKernel(source: Source, build: Build = "fast"): Promise<CompiledKernel> {
  if (source.text.trim() === "") {
    throw new TilewiseError("udf", `Cannot compile kernel "${source.name}": its source is empty`, {
      kernel: source.name,
      file: source.file,
    });
  }
  const key = await keyOf(source, build);
  const found = known.get(key) ?? remembered(key, source, build);
  known.set(key, found);
  found.catch(() => known.delete(key));
  return await found;
}

/** Clears the cache of this process, for measurements. */
export function forgetKernels(): void {
  known.clear();
}

function keyOf(
  { file, text, sample, result, library, fresh = false }: Source,
  build: Build,
): Promise<string> {
  const types = [
    ...(result === undefined ? [] : [result]),
    ...(library || fresh ? [{ library, fresh }] : []),
  ];
  const all = JSON.stringify([FORMAT, COMPILER, flagsOf(build), file, sample ?? null, text, ...types]);
  return sha256(new TextEncoder().encode(all));
}

async function remembered(key: string, source: Source, build: Build): Promise<CompiledKernel> {
  const stored = await fromStored(key, await readCache(`${key}.json`));
  if (stored) return stored;
  const compiled = await compileFresh(key, source, build);
  await writeCache(`${key}.json`, new TextEncoder().encode(JSON.stringify(await toStored(compiled))));
  return compiled;
}

async function compileFresh(key: string, source: Source, build: Build): Promise<CompiledKernel> {
  const first = await runAsc(source, build, BASES[0]);
  checkModule(source, first, build);
  const statics = staticsEnd(first) - BASES[0];
  const { wasm, sources, mappings } = first;
  const section = sectionsOf(wasm).get(SECTION.import);
  const moves = statics === 0
    ? []
    : findMoves(wasm, withImports((await runAsc(source, build, BASES[1])).wasm, section, wasm), source.name);
  const imported = readImports(wasm).filter(isFunction).map(({ type }) => type);
  const functions = exportedFunctions(wasm, imported);
  return {
    key,
    wasm,
    ...(section ? { imports: [section.header, section.end] } : {}),
    moves,
    statics,
    functions,
    sources,
    mappings,
  };
}

/** The module with the imports of `other`, which are the same but for the pages of memory. */
function withImports(
  module: Uint8Array,
  section: { readonly header: number; readonly end: number } | undefined,
  other: Uint8Array,
): Uint8Array {
  if (!section || module.length !== other.length) return module;
  const same = module.slice();
  same.set(other.subarray(section.header, section.end), section.header);
  return same;
}

function isFunction({ kind }: Import): boolean {
  return kind === "function";
}

/**
 * Refuses modules that would break a run: with imports other than the memory, or with results that depend on the order
 * of frames.
 */
function checkModule({ name, file, library, fresh }: Source, output: AscOutput, build: Build): void {
  const refuse = (reason: string, found: string) => {
    throw new TilewiseError("udf", `Cannot use kernel "${name}": ${reason}`, { kernel: name, file, found });
  };
  const isKnown = ({ kind, module, name }: Import) =>
    kind === "memory" || module === library?.module && library.functions.includes(name);
  const foreign = readImports(output.wasm).filter((one) => !isKnown(one));
  const names = foreign.map(({ module, name }) => `${module}.${name}`).join(", ");
  const allowed = library ? `nothing but what "${library.name}" exports` : "nothing outside of itself";
  if (names) refuse(`it needs ${names}, but a kernel calls ${allowed}`, names);
  if (build === "fast" && allocates(output)) {
    const hint =
      "declare scratch or arrays, or make the table a top-level StaticArray of given numbers, as in " +
      "const table: StaticArray<f64> = [1, 2]";
    refuse(`it allocates memory (new, or an array or string that is made as it runs); ${hint}`, "allocation");
  }
  const state = fresh ? undefined : stateOf(output);
  if (state === undefined) return;
  const hint = "use a buffer for results, scratch for intermediate values";
  const why = "so that results would depend on which worker sees which frame";
  refuse(`it changes the global variable "${state}", ${why}; ${hint}`, state);
}

/** The stored form: JSON, with the module in base64 and its digest. */
interface Stored extends Omit<CompiledKernel, "wasm"> {
  readonly wasm: string;
  readonly digest: string;
}

async function toStored(kernel: CompiledKernel): Promise<Stored> {
  const wasm = btoa(Array.from(kernel.wasm, (byte) => String.fromCharCode(byte)).join(""));
  return { ...kernel, wasm, digest: await sha256(kernel.wasm) };
}

/** The kernel that was stored; undefined if the file is missing, incomplete or invalid. */
async function fromStored(key: string, bytes: Uint8Array | undefined): Promise<CompiledKernel | undefined> {
  if (!bytes) return undefined;
  try {
    const { digest, ...stored } = JSON.parse(new TextDecoder().decode(bytes)) as Stored;
    const wasm = Uint8Array.from(atob(stored.wasm), (char) => char.charCodeAt(0));
    return stored.key === key && digest === await sha256(wasm) ? { ...stored, wasm } : undefined;
  } catch {
    return undefined; // it is compiled and written again
  }
}

/** The functions that the source exports. */
export function sourceExports(kernel: CompiledKernel): string[] {
  return Object.keys(kernel.functions).filter((name) => name !== STATICS_END);
}

/**
 * From the source of a kernel to a module that fits the memory of any run, remembered by what went in.
 *
 * @module
 */

import { unshared } from "../../space/unshared.ts";
import { TilewiseError } from "../../errors.ts";
import { readCache, writeCache } from "../../io/write/cache.ts";
import { sha256 } from "../../io/hash.ts";
import { allocates, type AscOutput, runAsc, type Source, stateOf, staticsEnd } from "./asc.ts";
import { exportedFunctions, SECTION, sectionsOf, type Signature } from "./inspect.ts";
import { type Build, COMPILER, flagsOf, FORMAT, STATICS_END } from "./prelude.ts";
import { BASES, findMoves } from "./statics.ts";

/** A compiled kernel, as plain data that travels to workers. */
export interface CompiledKernel {
  /** Digest of source, compiler and flags. */
  readonly key: string;
  /** The module; its only import is the memory. */
  readonly wasm: Uint8Array;
  /** First byte of the section of imports, and the byte after its last; absent where it has no use of memory. */
  readonly imports?: readonly [number, number];
  /** Where addresses of static data stand. */
  readonly moves: readonly number[];
  /** Bytes of static data. */
  readonly statics: number;
  /** What it exports. */
  readonly functions: Readonly<Record<string, Signature>>;
  /** The files that the source map names. */
  readonly sources: readonly string[];
  /** From bytes of the module to places in the sources. */
  readonly mappings: string;
}

const known = new Map<string, Promise<CompiledKernel>>();

/**
 * Compiles a source, or remembers it: in this process, or in the user's cache folder where this process may use it.
 * Errors: `udf` with file, line and column, when the source does not compile or does what a kernel may not.
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

/** Forgets what this process has compiled: for measurements. */
export function forgetKernels(): void {
  known.clear();
}

function keyOf({ file, text, sample }: Source, build: Build): Promise<string> {
  const all = JSON.stringify([FORMAT, COMPILER, flagsOf(build), file, sample ?? null, text]);
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
  const moves = statics === 0
    ? []
    : findMoves(first.wasm, (await runAsc(source, build, BASES[1])).wasm, source.name);
  const { wasm, sources, mappings } = first;
  const section = sectionsOf(wasm).get(SECTION.import);
  const functions = exportedFunctions(wasm);
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

/** Refuses what would break a run: imports besides the memory, and results that depend on the order of frames. */
function checkModule({ name, file }: Source, output: AscOutput, build: Build): void {
  const refuse = (reason: string, found: string) => {
    throw new TilewiseError("udf", `Cannot use kernel "${name}": ${reason}`, { kernel: name, file, found });
  };
  const module = new WebAssembly.Module(unshared(output.wasm));
  const foreign = WebAssembly.Module.imports(module).filter(({ kind }) => kind !== "memory");
  const names = foreign.map(({ module, name }) => `${module}.${name}`).join(", ");
  if (names) refuse(`it needs ${names}, but a kernel calls nothing outside of itself`, names);
  if (build === "fast" && allocates(output)) {
    const hint = "declare scratch or arrays, or make the table a top-level StaticArray";
    refuse(`it allocates memory (new, or an array or string that is made as it runs); ${hint}`, "allocation");
  }
  const state = stateOf(output);
  if (state === undefined) return;
  const hint = "use a buffer for results, scratch for intermediate values";
  const why = "so that results would depend on which worker sees which frame";
  refuse(`it changes the global variable "${state}", ${why}; ${hint}`, state);
}

/** What is stored: JSON, with the module in base64 and its digest. */
interface Stored extends Omit<CompiledKernel, "wasm"> {
  readonly wasm: string;
  readonly digest: string;
}

async function toStored(kernel: CompiledKernel): Promise<Stored> {
  const wasm = btoa(Array.from(kernel.wasm, (byte) => String.fromCharCode(byte)).join(""));
  return { ...kernel, wasm, digest: await sha256(kernel.wasm) };
}

/** What was stored; nothing where the file is missing, torn or somebody else's. */
async function fromStored(key: string, bytes: Uint8Array | undefined): Promise<CompiledKernel | undefined> {
  if (!bytes) return undefined;
  try {
    const { digest, ...stored } = JSON.parse(new TextDecoder().decode(bytes)) as Stored;
    const wasm = Uint8Array.from(atob(stored.wasm), (char) => char.charCodeAt(0));
    return stored.key === key && digest === await sha256(wasm) ? { ...stored, wasm } : undefined;
  } catch {
    return undefined; // it will be compiled and written again
  }
}

/** The functions that the source exports. */
export function sourceExports(kernel: CompiledKernel): string[] {
  return Object.keys(kernel.functions).filter((name) => name !== STATICS_END);
}

/**
 * The AssemblyScript compiler, loaded when a kernel is first compiled: it takes source text and gives a module, all in
 * memory.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { deniedError, isDenied } from "../io/source/permission.ts";
import { loadPackage } from "../packages.ts";
import { formatBytes } from "../space/size.ts";
import { type Build, filesBeside, flagsOf, type KernelTypes, type Library, STATICS_END } from "./prelude.ts";

/** A source to compile. */
export interface Source extends KernelTypes {
  /** What the kernel is called in messages. */
  readonly name: string;
  /** The name of its file, without folders. */
  readonly file: string;
  /** AssemblyScript. */
  readonly text: string;
  /** A library whose functions the kernel can call. */
  readonly library?: Library;
  /** Whether each call of the kernel has an instance of its own: then it may change its global variables. */
  readonly fresh?: boolean;
}

/** The output of the compiler. */
export interface AscOutput {
  /** The module. */
  readonly wasm: Uint8Array;
  /** The module as text. */
  readonly text: string;
  /** The files that the source map names. */
  readonly sources: readonly string[];
  /** The source map, from bytes of the module to places in the sources. */
  readonly mappings: string;
}

/** The part of the compiler that is used. */
interface Asc {
  main(args: readonly string[], options: AscOptions): Promise<{ error: Error | null }>;
}

interface AscOptions {
  readFile(name: string): string | null;
  writeFile(name: string, contents: string | Uint8Array): void;
  listFiles(): string[];
  reportDiagnostic(diagnostic: Diagnostic): void;
  readonly stdout: { write(text: string): void };
  readonly stderr: { write(text: string): void };
}

interface Diagnostic {
  readonly category: number;
  readonly message: string;
  readonly range?:
    | { readonly start: number; readonly source?: { normalizedPath: string; text: string } }
    | null;
}

const ERROR = 3;

const PAGE = 2 ** 16;
/** Most bytes of static data: those of hundreds of megabytes keep the compiler busy for minutes. */
const MOST_STATICS = 2 ** 22;

let loaded: Promise<Asc> | undefined;
let turn: Promise<unknown> = Promise.resolve();

/** Compiles `source` with its statics at address `base`; one source at a time, as the compiler keeps state. */
export function runAsc(source: Source, build: Build, base: number): Promise<AscOutput> {
  const result = turn.then(() => compileNow(source, build, base));
  turn = result.catch(() => {});
  return result;
}

async function compileNow(source: Source, build: Build, base: number): Promise<AscOutput> {
  const asc = await (loaded ??= loadCompiler());
  const { name, file, text } = source;
  const files: Readonly<Record<string, string>> = { ...filesBeside(source, source.library), [file]: text };
  const written = new Map<string, string | Uint8Array>();
  const errors: Diagnostic[] = [];
  const sink = { write: () => {} };
  const outputs = ["--outFile", "kernel.wasm", "--textFile", "kernel.wat"];
  const places = ["--memoryBase", String(base), "--initialMemory", String((base + MOST_STATICS) / PAGE)];
  const args = [file, "tilewise_statics.ts", ...outputs, ...places, ...flagsOf(build)];
  const { error } = await asc.main(args, {
    readFile: (path) => Object.hasOwn(files, path) ? files[path]! : null,
    writeFile: (path, contents) => void written.set(path, contents),
    listFiles: () => [],
    reportDiagnostic: (diagnostic) => void (diagnostic.category === ERROR && errors.push(diagnostic)),
    stdout: sink,
    stderr: sink,
  });
  if (errors.length > 0) throw compileError(source, errors);
  if (error) throw failed(name, error.message, error);
  const map = JSON.parse(String(written.get("kernel.wasm.map"))) as { sources: string[]; mappings: string };
  const wasm = written.get("kernel.wasm");
  if (!(wasm instanceof Uint8Array)) throw failed(name, "the compiler wrote no module");
  return { wasm, text: String(written.get("kernel.wat")), sources: map.sources, mappings: map.mappings };
}

async function loadCompiler(): Promise<Asc> {
  try {
    return (await loadPackage<{ default: Asc }>("assemblyscript/asc", "Cannot compile a kernel")).default;
  } catch (error) {
    loaded = undefined;
    const { message, cause } = error as Error;
    if (isDenied(cause)) throw deniedError("Cannot load the AssemblyScript compiler", cause);
    throw new TilewiseError("udf", message, {}, { cause });
  }
}

/** The first error as text, with its place. */
function compileError(source: Source, errors: readonly Diagnostic[]): TilewiseError {
  const { name: kernel, file, text } = source;
  const { message, range } = errors[0]!;
  const said = explained(message, source.library);
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  if (range?.source?.normalizedPath !== file) return failed(kernel, said + more);
  const before = text.slice(0, range.start).split("\n");
  const place = { file, line: before.length, column: before.at(-1)!.length + 1 };
  return failed(kernel, `${file}:${place.line}:${place.column}: ${said}${more}`, undefined, place);
}

/** Explains messages of the compiler that have another meaning for authors of kernels. */
function explained(message: string, library: Library | undefined): string {
  if (/^Module requires at least '\d+' pages of initial memory/.test(message)) {
    const most = formatBytes(MOST_STATICS);
    return `its static data (memory.data, tables of constants) have more than ${most}, the most there can be; ` +
      "declare an array or scratch instead";
  }
  const [, missing] = /^File '(.*)' not found/.exec(message) ?? [];
  if (missing === undefined) return message;
  const also = library ? ` and "${library.name}", such as { open }` : "";
  const only = library ? "the imports are" : "the only import is";
  return `it imports ${missing}, but a kernel is one file; ${only} "tilewise", such as { Sample }${also}`;
}

function failed(kernel: string, reason: string, cause?: unknown, place: object = {}): TilewiseError {
  const options = cause === undefined ? undefined : { cause };
  return new TilewiseError(
    "udf",
    `Cannot compile kernel "${kernel}": ${reason}`,
    { kernel, ...place },
    options,
  );
}

/** The address at which statics end. */
export function staticsEnd({ text }: AscOutput): number {
  const exported = new RegExp(`\\(func \\$\\S*/${STATICS_END} \\(result i32\\)\\s+i32\\.const (\\d+)`).exec(
    text,
  );
  const heap = /\(global \$~lib\/memory\/__heap_base i32 \(i32\.const (\d+)\)/.exec(text);
  return Number((exported ?? heap)![1]);
}

/** The name of a variable of the source that keeps its value from one call to the next. */
export function stateOf({ text }: AscOutput): string | undefined {
  let starting = false;
  for (const line of text.split("\n")) {
    if (line.startsWith(" (func ")) starting = /^ \(func \$(~start|start:)/.test(line);
    const [, name] = /^\s*global\.set \$(\S+)/.exec(line) ?? [];
    if (name && !starting && !name.startsWith("~lib/")) return name.replace(/^.*\//, "");
  }
  return undefined;
}

/**
 * Whether it allocates memory, also before its first call, as `new StaticArray` at the top level does: the module contains the
 * allocator only if it is used, which asks for more memory wherever the optimizer has put it.
 */
export function allocates({ text }: AscOutput): boolean {
  return /\bmemory\.grow\b/.test(text);
}

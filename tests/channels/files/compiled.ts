/** Kernels of the tests: AssemblyScript with the library of channels, compiled and bound to a memory. */

import asc from "assemblyscript/asc";
import { channelLibrary } from "../../../src/channels/files/library_text.ts";
import { IMPORT_MODULE } from "../../../src/channels/files/import_table.ts";
import type { FileImports } from "../../../src/channels/files/imports.ts";

const FLAGS =
  "--runtime stub --use abort= --importMemory --noExportMemory --sharedMemory --initialMemory 1 " +
  "--maximumMemory 65536 --enable threads --enable simd --optimizeLevel 1 --memoryBase 8192";

/** What the compiler gives. */
interface Output {
  readonly wasm?: Uint8Array<ArrayBuffer>;
  readonly errors: string;
}

const known = new Map<string, Promise<Output>>();

/** The module of a kernel, or the messages of the compiler. */
export function compiled(source: string): Promise<Output> {
  const found = known.get(source) ?? compile(source);
  known.set(source, found);
  return found;
}

async function compile(source: string): Promise<Output> {
  const library = channelLibrary();
  const files: Record<string, string> = {
    "kernel.ts": source,
    [`node_modules/${library.name}.ts`]: library.text,
  };
  let wasm: Uint8Array<ArrayBuffer> | undefined;
  const { stderr } = await asc.main(["kernel.ts", "--outFile", "kernel.wasm", ...FLAGS.split(" ")], {
    readFile: (name: string) => files[name] ?? null,
    writeFile: (_name: string, contents: string | Uint8Array) => {
      if (typeof contents !== "string") wasm = contents.slice();
    },
    listFiles: () => [],
  });
  return { ...(wasm ? { wasm } : {}), errors: stderr.toString() };
}

/** Exported functions of a kernel. */
export type Exported = Record<string, (...args: (number | bigint)[]) => number>;

/** The functions of a kernel in `memory`, with these imports. */
export async function bound(
  source: string,
  memory: WebAssembly.Memory,
  imports: FileImports,
): Promise<Exported> {
  const { wasm, errors } = await compiled(source);
  if (!wasm) throw new Error(errors);
  const module = new WebAssembly.Module(wasm);
  return new WebAssembly.Instance(module, { env: { memory }, [IMPORT_MODULE]: { ...imports } })
    .exports as Exported;
}

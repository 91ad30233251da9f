/**
 * Cuts the module of all kernels into packs, and writes them as TypeScript.
 *
 * All kernels are compiled and optimized together, so that a kernel is the same code in whatever pack it is. A pack has
 * its kernels, and of what they call as much as they need.
 *
 * @module
 */

import binaryen from "binaryen";
import { deflateSync } from "fflate";
import { type Pack, PACKS } from "../src/kernels/families/packs.ts";
import { section } from "./describe.ts";
import type { Export } from "./families.ts";

/** A pack: its module, the same compressed, and where its import section lies. */
export interface CutPack {
  /** The module, for shared memory. */
  readonly wasm: Uint8Array<ArrayBuffer>;
  /** The module as raw deflate. */
  readonly packed: Uint8Array;
  /** First byte of the import section, and the byte after its last. */
  readonly imports: readonly [start: number, end: number];
}

/** Validates the module and drops what only debuggers read. */
export function finish(bytes: Uint8Array): binaryen.Module {
  const module = readModule(bytes);
  if (!module.validate()) throw new Error("The kernels are not valid WebAssembly");
  module.runPasses(["strip-debug", "strip-producers", "strip-target-features"]);
  return module;
}

function readModule(bytes: Uint8Array): binaryen.Module {
  const module = binaryen.readBinary(bytes);
  const { MutableGlobals, SignExt, NontrappingFPToInt, SIMD128, Atomics } = binaryen.Features;
  const { BulkMemory, BulkMemoryOpt } = binaryen.Features;
  module.setFeatures(
    MutableGlobals | SignExt | NontrappingFPToInt | BulkMemory | BulkMemoryOpt | SIMD128 | Atomics,
  );
  return module;
}

/** The packs of the module with all kernels. */
export function cutPacks(all: Uint8Array, kernels: readonly Export[]): Map<Pack, CutPack> {
  const packs = new Map(PACKS.map((pack) => [pack, cutPack(all, kernels, pack)]));
  const strange = kernels.find(({ pack }) => !packs.has(pack));
  if (strange) throw new Error(`${strange.family} is in the pack "${strange.pack}", which does not exist`);
  return packs;
}

function cutPack(all: Uint8Array, kernels: readonly Export[], pack: Pack): CutPack {
  const module = readModule(all);
  for (const { name } of kernels.filter((one) => one.pack !== pack)) module.removeExport(name);
  module.runPasses(["remove-unused-module-elements"]);
  const wasm = module.emitBinary().slice();
  module.dispose();
  checkPack(pack, wasm);
  const [, end, start] = section(wasm, 2);
  return { wasm, packed: smallest(wasm), imports: [start, end] };
}

/** The shortest of what levels and memories of the compressor give; the same in all versions of the runtime. */
function smallest(bytes: Uint8Array): Uint8Array {
  const tries = [4, 6, 8, 10, 12].map((mem) => deflateSync(bytes, { level: 9, mem: mem as 4 }));
  return tries.reduce((best, one) => one.length < best.length ? one : best);
}

/** Looks for what must not be in a module of kernels. */
function checkPack(pack: Pack, wasm: Uint8Array<ArrayBuffer>): void {
  const module = new WebAssembly.Module(wasm);
  const imports = WebAssembly.Module.imports(module);
  if (imports.length !== 1) {
    throw new Error(`Kernels import their memory alone, not ${JSON.stringify(imports)}`);
  }
  if (WebAssembly.Module.exports(module).length === 0) throw new Error(`No family is in the pack "${pack}"`);
  const [data, dataEnd] = section(wasm, 11);
  if (data !== dataEnd) throw new Error("Kernels have no data segment: loading them must not write memory");
}

/** The source of `packs/PACK.ts`. */
export function packSource(pack: Pack, { wasm, packed, imports }: CutPack, note: string): string {
  return `/**
 * The pack of kernels \`${pack}\` as bytes: a WebAssembly module, compressed, in base64. ${note}
 *
 * @module
 */

import type { StoredPack } from "../families/packs.ts";

/** The pack. */
export const PACK: StoredPack = {
  bytes: ${wasm.length},
  imports: [${imports.join(", ")}],
  packed:
    "${packed.toBase64()}",
};
`;
}

/**
 * Kernels that look before every access whether it belongs to the call (`tests/fences`).
 *
 * @module
 */

import { assert } from "@std/assert";
import type { KernelRow } from "../oracles/rows/catalogue.ts";
import {
  instantiateKernels,
  type KernelCode,
  type Kernels,
  loadKernels,
  packBytes,
  PACKS,
} from "../../src/kernels/wasm.ts";
import { RESERVED } from "../../src/memory/arena.ts";
import { FENCING } from "../fences/fence_arenas.ts";
import { fence, type Fences } from "../fences/fences.ts";
import { useFencing } from "../../src/memory/fencing.ts";
import { instrument } from "../fences/instrument.ts";
import type { Call } from "./call.ts";

await loadKernels();
useFencing(FENCING);

/** A memory with fences, and its kernels. */
export interface Looking extends Kernels {
  readonly fences: Fences;
}

const codes = new Map<boolean, KernelCode>();

/** Kernels over a memory of `pages` pages, half of which calls may use, from {@link RESERVED} on. */
export function lookingKernels(pages: number, shared = false): Looking {
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared });
  const fences = fence(memory);
  const code = codes.get(shared) ?? Object.fromEntries(
    PACKS.map((pack) => [pack, new WebAssembly.Module(instrument(packBytes(pack, shared)))]),
  );
  codes.set(shared, code);
  return { fences, ...instantiateKernels(memory, code) };
}

/** Runs a kernel on the buffers of `call` in `from`, without the byte `without`; all that surrounds them is random. */
export function runLooking(
  { memory, exports, fences }: Looking,
  row: KernelRow,
  call: Call,
  from: WebAssembly.Memory,
  without?: number,
): void {
  assert(call.end <= fences.end, "the call fits into the memory");
  fences.raise(RESERVED, call.end);
  for (const { parameter, parts } of call.buffers) {
    for (const { offset, bytes } of parts) {
      fences.allow(offset, bytes, parameter.name);
      new Uint8Array(memory.buffer, offset, bytes).set(new Uint8Array(from.buffer, offset, bytes));
    }
  }
  if (without !== undefined) fences.forbid(without, without + 1);
  (exports as unknown as Record<string, (...args: readonly number[]) => void>)[row.name]!(...call.args);
  if (without === undefined) fences.check(RESERVED, call.end);
}

/**
 * The module that copies rows from one memory to another. AssemblyScript knows one memory only, so this is WebAssembly
 * text; it is as short as `kernels/filters/copy_rows.ts`, which is the same within one memory.
 *
 * ```text
 *   for every row:  one instruction, or for short rows 16 bytes at a time and the rest byte by byte
 * ```
 *
 * @module
 */

import binaryen from "binaryen";

/** Rows of more bytes are copied by `memory.copy`. */
const SHORT_ROW = 128;

const ADVANCE = `
  (local.set $dst (i32.add (local.get $dst) (local.get $dstStride)))
  (local.set $src (i32.add (local.get $src) (local.get $srcStride)))
  (br_if $row (local.tee $rows (i32.sub (local.get $rows) (i32.const 1))))`;

/** One step of the copy of a short row: `store` and `load` of so many bytes at `$i`. */
const step = (load: string, store: string, bytes: number): string => `
  (${store} $to (i32.add (local.get $dst) (local.get $i))
    (${load} $from (i32.add (local.get $src) (local.get $i))))
  (local.set $i (i32.add (local.get $i) (i32.const ${bytes})))`;

const source = (shared: boolean): string =>
  `(module
  (import "to" "memory" (memory $to 0 65536 ${shared ? "shared" : ""}))
  (import "from" "memory" (memory $from 0 65536 shared))
  (func (export "copy_rows") (param $dst i32) (param $dstStride i32) (param $src i32) (param $srcStride i32)
      (param $rows i32) (param $bytes i32) (local $i i32) (local $whole i32)
    (if (i32.le_s (local.get $rows) (i32.const 0)) (then (return)))
    (if (i32.gt_u (local.get $bytes) (i32.const ${SHORT_ROW})) (then
      (loop $row
        (memory.copy $to $from (local.get $dst) (local.get $src) (local.get $bytes))
        ${ADVANCE})
      (return)))
    (local.set $whole (i32.and (local.get $bytes) (i32.const -16)))
    (loop $row
      (local.set $i (i32.const 0))
      (block $rest (loop $vector
        (br_if $rest (i32.ge_u (local.get $i) (local.get $whole)))
        ${step("v128.load", "v128.store", 16)}
        (br $vector)))
      (block $end (loop $byte
        (br_if $end (i32.ge_u (local.get $i) (local.get $bytes)))
        ${step("i32.load8_u", "i32.store8", 1)}
        (br $byte)))
      ${ADVANCE})))`;

/** The module as bytes, to a memory that is shared, or to one that is not; the other one is always shared. */
export function betweenBytes(shared: boolean): Uint8Array {
  const module = binaryen.parseText(source(shared));
  const { SIMD128, Atomics, BulkMemory, BulkMemoryOpt, MultiMemory } = binaryen.Features;
  module.setFeatures(SIMD128 | Atomics | BulkMemory | BulkMemoryOpt | MultiMemory);
  if (!module.validate()) throw new Error("The module that copies between memories is not valid WebAssembly");
  return module.emitBinary();
}

/** The source of the file with both modules. */
export function betweenSource(note: string): string {
  return `/**
 * The modules that copy rows between two memories, as bytes. ${note}
 *
 * @module
 */

/** To a shared memory, in base64. */
export const TO_SHARED: string =
  "${betweenBytes(true).toBase64()}";

/** To a private memory, in base64. */
export const TO_PRIVATE: string =
  "${betweenBytes(false).toBase64()}";
`;
}

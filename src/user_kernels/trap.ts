/**
 * Finds the file, line and column of a trap in a kernel, from the byte position in the stack of the error.
 *
 * @module
 */

import type { CompiledKernel } from "./compile.ts";

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

/**
 * Where a kernel was when it trapped: from the byte in the stack of the error to file, line and column.
 *
 * @module
 */

import type { CompiledKernel } from "./compile.ts";

/** A place in a source. */
export interface Place {
  /** Its file. */
  readonly file: string;
  /** Its line, from 1 on. */
  readonly line: number;
  /** Its column, from 1 on. */
  readonly column: number;
}

/**
 * The place in the user's source that `error` comes from, if its stack tells; `shift` is how many bytes further the
 * instructions of the running module are than those of the compiled one.
 */
export function placeOf(error: unknown, kernel: CompiledKernel, shift: number): Place | undefined {
  const stack = error instanceof Error ? error.stack ?? "" : "";
  for (const [, hex] of stack.matchAll(/wasm-function\[\d+\]:0x([0-9a-f]+)/g)) {
    const place = lookUp(kernel, parseInt(hex!, 16) - shift);
    if (place) return place;
  }
  return undefined;
}

/** The last mapping at or before a byte; of code from the library that was inlined, the place just before. */
function lookUp({ mappings, sources }: CompiledKernel, byte: number): Place | undefined {
  let found: Place | undefined;
  let [column, source, line, sourceColumn] = [0, 0, 0, 0];
  for (const segment of mappings.split(",")) { // one line: the columns are bytes of the module
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

/** The numbers of a segment: five bits a digit, the lowest first; the sixth says that more follow, the first is the sign. */
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

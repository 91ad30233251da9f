/**
 * Whether plain twins and rows follow the table. Types see names that a row forgets, but not numbers that a twin leaves out.
 *
 * @module
 */

import { kernelRows } from "../src/kernels/rows/catalogue.ts";
import type { Export } from "./families.ts";

/** What is wrong with twins and rows of these exports, one line each. */
export function twinFaults(exports: readonly Export[]): string[] {
  const rows = new Map([...kernelRows()].map((row) => [row.name, row]));
  const memory = new WebAssembly.Memory({ initial: 1 });
  return exports.flatMap(({ name, family, params }) => {
    const row = rows.get(name);
    if (!row) return [`${name} has no row in src/kernels/rows/`];
    const [twin, kernel] = [row.reference(memory).length, Object.keys(params).length];
    return twin === kernel
      ? []
      : [`the twin of ${family} takes ${twin} parameters, its kernels take ${kernel}`];
  });
}

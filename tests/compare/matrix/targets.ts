/**
 * Everything that is written, as the registry of targets has it.
 *
 * @module
 */

import { endingsFor, targetAt } from "../../../src/sinks/registry.ts";

/** The endings of all files and folders that are written, with the dot. */
export const TARGETS: readonly string[] = [...new Set(endingsFor("results", "frames", "arrays"))];

/** Whether arrays alone are saved to such files, which no format reads. */
export function isOfArraysAlone(ending: string): boolean {
  return targetAt(ending, "arrays")?.arrays === "own";
}

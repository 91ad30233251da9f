/**
 * Everything that `convert` writes, as the registry of targets has it.
 *
 * @module
 */

import { endingsFor } from "../../../src/sinks/registry.ts";

/** The endings of all files and folders that are written, with the dot. */
export const TARGETS: readonly string[] = [...new Set(endingsFor("results", "frames"))];

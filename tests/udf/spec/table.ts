/**
 * Which test looks at which rule: the interface of UDFs and the built-in ones as LiberTEM has them, section by section.
 *
 * @module
 */

import { BEHAVIOURS } from "./behaviours.ts";
import { BUILTINS } from "./builtins.ts";
import { INTERFACE } from "./interface.ts";
import type { Section } from "./rule.ts";

/** All sections. */
export const SECTIONS: readonly Section[] = [...INTERFACE, ...BUILTINS, ...BEHAVIOURS];

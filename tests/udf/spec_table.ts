/**
 * Which test looks at which rule: the interface of UDFs and the built-in ones as LiberTEM has them, section by section.
 *
 * @module
 */

import { BEHAVIOURS } from "./spec_behaviours.ts";
import { BUILTINS } from "./spec_builtins.ts";
import { INTERFACE } from "./spec_interface.ts";
import type { Section } from "./spec_rule.ts";

/** All sections. */
export const SECTIONS: readonly Section[] = [...INTERFACE, ...BUILTINS, ...BEHAVIOURS];

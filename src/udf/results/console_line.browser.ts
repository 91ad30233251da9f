/**
 * What stands for `console_line.ts` in pages: only the console of Deno asks for this line, and it needs every sample. Notebooks in
 * pages ask for figures, which have all that `pictures/array_line.ts` says.
 *
 * @module
 */

import { showShape } from "../../space/shape.ts";
import type * as elsewhere from "./console_line.ts";

/** Shape and dtype. */
export const consoleLine: typeof elsewhere.consoleLine = ({ shape, dtype }) => `${showShape(shape)} ${dtype}`;

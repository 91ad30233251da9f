/**
 * The service of images: what a runner loads to answer calls for images.
 *
 * @module
 */

import type { BackEnd } from "../channels/backends/back_end.ts";
import type { Functions } from "../channels/protocol/call.ts";
import { imageAnswers } from "./answers.ts";

/** The answers of a runner whose files are those of `backEnd`. */
export function imageService(_shared: undefined, { backEnd }: { readonly backEnd: BackEnd }): {
  readonly functions: Functions;
} {
  return { functions: imageAnswers(backEnd) };
}

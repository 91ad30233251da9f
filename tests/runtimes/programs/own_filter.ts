/** A filter of a user. */

import { perSample } from "@tilewise/tilewise/views";

/** The step to the next sample on the right. */
export const step = perSample((at) => Math.abs(at(0, 1) - at()));

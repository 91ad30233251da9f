/**
 * A function of the host that takes its time: what kernels of the bench call.
 *
 * @module
 */

import { remote } from "@tilewise/tilewise/unstable/channels";

/** The functions. */
export const functions = {
  nap: remote(["f64"], "void", (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))),
};

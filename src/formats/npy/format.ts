/**
 * How `.npy` files are recognised.
 *
 * @module
 */

import { NPY_MAGIC } from "../../sinks/npy/npy_header.ts";
import type { Format } from "../common/format.ts";

/** NumPy arrays in files. */
export const npy: Format = {
  id: "npy",
  title: "NumPy array",
  extensions: ["npy"],
  detect: ({ head }) =>
    isNpy(head)
      ? { claim: "yes", why: "begins with the magic number of npy, \\x93NUMPY" }
      : { claim: "no", why: "does not begin with \\x93NUMPY" },
};

/** Whether `head` begins as an npy file does. */
export function isNpy(head: Uint8Array): boolean {
  return NPY_MAGIC.every((byte, i) => head[i] === byte);
}

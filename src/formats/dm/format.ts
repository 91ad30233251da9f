/**
 * How files of DigitalMicrograph are recognised.
 *
 * @module
 */

import { dmHead } from "./head.ts";
import type { Format } from "../common/format.ts";

/** DigitalMicrograph files. */
export const dm: Format = {
  id: "dm",
  title: "DigitalMicrograph",
  extensions: ["dm3", "dm4"],
  detect: ({ head }) => {
    const found = dmHead(head);
    return found
      ? {
        claim: "yes",
        why: `begins with version ${found.version} and a byte order, as DM${found.version} does`,
      }
      : { claim: "no", why: "does not begin with version 3 or 4 and a byte order of DM" };
  },
};

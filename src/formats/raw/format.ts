/**
 * When files count as raw frames.
 *
 * @module
 */

import type { Format } from "../common/format.ts";
import { extensionOf, stemOf } from "../../io/file/names.ts";

/** What a file of raw frames may be called. */
const EXTENSIONS = ["raw", "bin", "dat"];

/** Headerless frames. */
export const raw: Format = {
  id: "raw",
  title: "Raw frames",
  extensions: EXTENSIONS,
  async detect(probe, { dtype, bits, sig }) {
    if ((dtype !== undefined || bits !== undefined) && sig) {
      return { claim: "yes", why: "dtype and frame shape were given, and no other format claims it" };
    }
    const header = `${stemOf(probe.name)}.rpl`.toLowerCase();
    const beside = extensionOf(probe.name) === "raw"
      ? (await probe.siblings()).find((name) => name.toLowerCase() === header)
      : undefined;
    return {
      claim: "needs options",
      why: `needs the options dtype and sig${beside ? `; or open ${beside}` : ""}`,
    };
  },
};

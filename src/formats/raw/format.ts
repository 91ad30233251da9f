/**
 * When files count as raw frames, and how descriptions of raw CSR are recognised.
 *
 * @module
 */

import { extensionOf, stemOf } from "../../io/file/names.ts";
import type { Format } from "../common/format.ts";

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

/** Maximum size of a description. */
export const MOST_TOML_BYTES: number = 2 ** 20;

/** Sparse frames with a TOML description. */
export const rawCsr: Format = {
  id: "raw_csr",
  title: "Raw CSR (toml + indptr, indices, data)",
  extensions: ["toml"],
  detect({ head, size }) {
    const text = new TextDecoder().decode(head);
    return size <= MOST_TOML_BYTES && /^[^#\n]*\bfiletype["']?\s*=\s*["']raw_csr["']/im.test(text)
      ? { claim: "yes", why: 'text with filetype = "raw_csr"' }
      : { claim: "no", why: 'is not a text with filetype = "raw_csr"' };
  },
};

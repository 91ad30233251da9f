/**
 * How descriptions of raw CSR are recognised.
 *
 * @module
 */

import type { Format } from "../common/format.ts";
import { MOST_TOML_BYTES } from "../common/toml_size.ts";

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

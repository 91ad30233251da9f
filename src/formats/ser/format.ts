/**
 * How TIA series are recognised.
 *
 * @module
 */

import { Fields } from "../common/fields.ts";
import type { Format, Match, Probe } from "../common/format.ts";

/** TIA series files. */
export const ser: Format = {
  id: "ser",
  title: "TIA series",
  extensions: ["ser"],
  detect,
};

function detect({ head, name }: Probe): Match {
  if (head.length >= 30) {
    const fields = new Fields(head, name);
    if (fields.u16(0) === 0x4949 && fields.u16(2) === 0x0197) {
      return { claim: "yes", why: "begins with the byte order and id of TIA series, II and 0x0197" };
    }
  }
  return { claim: "no", why: "does not begin with II and the id 0x0197" };
}

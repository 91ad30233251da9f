/**
 * How tables of casacore are recognised.
 *
 * @module
 */

import type { Format, Match, Probe } from "../common/format.ts";

/** The name of the file with the description. */
export const DESCRIPTION = "table.dat";

/** Tables of casacore. */
export const casacore: Format = {
  id: "casacore",
  title: "casacore table",
  extensions: ["ms", "tab"],
  detect,
};

/** What `table.dat` begins with: a magic number, a length, and the type of the object. */
function detect({ head, name }: Probe): Match {
  const isObject = head.length >= 17 && [0, 1, 2, 3].every((i) => head[i] === 0xbe);
  const type = isObject ? new TextDecoder("latin1").decode(head.subarray(12, 17)) : "";
  if (type === "Table") {
    return { claim: "yes", why: "begins with BEBEBEBE and the object Table, as tables do" };
  }
  if (name === DESCRIPTION && head.length > 0) {
    return { claim: "yes", why: `is called ${DESCRIPTION}, as the descriptions of tables are` };
  }
  return { claim: "no", why: "does not begin with BEBEBEBE and the object Table" };
}

/**
 * The files that the golden programs open: in the checkout, and on the servers of these tests.
 *
 * @module
 */

import type { Addresses } from "./programs/golden.ts";
import { host } from "./setup/server.ts";

const DATA = new URL("../data/hdf5/", import.meta.url);
const OWN = "tests/runtimes/programs/own_udf.ts";

/** In the checkout. */
export const PATHS: Addresses = {
  filters: new URL("filters.h5", DATA).href,
  library: new URL("library.h5", DATA).href,
  own: new URL(`../../${OWN}`, import.meta.url).href,
};

/** On the servers. */
export async function addresses(): Promise<Addresses> {
  return {
    filters: host("filters.h5", await Deno.readFile(new URL(PATHS.filters))),
    library: host("library.h5", await Deno.readFile(new URL(PATHS.library))),
    own: `/modules/${OWN}`,
  };
}
